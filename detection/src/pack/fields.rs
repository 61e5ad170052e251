//! Reads a table of a TOML file key by key, and gathers all faults.

use std::collections::BTreeMap;
use std::str::FromStr;

use toml::{Table, Value};

use crate::fault::Fault;
use crate::quantity::Quantity;

/// A table, the keys that were asked for, and the faults so far.
pub struct Fields<'a> {
    file: &'a str,
    /// The table's own key, with a dot behind it, or nothing.
    path: String,
    table: &'a Table,
    known: Vec<&'static str>,
    faults: Vec<Fault>,
}

/// Parses the text of a file; a fault names the line.
pub fn table(file: &str, text: &str) -> Result<Table, Fault> {
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map(|span| text.get(..span.start).unwrap_or(text).matches('\n').count() + 1);
        let place = line.map_or_else(String::new, |line| format!("line {line}"));
        Fault { file: file.to_owned(), place, says: format!("is no TOML: {}", error.message()) }
    })
}

impl<'a> Fields<'a> {
    pub fn new(file: &'a str, table: &'a Table) -> Self {
        Self { file, path: String::new(), table, known: Vec::new(), faults: Vec::new() }
    }

    /// Tells a fault of a key.
    pub fn fault(&mut self, key: &str, says: impl Into<String>) {
        self.faults.push(Fault { file: self.file.to_owned(), place: format!("{}{key}", self.path), says: says.into() });
    }

    /// All faults, those of keys that nobody asked for included.
    pub fn finish(mut self) -> Vec<Fault> {
        let unknown: Vec<&String> = self.table.keys().filter(|key| !self.known.contains(&key.as_str())).collect();
        for key in unknown {
            let known = self.known.join(", ");
            self.fault(key, format!("there is no such key; there are {known}"));
        }
        self.faults
    }

    /// The value of a key that may be absent.
    pub fn optional(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.table.get(key)
    }

