//! The answer to a question, read out of the rows of its statement.

use std::sync::Arc;

use super::row::{FromValue, field};
use super::{Columns, Mismatch, Slice, Step, Visit};
use crate::{Row, Value};

/// A node, and what was asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub id: Arc<str>,
    /// Its caption.
    pub name: Arc<str>,
    /// The ids of its numbers, of accounts of which they were asked for.
    pub numbers: Option<Vec<Arc<str>>>,
    /// The values of its kind's columns, where they were asked for. Shared by all answers that show them.
    summary: Arc<[Value]>,
    /// The record as it was given; placeholders have none.
    pub record: Option<Arc<str>>,
    /// One for each step, in their order.
    pub links: Vec<FoundLink>,
}

/// What was asked of a link.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FoundLink {
    /// In the order they were read; nothing when none were asked for.
    pub rows: Vec<FoundRow>,
    /// How many there are, where it was asked for.
    pub total: Option<i64>,
}

/// One link and the node at its other end.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRow {
    /// Shared by all who are shown it.
    said: Arc<Said>,
    pub node: Arc<Found>,
}

/// What a row has besides its node: its place in the order, and behind so many keys what the link says.
#[derive(Debug, PartialEq)]
struct Said {
    values: Vec<Value>,
    keys: usize,
}

/// About what a node or a row takes in memory besides what is in it: itself, and what is allocated for its parts.
const OF_EACH: usize = size_of::<Found>() + 64;
/// About what a shared text takes besides its bytes.
const OF_TEXT: usize = 32;

impl Found {
    /// One of which nothing but its id and its caption is known.
    pub fn captioned(id: Arc<str>, name: Arc<str>) -> Self {
        Self { id, name, numbers: None, summary: Arc::default(), record: None, links: Vec::new() }
    }

    /// What is shown of it, as its kind has it.
    pub fn summary<S: Columns>(&self) -> Result<S, Mismatch> {
        S::read(&self.summary)
    }

    /// Whether it was asked what is shown of it.
    pub fn has_summary(&self) -> bool {
        !self.summary.is_empty()
    }

    /// The same without what its links lead to.
    #[must_use]
    pub fn alone(&self) -> Self {
        self.with_links(Vec::new())
    }

    /// The same with other links, and without its numbers.
    #[must_use]
    pub fn with_links(&self, links: Vec<FoundLink>) -> Self {
        let (id, name) = (Arc::clone(&self.id), Arc::clone(&self.name));
        Self { id, name, numbers: None, summary: Arc::clone(&self.summary), record: self.record.clone(), links }
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let record = self.record.as_ref().map_or(0, |record| record.len());
        let numbers: usize = self.numbers.iter().flatten().map(|number| OF_TEXT + number.len()).sum();
        let links: usize = self.links.iter().map(FoundLink::size).sum();
        OF_EACH + self.id.len() + self.name.len() + numbers + size_of_values(&self.summary) + record + links
    }
}

impl FoundLink {
    fn size(&self) -> usize {
        size_of::<Self>() + self.rows.iter().map(FoundRow::size).sum::<usize>()
    }
}

impl FoundRow {
    /// Its place in the order.
    pub fn keys(&self) -> &[Value] {
        &self.said.values[..self.said.keys]
    }

    /// What the link says.
    pub fn edge<E: Columns>(&self) -> Result<E, Mismatch> {
        E::read(&self.said.values[self.said.keys..])
    }

    /// The same that leads to a node of which more or less is known.
    #[must_use]
    pub fn leading_to(&self, node: Arc<Found>) -> Self {
        Self { said: Arc::clone(&self.said), node }
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        OF_EACH + size_of_values(&self.said.values) + self.node.size()
    }
}

/// About how many bytes values take.
fn size_of_values(values: &[Value]) -> usize {
    values.iter().map(Value::size_in_memory).sum()
}

/// The columns of a node or link, taken one after the other.
struct Taking {
    values: std::vec::IntoIter<Value>,
}

