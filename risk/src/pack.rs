//! Packs: folders of risk rules with their tests.
//!
//! ```text
//! <id>/rule.toml       the rule
//! <id>/tests/*.toml    what is known of actors, and what their scores are to add up to
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use detection::{Fault, Faults, LoadError, Status, files_below, read_folders, toml_table};

use crate::rule::{ActorType, RiskRule};
use crate::scenario::Scenario;

/// A rule with its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedRule {
    pub rule: RiskRule,
    /// By the name of their file.
    pub scenarios: Vec<Scenario>,
}

/// Rules in the order of ids. At most one that is live scores a type of actor, and all that are live damp the network alike.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pack {
    rules: Vec<PackedRule>,
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
        faults.extend(rivals(&rules));
        faults.sort();
        if faults.is_empty() { Ok(Self { rules }) } else { Err(Faults(faults)) }
    }

    pub fn rules(&self) -> &[PackedRule] {
        &self.rules
    }

    /// The live rule of a type of actor.
    pub fn live(&self, kind: ActorType) -> Option<&RiskRule> {
        self.rules.iter().map(|packed| &packed.rule).find(|rule| rule.status == Status::Live && rule.is_for(kind))
    }
}

/// Live rules that score a type of actor which a live rule before them scores, too, or damp the network otherwise.
fn rivals(rules: &[PackedRule]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for kind in ActorType::ALL {
        let mut live = rules.iter().map(|packed| &packed.rule).filter(|rule| rule.status == Status::Live && rule.is_for(kind));
        let Some(first) = live.next() else { continue };
        faults.extend(live.map(|rule| Fault {
            file: format!("{}/rule.toml", rule.id),
            place: "scores".to_owned(),
            says: format!("has {}, which the live rule {} scores; of live rules one scores a type of actor", kind.word(), first.id),
        }));
    }
    let mut live = rules.iter().map(|packed| &packed.rule).filter(|rule| rule.status == Status::Live);
    if let Some(first) = live.next() {
        faults.extend(live.filter(|rule| rule.network.damping != first.network.damping).map(|rule| Fault {
            file: format!("{}/rule.toml", rule.id),
            place: "network.damping".to_owned(),
            says: format!("is {}; the live rule {} has {}, and there is one network", rule.network.damping, first.id, first.network.damping),
        }));
    }
    faults
}

fn read_folder(folder: &str, files: &BTreeMap<String, String>) -> Result<PackedRule, Vec<Fault>> {
    let fault = |path: &str, says: &str| Fault { file: format!("{folder}/{path}"), place: String::new(), says: says.to_owned() };
    let mut faults = Vec::new();
    let rule = match files.get("rule.toml") {
        Some(text) => {
            let table = toml_table(&format!("{folder}/rule.toml"), text).map_err(|fault| vec![fault]);
            table.and_then(|table| RiskRule::read(folder, &table))
        }
        None => Err(vec![fault("rule.toml", "is absent; a rule's folder has one")]),
    };
    let mut scenarios = Vec::new();
    for (path, text) in files {
        let name = path.strip_prefix("tests/").and_then(|name| name.strip_suffix(".toml")).filter(|name| !name.contains('/'));
        match (path.as_str(), name) {
            ("rule.toml" | "README.md", _) => {}
            (_, Some(name)) => match Scenario::read(&format!("{folder}/{path}"), name, text) {
                Ok(scenario) => scenarios.push(scenario),
                Err(found) => faults.extend(found),
            },
            _ => faults.push(fault(path, "is no part of a risk rule; there are rule.toml, README.md and tests/*.toml")),
        }
    }
    match rule {
        Ok(rule) if faults.is_empty() => Ok(PackedRule { rule, scenarios }),
        Ok(_) => Err(faults),
        Err(found) => Err([found, faults].concat()),
    }
}
