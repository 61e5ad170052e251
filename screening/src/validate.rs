//! The report that a validation team asks for: how many changed names of its own list are found, at which rank, and how many people on no
//! list are told, by treatment and over all thresholds.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use csv::Writer;

use crate::evidence::Facts;
use crate::files::Failure;
use crate::index::Index;
use crate::list::{Entry, Query};
use crate::mutate::{Dice, Treatment};
use crate::scoring::Scoring;
use crate::words::words;

/// How many ranks are told apart.
pub const RANKS: usize = 5;
/// After this many tries for each query that is wanted, a list has no more names to which a treatment applies.
const TRIES: usize = 30;

/// What is to be tried.
pub struct Plan {
    /// The same seed tries the same names.
    pub seed: u64,
    /// Queries for each treatment.
    pub each: usize,
    /// How names are scored; the threshold that is shipped is that of this scoring.
    pub scoring: Scoring,
    /// A threshold that the report has besides those of the curve.
    pub threshold: f32,
}

/// Where the right entry was, and with which score; none where it was not among the first.
type Found = Option<(usize, f32)>;

/// What came out for one treatment.
struct Tried {
    treatment: Treatment,
    found: Vec<Found>,
    /// Queries that were left out, as their words are those of another entry.
    apart: usize,
}

/// What came out.
pub struct Report {
    tried: Vec<Tried>,
    /// The best score of each person that is on no list.
    people: Vec<f32>,
    shipped: f32,
    threshold: f32,
}

/// Tries each treatment on names of the list, and the people who are on no list.
pub fn validate(entries: &[Entry], people: &[Query], plan: &Plan) -> Report {
    let index = Index::new(entries.iter().cloned()).scored_by(plan.scoring);
    let mut searcher = index.searcher();
    let owners = owners(entries);
    let mut dice = Dice::new(plan.seed);
    let mut tried = Vec::new();
    for treatment in Treatment::ALL {
        let mut now = Tried { treatment, found: Vec::new(), apart: 0 };
        for _ in 0..plan.each * TRIES {
            if now.found.len() == plan.each || entries.is_empty() {
                break;
            }
            let entry = &entries[dice.below(entries.len())];
            let given = &entry.names[dice.below(entry.names.len())];
            let Some(name) = treatment.applies_to(entry.kind()).then(|| treatment.apply(given, &mut dice)).flatten() else { continue };
            if owners.get(&folded(&name)).is_some_and(|owners| owners.iter().any(|owner| *owner != entry.id)) {
                now.apart += 1;
                continue;
            }
            let query = Query { id: entry.id.clone(), name, kind: entry.kind(), facts: Facts::default() };
            let hits = searcher.search(&query, RANKS);
            now.found.push(hits.iter().position(|hit| hit.id == entry.id).map(|rank| (rank, hits[rank].score)));
        }
        tried.push(now);
    }
    let people = people.iter().map(|query| searcher.search(query, 1).first().map_or(0.0, |hit| hit.score)).collect();
    Report { tried, people, shipped: plan.scoring.threshold(), threshold: plan.threshold }
}

/// Who has a name, by its words in any order.
fn owners(entries: &[Entry]) -> HashMap<String, HashSet<&str>> {
    let mut owners: HashMap<String, HashSet<&str>> = HashMap::new();
    for entry in entries {
        for name in &entry.names {
            owners.entry(folded(name)).or_default().insert(&entry.id);
        }
    }
    owners
}

fn folded(name: &str) -> String {
    let mut words: Vec<String> = words(name).into_iter().map(|word| word.text).collect();
    words.sort_unstable();
    words.join(" ")
}

impl Report {
    /// The report as CSV: a line for each threshold and treatment, and one for all treatments together.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(&self, output: impl Write) -> Result<(), Failure> {
        let mut writer = Writer::from_writer(output);
        let ranks = (1..=RANKS).map(|rank| format!("recall_at_{rank}"));
        let columns = ["threshold", "shipped", "treatment", "queries", "not_told_apart"].map(str::to_owned).into_iter();
        writer.write_record(columns.chain(ranks).chain(["people", "false_alerts"].map(str::to_owned)))?;
        for threshold in self.thresholds() {
            let all: Vec<Found> = self.tried.iter().flat_map(|tried| &tried.found).copied().collect();
            let apart = self.tried.iter().map(|tried| tried.apart).sum();
            for tried in &self.tried {
                writer.write_record(self.line(threshold, tried.treatment.name(), &tried.found, tried.apart))?;
            }
            writer.write_record(self.line(threshold, "all", &all, apart))?;
        }
        Ok(writer.flush()?)
    }

    /// 0.50 to 0.98, the shipped one, and the one that was asked for, each once.
    fn thresholds(&self) -> Vec<f32> {
        let curve = (25..50).map(|step| f32::from(step as u8) / 50.0);
        let mut thresholds: Vec<f32> = curve.chain([self.shipped, self.threshold]).collect();
        thresholds.sort_by(f32::total_cmp);
        thresholds.dedup_by(|one, other| (*one - *other).abs() < 1e-5);
        thresholds
    }

    fn line(&self, threshold: f32, treatment: &str, found: &[Found], apart: usize) -> Vec<String> {
        let shipped = if (threshold - self.shipped).abs() < 1e-5 { "true" } else { "false" };
        let mut line = vec![format!("{threshold:.2}"), shipped.into(), treatment.into(), found.len().to_string(), apart.to_string()];
        for rank in 0..RANKS {
            let within = found.iter().flatten().filter(|(at, score)| *at <= rank && *score >= threshold).count();
            line.push(share(within, found.len()));
        }
        let told = self.people.iter().filter(|score| **score >= threshold).count();
        line.extend([self.people.len().to_string(), share(told, self.people.len())]);
        line
    }
}

/// Empty where there is nothing of which it could be a share.
fn share(part: usize, of: usize) -> String {
    if of == 0 { String::new() } else { format!("{:.4}", part as f64 / of as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::{read_queries, read_simple};

    #[test]
    fn a_report_has_each_treatment_at_each_threshold_and_is_the_same_again() {
        let list =
            "id,schema,name\n1,Person,Kamchybek Asanbekovich Kolbayev\n2,Person,Valentina Ivanovna Matviyenko\n3,Company,Roseville Investments\n";
        let people = "id,name,schema\na,Ingeborg Abrahamsen,Person\n";
        let entries = read_simple(list.as_bytes()).expect("a list").items;
        let people = read_queries(people.as_bytes()).expect("people").items;
        let report = |seed| {
            let mut out = Vec::new();
            validate(&entries, &people, &Plan { seed, each: 5, scoring: Scoring::Standard, threshold: 0.91 }).write(&mut out).expect("written");
            String::from_utf8(out).expect("text")
        };
        let text = report(1);
        assert_eq!(text, report(1));
        assert_ne!(text, report(2));
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!((lines.len() - 1) % (Treatment::ALL.len() + 1), 0);
        assert!(lines.iter().any(|line| line[0] == "0.91" && line[2] == "all"));
        let unchanged = lines.iter().find(|line| line[1] == "true" && line[2] == "unchanged").expect("the shipped threshold");
        assert_eq!((unchanged[3], unchanged[9], unchanged[11]), ("5", "1.0000", "0.0000"));
    }
}
