//! Packs: folders of rules with their tests.
//!
//! ```text
//! <id>/rule.toml       what the rule is
//! <id>/rule.cypher     its statement, where it names no kernel
//! <id>/tests/*.toml    small networks, with what the rule finds in them
//! ```

pub(crate) mod fields;

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use crate::fault::{Fault, Faults};
use crate::rule::Rule;
use crate::scenario::Scenario;

/// A rule with its tests.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedRule {
    pub rule: Rule,
    /// By the name of their file.
    pub scenarios: Vec<Scenario>,
}

/// Rules in the order of ids.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pack {
    rules: Vec<PackedRule>,
}

/// A folder that could not be read, or files with faults.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{path} could not be read")]
    Folder { path: String, source: io::Error },
    #[error(transparent)]
    Faults(#[from] Faults),
}

/// The files of the built-in pack: path below the pack, and text.
const BUILT_IN: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

impl Pack {
    /// The rules that the program comes with.
    pub fn built_in() -> Result<Self, Faults> {
        Self::from_files(BUILT_IN.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())))
    }

    /// Reads a folder of rules. Files whose names begin with a dot are left out.
    pub fn load(folder: &Path) -> Result<Self, LoadError> {
        Ok(Self::from_files(files_below(folder)?)?)
    }

    /// Reads files by their paths below the pack, with `/` between folders. All faults of all files are told at once.
    pub fn from_files(files: impl IntoIterator<Item = (String, String)>) -> Result<Self, Faults> {
        let (rules, mut faults) = read_folders(files, read_folder);
        faults.sort();
        if faults.is_empty() { Ok(Self { rules }) } else { Err(Faults(faults)) }
    }

    /// The same rules without some.
    pub fn only(self, is_kept: impl Fn(&Rule) -> bool) -> Self {
        Self { rules: self.rules.into_iter().filter(|packed| is_kept(&packed.rule)).collect() }
    }

    pub fn rules(&self) -> &[PackedRule] {
        &self.rules
    }

    /// The rule of an id.
    pub fn rule(&self, id: &str) -> Option<&PackedRule> {
        self.rules.iter().find(|packed| packed.rule.id == id)
    }
}

/// Reads the folders of a pack, each by itself, from files by their paths below the pack: what was read in the order of the folders, and all faults.
/// `read` is given the folder's name and its files by their paths below it.
pub fn read_folders<T>(
    files: impl IntoIterator<Item = (String, String)>,
    read: impl Fn(&str, &BTreeMap<String, String>) -> Result<T, Vec<Fault>>,
) -> (Vec<T>, Vec<Fault>) {
    let mut folders: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut faults = Vec::new();
    for (path, text) in files {
        match path.split_once('/') {
            Some((folder, rest)) => drop(folders.entry(folder.to_owned()).or_default().insert(rest.to_owned(), text)),
            None if path == "README.md" => {}
            None => faults.push(Fault { file: path, place: String::new(), says: "stands in no rule's folder".to_owned() }),
        }
    }
    let mut rules = Vec::new();
    for (folder, files) in &folders {
        match read(folder, files) {
            Ok(rule) => rules.push(rule),
            Err(found) => faults.extend(found),
        }
    }
    (rules, faults)
}

/// The files of a folder by their paths below it, with `/` between folders, and their texts. Files whose names begin with a dot are left out.
pub fn files_below(folder: &Path) -> Result<BTreeMap<String, String>, LoadError> {
    let mut files = BTreeMap::new();
    collect(folder, "", &mut files).map_err(|source| LoadError::Folder { path: folder.display().to_string(), source })?;
    Ok(files)
}

fn collect(folder: &Path, below: &str, files: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        match entry.path().is_dir() {
            true => collect(&entry.path(), &path, files)?,
            false => drop(files.insert(path, fs::read_to_string(entry.path())?)),
        }
    }
    Ok(())
}

fn read_folder(folder: &str, files: &BTreeMap<String, String>) -> Result<PackedRule, Vec<Fault>> {
    let fault = |path: &str, says: &str| Fault { file: format!("{folder}/{path}"), place: String::new(), says: says.to_owned() };
    let mut faults = Vec::new();
    let rule = match files.get("rule.toml") {
        Some(text) => fields::table(&format!("{folder}/rule.toml"), text).map_err(|fault| vec![fault]).and_then(|table| {
            let statement = files.get("rule.cypher").map(String::as_str);
            Rule::read(folder, &table, statement)
        }),
        None => Err(vec![fault("rule.toml", "is absent; a rule's folder has one")]),
    };
    let mut scenarios = Vec::new();
    for (path, text) in files {
        let name = path.strip_prefix("tests/").and_then(|name| name.strip_suffix(".toml")).filter(|name| !name.contains('/'));
        match (path.as_str(), name) {
            ("rule.toml" | "rule.cypher" | "README.md", _) => {}
            (_, Some(name)) => match Scenario::read(&format!("{folder}/{path}"), name, text, rule.as_ref().ok()) {
                Ok(scenario) => scenarios.push(scenario),
                Err(found) => faults.extend(found),
            },
            _ => faults.push(fault(path, "is no part of a rule; there are rule.toml, rule.cypher, README.md and tests/*.toml")),
        }
    }
    match rule {
        Ok(rule) if faults.is_empty() => Ok(PackedRule { rule, scenarios }),
        Ok(_) => Err(faults),
        Err(found) => Err([found, faults].concat()),
    }
}
