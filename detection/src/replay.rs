//! Replays of findings: whether the necessary payments are what they are said to be.

use std::collections::HashMap;

use analytics::PaymentIndex;
use serde::Serialize;

use crate::dataset::Dataset;
use crate::day::Day;
use crate::finding::{Evidence, Finding, replays};
use crate::rule::{Rule, Settings};

/// What a rule does with the necessary payments of a finding, and the history that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// Whether it fires with them alone.
    pub fires: bool,
    /// Of these it does not need each: it fires without it as well. None, where the evidence is as small as it is to be.
    pub not_needed: Vec<String>,
}

/// A finding cites a payment that the dataset does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is cited and not there")]
pub struct NotThere(pub String);

/// A dataset whose payments are found by the records that findings cite.
pub struct Elements<'a> {
    dataset: &'a Dataset,
    places: HashMap<&'a str, PaymentIndex>,
}

impl<'a> Elements<'a> {
    pub fn of(dataset: &'a Dataset) -> Self {
        let places = dataset.network().payments().map(|payment| (dataset.payment(payment).records.leading(), payment));
        Self { dataset, places: places.collect() }
    }

    pub fn dataset(&self) -> &'a Dataset {
        self.dataset
    }

    /// Runs a rule over the necessary payments of a finding that it had with these settings on this day, and over all of them but one each.
    pub fn replay(&self, rule: &Rule, day: Day, settings: &Settings, finding: &Finding) -> Result<Replay, NotThere> {
        let place = |leading: &str| self.places.get(leading).copied().ok_or_else(|| NotThere(leading.to_owned()));
        let necessary: Vec<&str> = finding.evidence(Evidence::Necessary).map(|payment| payment.leading()).collect();
        let mut places = necessary.iter().map(|leading| place(leading)).collect::<Result<Vec<_>, _>>()?;
        let fires = |mut places: Vec<PaymentIndex>| {
            places.sort_unstable();
            replays(rule, &self.dataset.subset(&places), day, settings, &finding.actor, &finding.history)
        };
        let mut not_needed = Vec::new();
        for (spared, leading) in necessary.iter().enumerate() {
            let without = places.remove(spared);
            if fires(places.clone()) {
                not_needed.push((*leading).to_owned());
            }
            places.insert(spared, without);
        }
        Ok(Replay { fires: fires(places), not_needed })
    }
}
