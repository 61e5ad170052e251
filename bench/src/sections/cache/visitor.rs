//! Somebody who asks about accounts by Zipf's law, and pays now and then.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use cypher::Engine;

use super::zipf::Zipf;
use crate::asked::has_no_errors;
use crate::cell::Work;
use crate::database::write;
use crate::http::{self, Connection};
use crate::payments::{Links, Naming, Network, Random};
use crate::sections::ingest::PATH;
use crate::service::KEY;

/// Of a hundred requests; half of them name the other account by number.
const PAYMENTS: u64 = 5;

/// How a visitor pays.
#[derive(Clone)]
pub enum Pays {
    /// On the connection that he asks on.
    ByRequest,
    /// By the statement that a client writes for himself, as the façade has none for it.
    ByHand(Engine),
}

/// What all visitors share.
#[derive(Clone)]
pub struct Visits {
    pub network: Arc<Network>,
    pub zipf: Arc<Zipf>,
    /// One for each account.
    pub requests: Arc<Vec<Vec<u8>>>,
    pub pays: Pays,
}

/// Visits on one connection.
pub struct Visitor {
    visits: Visits,
    connection: Connection,
    random: Random,
}

impl Visits {
    /// So many visitors; those of another address draw the same.
    pub async fn visitors(&self, address: SocketAddr, connections: usize) -> Result<Vec<Visitor>> {
        let mut visitors = Vec::with_capacity(connections);
        for seed in 0..connections as u64 {
            let connection = Connection::open(address).await?;
            visitors.push(Visitor { visits: self.clone(), connection, random: Random::new(5_000 + seed) });
        }
        Ok(visitors)
    }
}

impl Work for Visitor {
    async fn once(&mut self) -> Result<()> {
        if self.random.below(100) < PAYMENTS {
            return self.pay().await;
        }
        let request = &self.visits.requests[self.visits.zipf.draw(&mut self.random)];
        has_no_errors(self.connection.send_for_success(request).await?)
    }
}

impl Visitor {
    async fn pay(&mut self) -> Result<()> {
        let naming = if self.random.below(2) == 0 { Naming::Id } else { Naming::Number };
        let payment = self.visits.network.payment(naming, &mut self.random);
        match &self.visits.pays {
            Pays::ByRequest => drop(self.connection.send_for_success(&http::post(PATH, KEY, &payment.record)).await?),
            Pays::ByHand(engine) => drop(write(engine, payment.statement(Links::Merged), payment.params()).await?),
        }
        Ok(())
    }
}