    /// The value of a key that must be there.
    fn required(&mut self, key: &'static str, wanted: &str) -> Option<&'a Value> {
        let value = self.optional(key);
        if value.is_none() {
            self.fault(key, format!("is absent; it must be {wanted}"));
        }
        value
    }

    /// A text that is not empty. After a fault it is empty, and nothing is made of it.
    pub fn text(&mut self, key: &'static str) -> &'a str {
        let Some(value) = self.required(key, "a text") else { return "" };
        self.as_text(key, value).unwrap_or_default()
    }

    pub fn optional_text(&mut self, key: &'static str) -> Option<&'a str> {
        let value = self.optional(key)?;
        self.as_text(key, value)
    }

    fn as_text(&mut self, key: &str, value: &'a Value) -> Option<&'a str> {
        let text = value.as_str().map(str::trim).filter(|text| !text.is_empty());
        if text.is_none() {
            self.fault(key, "must be a text that is not empty");
        }
        text
    }

    /// A text that says one of several values.
    pub fn one_of<T: Copy>(&mut self, key: &'static str, values: &[(&str, T)]) -> Option<T> {
        let text = self.text(key);
        let found = values.iter().find(|(name, _)| *name == text).map(|&(_, value)| value);
        if found.is_none() && !text.is_empty() {
            let names: Vec<&str> = values.iter().map(|&(name, _)| name).collect();
            self.fault(key, format!("is {text:?}; it may be {}", names.join(", ")));
        }
        found
    }

    /// A text of a type that parses itself.
    pub fn parsed<T: FromStr<Err: std::fmt::Display>>(&mut self, key: &'static str) -> Option<T> {
        let text = self.text(key);
        match text.parse() {
            Ok(value) => Some(value),
            Err(_) if text.is_empty() => None,
            Err(error) => {
                self.fault(key, format!("{error}"));
                None
            }
        }
    }

    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        let Some(value) = self.optional(key) else { return Vec::new() };
        let texts = value.as_array().map(|values| values.iter().map(Value::as_str).collect::<Option<Vec<&str>>>());
        let Some(Some(texts)) = texts else {
            self.fault(key, "must be a list of texts");
            return Vec::new();
        };
        texts.into_iter().map(str::to_owned).collect()
    }

    pub fn number(&mut self, key: &'static str) -> Option<Quantity> {
        let value = self.required(key, "a number")?;
        self.as_number(key, value)
    }

    /// A number that may be absent.
    pub fn optional_number(&mut self, key: &'static str) -> Option<Quantity> {
        let value = self.optional(key)?;
        self.as_number(key, value)
    }

    fn as_number(&mut self, key: &str, value: &Value) -> Option<Quantity> {
        let number = number(value);
        if number.is_none() {
            self.fault(key, "must be a decimal number with at most nine decimals");
        }
        number
    }

    /// A table of numbers; empty where it is absent.
    pub fn numbers(&mut self, key: &'static str) -> BTreeMap<String, Quantity> {
        let Some(value) = self.optional(key) else { return BTreeMap::new() };
        let Some(table) = value.as_table() else {
            self.fault(key, "must be a table of numbers");
            return BTreeMap::new();
        };
        let mut numbers = BTreeMap::new();
        for (name, value) in table {
            if let Some(number) = self.as_number(&format!("{key}.{name}"), value) {
                numbers.insert(name.clone(), number);
            }
        }
        numbers
    }

    pub fn flag(&mut self, key: &'static str) -> bool {
        let Some(value) = self.optional(key) else { return false };
        if value.as_bool().is_none() {
            self.fault(key, "must be true or false");
        }
        value.as_bool().unwrap_or(false)
    }

    /// Reads a table below a key.
    pub fn table<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Fields<'a>) -> T) -> Option<T> {
        match self.required(key, "a table")?.as_table() {
            Some(table) => Some(self.below(key, table, read)),
            None => {
                self.fault(key, "must be a table");
                None
            }
        }
    }

    /// Reads each table below a key by its name.
    pub fn tables<T>(&mut self, key: &'static str, mut read: impl FnMut(&str, &mut Fields<'a>) -> T) -> BTreeMap<String, T> {
        let Some(tables) = self.required(key, "a table of tables") else { return BTreeMap::new() };
        let Some(tables) = tables.as_table() else {
            self.fault(key, "must be a table of tables");
            return BTreeMap::new();
        };
        let mut found = BTreeMap::new();
        for (name, value) in tables {
            let below = format!("{key}.{name}");
            match value.as_table() {
                Some(table) => drop(found.insert(name.clone(), self.below(&below, table, |fields| read(name, fields)))),
                None => self.fault(&below, "must be a table"),
            }
        }
        found
    }

    /// Reads each table of a list.
    pub fn list<T>(&mut self, key: &'static str, mut read: impl FnMut(&mut Fields<'a>) -> T) -> Vec<T> {
        let Some(value) = self.optional(key) else { return Vec::new() };
        let Some(values) = value.as_array() else {
            self.fault(key, "must be a list of tables");
            return Vec::new();
        };
        let mut found = Vec::with_capacity(values.len());
        for (place, value) in values.iter().enumerate() {
            let below = format!("{key}[{place}]");
            match value.as_table() {
                Some(table) => found.push(self.below(&below, table, &mut read)),
                None => self.fault(&below, "must be a table"),
            }
        }
        found
    }

    fn below<T>(&mut self, key: &str, table: &'a Table, read: impl FnOnce(&mut Fields<'a>) -> T) -> T {
        let mut fields = Fields { file: self.file, path: format!("{}{key}.", self.path), table, known: Vec::new(), faults: Vec::new() };
        let value = read(&mut fields);
        self.faults.extend(fields.finish());
        value
    }
}

/// A number of a TOML file as the decimal that stands there.
fn number(value: &Value) -> Option<Quantity> {
    match value {
        Value::Integer(number) => number.to_string().parse().ok(),
        // The shortest text that reads as the same number is the one that was written, up to fifteen digits.
        Value::Float(number) => number.to_string().parse().ok(),
        _ => None,
    }
}
