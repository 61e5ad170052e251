//! A transaction as changes see it: they run statements and can neither begin, commit nor roll back.
//!
//! It begins with the first statement that has to be answered. The last statement that only writes is put off until the end, where it takes the
//! trail with it; a unit that consists of that one statement is sent as a transaction of its own: one trip to the database.

use std::time::Duration;

use cypher::{Engine, Error, Params, Reading, Transaction, WriteStatement, statements};
use serde::de::DeserializeOwned;

use super::Trail;
use crate::jobs::Waker;
use crate::{change_feed, delivery};

/// One transaction in the making.
pub struct UnitOfWork {
    engine: Engine,
    /// How long its statements may take together.
    limit: Duration,
    transaction: Option<Transaction>,
    last: Option<(WriteStatement, Params)>,
    waker: Waker,
    /// Jobs that have something to do once it is committed.
    to_wake: Vec<&'static str>,
}

impl UnitOfWork {
    pub(super) fn new(engine: Engine, waker: Waker, limit: Duration) -> Self {
        Self { engine, limit, transaction: None, last: None, waker, to_wake: Vec::new() }
    }

    /// Wakes a job once the transaction is committed.
    pub fn wake(&mut self, job: &'static str) {
        self.to_wake.push(job);
    }

    /// Runs a statement now, after all that was put off; answers with its rows.
    pub async fn run<R: DeserializeOwned>(&mut self, reading: Reading<R>, params: Params) -> Result<Vec<R>, Error> {
        self.catch_up().await?;
        self.transaction().await?.run_as(reading, params).await
    }

    /// Runs a statement that only writes, at the latest when the next one is run or the transaction ends.
    pub async fn put(&mut self, statement: WriteStatement, params: Params) -> Result<(), Error> {
        self.catch_up().await?;
        self.last = Some((statement, params));
        Ok(())
    }

    async fn catch_up(&mut self) -> Result<(), Error> {
        let Some((statement, params)) = self.last.take() else { return Ok(()) };
        self.transaction().await?.put(statement.statement(), Trail::default().with(params)).await
    }

    async fn transaction(&mut self) -> Result<&mut Transaction, Error> {
        if self.transaction.is_none() {
            self.transaction = Some(self.engine.begin_within(self.limit).await?);
        }
        match &mut self.transaction {
            Some(transaction) => Ok(transaction),
            None => unreachable!("it has just begun"),
        }
    }

    /// Makes all of it durable, with its trail, or nothing.
    pub(super) async fn finish(mut self, trail: Trail) -> Result<(), Error> {
        if !trail.events.is_empty() {
            self.wake(delivery::EVENTS_JOB);
        }
        if !trail.is_empty() {
            self.wake(change_feed::JOB);
        }
        let (waker, to_wake) = (self.waker.clone(), std::mem::take(&mut self.to_wake));
        self.end(trail).await?;
        to_wake.into_iter().for_each(|job| waker.wake(job));
        Ok(())
    }

    async fn end(mut self, trail: Trail) -> Result<(), Error> {
        let last = match self.last.take() {
            Some((statement, params)) => Some((statement.statement(), trail.with(params))),
            None if trail.is_empty() => None,
            None => Some((statements::trail::APPEND, trail.with(Params::none()))),
        };
        match (self.transaction.take(), last) {
            (None, None) => Ok(()),
            (None, Some((statement, params))) => self.engine.write_within(statement, params, self.limit).await.map(drop),
            (Some(transaction), None) => transaction.commit().await,
            (Some(mut transaction), Some((statement, params))) => match transaction.put(statement, params).await {
                Ok(()) => transaction.commit().await,
                Err(error) => {
                    transaction.rollback().await;
                    Err(error)
                }
            },
        }
    }

    /// Undoes all of it.
    pub(super) async fn abandon(self) {
        if let Some(transaction) = self.transaction {
            transaction.rollback().await;
        }
    }
}
