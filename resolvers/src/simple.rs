//! Writes of one statement: what most operations are. Audit entries and events are appended in the same transaction.

use std::collections::HashMap;

use cypher::{Engine, Error, Params, Row, Statement, Transaction, statements};

use crate::batcher::Operation;
use crate::trail::Trail;

/// One row for the statement.
pub struct SimpleWrite {
    /// What it is about: two writes with one key take turns.
    pub key: String,
    pub row: cypher::Value,
    pub trail: Trail,
}

/// What the statement answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// Nothing; every row is done.
    Nothing,
    /// A row with a column `key` for each row that changed something; the others leave no trail.
    Changed,
}

/// Writes by one statement.
pub struct Simple {
    pub statement: Statement,
    pub answers: Answers,
}

impl Operation for Simple {
    type Row = SimpleWrite;
    /// The statement's row for this key, if it answered with one.
    type Answer = Option<Row>;

    fn name(&self) -> &'static str {
        self.statement.label
    }

    fn key(row: &SimpleWrite) -> &str {
        &row.key
    }

    fn size(row: &SimpleWrite) -> usize {
        row.row.size() + 500
    }

    async fn apply(&self, engine: &Engine, rows: &[&SimpleWrite], answers: &mut [Option<Option<Row>>]) -> Result<(), Error> {
        let mut transaction = engine.begin().await?;
        match self.write_in(&mut transaction, rows).await {
            Ok(answered) => {
                transaction.commit().await?;
                answers.iter_mut().zip(answered).for_each(|(answer, answered)| *answer = Some(answered));
                Ok(())
            }
            Err(error) => {
                transaction.rollback().await;
                Err(error)
            }
        }
    }
}

impl Simple {
    async fn write_in(&self, transaction: &mut Transaction, rows: &[&SimpleWrite]) -> Result<Vec<Option<Row>>, Error> {
        let given = rows.iter().map(|row| row.row.clone()).collect();
        let answered = transaction.run(self.statement, Params::rows(given)).await?;
        let mut by_key: HashMap<String, Row> = answered.into_iter().map(|row| (row.text("key"), row)).collect();
        let answers: Vec<Option<Row>> = rows.iter().map(|row| by_key.remove(&row.key)).collect();
        let trails = rows.iter().zip(&answers).filter(|(_, answer)| self.answers == Answers::Nothing || answer.is_some());
        let trails: Vec<_> = trails.map(|(row, _)| row.trail.row()).collect();
        if !trails.is_empty() {
            transaction.run(statements::audit_and_outbox::APPEND, Params::rows(trails)).await?;
        }
        Ok(answers)
    }
}