impl Taking {
    fn next(&mut self, column: &'static str) -> Result<Value, Mismatch> {
        self.values.next().ok_or(Mismatch { column, problem: "missing" })
    }

    fn some(&mut self, count: usize, column: &'static str) -> Result<Vec<Value>, Mismatch> {
        let values: Vec<Value> = self.values.by_ref().take(count).collect();
        if values.len() == count { Ok(values) } else { Err(Mismatch { column, problem: "missing" }) }
    }

    fn list(&mut self, column: &'static str) -> Result<Vec<Value>, Mismatch> {
        match self.next(column)? {
            Value::List(values) => Ok(values),
            _ => Err(Mismatch { column, problem: "of another type" }),
        }
    }

    /// Nothing may be left: what was not asked for is as wrong as what is missing.
    fn end(mut self, column: &'static str) -> Result<(), Mismatch> {
        match self.values.next() {
            None => Ok(()),
            Some(_) => Err(Mismatch { column, problem: "one too many" }),
        }
    }
}

/// Where it was begun, and what was found there.
pub type Start = (Arc<str>, Arc<Found>);

impl Visit {
    /// Reads a row of the statement that this question was composed to.
    pub fn read(&self, mut row: Row) -> Result<Start, Mismatch> {
        let id = field(&[row.take("id")], 0, "id")?;
        match row.take("found") {
            Value::List(values) => Ok((id, Arc::new(self.read_node(Taking { values: values.into_iter() })?))),
            _ => Err(Mismatch { column: "found", problem: "missing" }),
        }
    }

    fn read_node(&self, mut columns: Taking) -> Result<Found, Mismatch> {
        let id: Arc<str> = field(&[columns.next("id")?], 0, "id")?;
        // What payments have only named may lie there without a caption.
        let name = Option::<Arc<str>>::from_value(&columns.next("name")?).flatten().unwrap_or_else(|| Arc::clone(&id));
        let numbers = if self.numbers { Some(columns.list("numbers")?.iter().map(number).collect::<Result<_, _>>()?) } else { None };
        let summary = if self.summary { columns.some(self.node.summary.len(), "summary")?.into() } else { Arc::default() };
        let record = match self.node.record {
            Some(name) if self.record => field(&[columns.next(name)?], 0, name)?,
            _ => None,
        };
        let links = self.steps.iter().map(|step| step.read(&mut columns)).collect::<Result<_, _>>()?;
        columns.end("found")?;
        Ok(Found { id, name, numbers, summary, record, links })
    }
}

/// The id of a number, in its list.
fn number(value: &Value) -> Result<Arc<str>, Mismatch> {
    field(value.as_list(), 0, "numbers")
}

impl Step {
    /// Reads the row of a list's page.
    pub fn read_page(&self, slice: &Slice, mut row: Row) -> Result<Vec<FoundRow>, Mismatch> {
        match row.take("found") {
            Value::List(rows) => rows.into_iter().map(|row| self.read_row(slice, row)).collect(),
            _ => Err(Mismatch { column: "found", problem: "missing" }),
        }
    }

    fn read(&self, columns: &mut Taking) -> Result<FoundLink, Mismatch> {
        let name = self.link.name;
        let total = if self.counted { Some(field(&[columns.next(name)?], 0, name)?) } else { None };
        let rows = match &self.slice {
            Some(slice) => columns.list(name)?.into_iter().map(|row| self.read_row(slice, row)).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        Ok(FoundLink { rows, total })
    }

    fn read_row(&self, slice: &Slice, row: Value) -> Result<FoundRow, Mismatch> {
        let name = self.link.name;
        let Value::List(values) = row else { return Err(Mismatch { column: name, problem: "of another type" }) };
        let mut columns = Taking { values: values.into_iter() };
        let keys = slice.keys().len();
        let values = columns.some(keys + self.link.edge.len(), name)?;
        Ok(FoundRow { said: Arc::new(Said { values, keys }), node: Arc::new(self.then.read_node(columns)?) })
    }
}
