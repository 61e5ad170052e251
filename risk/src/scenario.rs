//! Tests of risk rules: what is known of an actor, and what its score is to add up to.

use std::collections::BTreeMap;

use detection::{Fault, Fields, Quantity, toml_table};

use crate::breakdown::Breakdown;
use crate::facts::{Facts, Input, Kind};
use crate::rule::RiskRule;

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// The name of its file.
    pub name: String,
    /// The file below the pack.
    pub file: String,
    /// What it shows.
    pub says: String,
    pub facts: Facts,
    pub score: Quantity,
    /// What factors contribute; those that are not named contribute nothing.
    pub contributions: BTreeMap<String, Quantity>,
}

impl Scenario {
    pub(crate) fn read(file: &str, name: &str, text: &str) -> Result<Self, Vec<Fault>> {
        let table = toml_table(file, text).map_err(|fault| vec![fault])?;
        let mut fields = Fields::new(file, &table);
        let says = fields.text("says").to_owned();
        let facts = fields.table("facts", read_facts);
        let score = fields.number("score");
        let contributions = fields.numbers("contributions");
        let faults = fields.finish();
        match (facts, score) {
            (Some(facts), Some(score)) if faults.is_empty() => {
                Ok(Self { name: name.to_owned(), file: file.to_owned(), says, facts, score, contributions })
            }
            _ => Err(faults),
        }
    }

    /// How what a rule says differs from what it should say; empty where the test passes.
    pub fn differences(&self, rule: &RiskRule) -> Vec<String> {
        let Breakdown { contributions, score } = rule.evaluate(&self.facts);
        let mut differences = Vec::new();
        if score != self.score {
            differences.push(format!("the score is {score}, not {}", self.score));
        }
        for part in &contributions {
            let expected = self.contributions.get(&part.factor).copied().unwrap_or_default();
            if part.contribution != expected {
                differences.push(format!("{} contributes {}, not {expected}", part.factor, part.contribution));
            }
        }
        let unknown = self.contributions.keys().filter(|name| !rule.factors.contains_key(*name));
        differences.extend(unknown.map(|name| format!("there is no factor {name}")));
        differences
    }
}

fn read_facts(fields: &mut Fields<'_>) -> Facts {
    let mut facts = Facts::default();
    for input in Input::ALL {
        match input.kind() {
            Kind::Texts => facts.add_texts(input, fields.texts(input.name())),
            Kind::Number => {
                if let Some(number) = fields.optional_number(input.name()) {
                    facts.set_number(input, number);
                }
            }
        }
    }
    facts
}
