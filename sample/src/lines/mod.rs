//! Rows as lines of the import format: the names of the bulk lists, one JSON object a line, one line for each row.

mod accounts;
mod devices;
mod parties;
mod payments;

use serde::Serialize;

pub(crate) use accounts::{account_actors, accounts};
pub(crate) use devices::{devices, sign_ins};
pub(crate) use parties::{actors, associates};
pub(crate) use payments::transactions;

/// Where every record says it comes from.
const DATA_SOURCE: &str = "LDBC FinBench";

/// The lines of one list.
pub(crate) struct Lines<'a> {
    pub(crate) length: usize,
    pub(crate) texts: Box<dyn Iterator<Item = String> + Send + 'a>,
}

impl<'a> Lines<'a> {
    fn of<Line: Serialize>(length: usize, records: impl Iterator<Item = Line> + Send + 'a) -> Self {
        Self { length, texts: Box::new(records.map(|record| text(&record))) }
    }
}

fn text(record: &impl Serialize) -> String {
    // The lines are structs of text, numbers and booleans: none of what JSON can't say.
    serde_json::to_string(record).expect("a line is JSON")
}
