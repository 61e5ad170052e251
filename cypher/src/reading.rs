//! A statement together with the type of its rows.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::read_row::{columns, read_row, read_rows};
use crate::{Error, Row, Statement};

/// A statement whose rows are read into `R`: one field for each of its columns, under the column's name.
pub struct Reading<R> {
    statement: Statement,
    row: PhantomData<fn() -> R>,
}

impl<R> Reading<R> {
    /// A statement of a given label and text; used by the catalogue and by tests.
    pub const fn new(label: &'static str, text: &'static str) -> Self {
        Self { statement: Statement::new(label, text), row: PhantomData }
    }

    pub const fn label(self) -> &'static str {
        self.statement.label
    }

    pub const fn statement(self) -> Statement {
        self.statement
    }
}

impl<R: DeserializeOwned> Reading<R> {
    /// Reads the statement's answer.
    pub fn rows(self, rows: Vec<Row>) -> Result<Vec<R>, Error> {
        read_rows(self.statement, rows)
    }

    /// Reads one row of it.
    pub fn row(self, row: Row) -> Result<R, Error> {
        read_row(self.statement, row)
    }

    /// The row of an answer that always has one.
    pub fn first(self, rows: Vec<R>) -> Result<R, Error> {
        rows.into_iter().next().ok_or_else(|| Error::rejected(self.statement.label, "no row"))
    }

    /// The statement and what is known of its rows, for the tests that look at them all.
    pub const fn known(self) -> KnownReading {
        KnownReading { statement: self.statement, columns: columns::<R>, read: |statement, rows| read_rows::<R>(statement, rows).map(drop) }
    }
}

impl<R> Clone for Reading<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Reading<R> {}

impl<R> fmt::Debug for Reading<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.statement.fmt(formatter)
    }
}

/// A [`Reading`] with its type forgotten.
#[derive(Debug, Clone, Copy)]
pub struct KnownReading {
    pub statement: Statement,
    columns: fn() -> &'static [&'static str],
    read: fn(Statement, Vec<Row>) -> Result<(), Error>,
}

impl KnownReading {
    /// The columns that its struct takes.
    pub fn columns(&self) -> &'static [&'static str] {
        (self.columns)()
    }

    /// Whether rows can be read.
    pub fn check(&self, rows: Vec<Row>) -> Result<(), Error> {
        (self.read)(self.statement, rows)
    }
}
