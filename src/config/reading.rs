//! Taking settings one by one out of what all sources together say.

use std::collections::BTreeMap;

use anyhow::Context;
use config::{Config, Source, Value, ValueKind};

/// The merged sources, of which settings are taken until only unknown ones are left.
#[derive(Default)]
pub struct Reading {
    given: BTreeMap<String, Given>,
    faults: Vec<String>,
    /// All that was asked for, with its default.
    #[cfg(test)]
    pub asked: Vec<(String, Option<String>)>,
}

/// A setting as it was given.
struct Given {
    text: String,
    /// The file it stands in; variables and flags have none.
    file: Option<String>,
}

impl Reading {
    /// Everything that was given, flat: `database.url`.
    pub fn of(merged: &Config) -> anyhow::Result<Self> {
        let mut reading = Self::default();
        for (name, value) in merged.collect().context("settings")? {
            reading.flatten(name, value);
        }
        Ok(reading)
    }

    fn flatten(&mut self, name: String, value: Value) {
        let file = value.origin().filter(|origin| origin.ends_with(".toml")).map(str::to_owned);
        match value.kind {
            ValueKind::Nil => {}
            ValueKind::Table(table) => {
                for (key, value) in table {
                    self.flatten(format!("{name}.{key}"), value);
                }
            }
            // A list is a list in the file and comma-separated in a variable.
            ValueKind::Array(items) => {
                let texts: Vec<String> = items.into_iter().map(|item| item.kind.to_string()).collect();
                self.given.insert(name, Given { text: texts.join(","), file });
            }
            scalar => {
                self.given.insert(name, Given { text: scalar.to_string(), file });
            }
        }
    }

    /// A setting, or its default. A bad value is noted, and the default goes on in its place so that the rest is looked at too.
    pub fn take<T>(&mut self, name: &str, default: &str, parse: impl Fn(&str) -> Result<T, String>) -> T {
        let value = self.take_optional(name, &parse);
        #[cfg(test)]
        if let Some((_, asked)) = self.asked.last_mut() {
            *asked = Some(default.to_owned());
        }
        if let Some(value) = value {
            return value;
        }
        match parse(default) {
            Ok(value) => value,
            // The defaults are constants of this program, and a test reads each of them.
            Err(problem) => unreachable!("default of {name}: {problem}"),
        }
    }

    /// A setting that has no default.
    pub fn take_optional<T>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        #[cfg(test)]
        self.asked.push((name.to_owned(), None));
        let given = self.given.remove(name)?;
        match parse(given.text.trim()) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.faults.push(format!("{}: {problem}", place(name, given.file.as_deref())));
                None
            }
        }
    }

    /// Whether a setting was given, and not taken yet.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Takes settings as if they had not been given.
    pub fn leave_out(&mut self, names: &[&str]) {
        self.given.retain(|name, _| !names.contains(&name.as_str()));
    }

    /// Notes what is wrong with a setting that reads well by itself.
    pub fn fault(&mut self, name: &str, problem: &str) {
        self.faults.push(format!("{}: {problem}", place(name, None)));
    }

    /// Everything that is wrong, what nobody took included.
    pub fn faults(self) -> Vec<String> {
        let unknown = self.given.iter().map(|(name, given)| format!("{}: unknown setting", place(name, given.file.as_deref())));
        self.faults.into_iter().chain(unknown).collect()
    }
}

/// A setting's name as its giver knows it.
fn place(name: &str, file: Option<&str>) -> String {
    match file {
        Some(file) => format!("{name} in {file}"),
        None => format!("{name} ({})", variable(name)),
    }
}

/// The variable of a setting.
pub fn variable(name: &str) -> String {
    format!("AMLGRAPH_{}", name.to_ascii_uppercase().replace('.', "__"))
}
