//! Somebody who asks about accounts by Zipf's law, and pays now and then.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;

use super::zipf::Zipf;
use crate::asked::has_no_errors;
use crate::cell::Work;
use crate::http::{self, Connection};
use crate::payments::network::Network;
use crate::payments::{Naming, Random};
use crate::sections::ingest::PATH;
use crate::service::KEY;

/// Of a hundred requests; half of them name the other account by number.
const PAYMENTS: u64 = 5;

/// What all visitors share.
#[derive(Clone)]
pub struct Visits {
    pub network: Arc<Network>,
    pub zipf: Arc<Zipf>,
    /// One for each account.
    pub requests: Arc<Vec<Vec<u8>>>,
    /// Where they pay, when not where they ask.
    pub till: Option<SocketAddr>,
}

/// Visits on one connection.
pub struct Visitor {
    visits: Visits,
    connection: Connection,
    till: Option<Connection>,
    random: Random,
}

impl Visits {
    /// So many visitors; those of another address draw the same.
    pub async fn visitors(&self, address: SocketAddr, connections: usize) -> Result<Vec<Visitor>> {
        let mut visitors = Vec::with_capacity(connections);
        for seed in 0..connections as u64 {
            let connection = Connection::open(address).await?;
            let till = match self.till {
                Some(address) => Some(Connection::open(address).await?),
                None => None,
            };
            visitors.push(Visitor { visits: self.clone(), connection, till, random: Random::new(5_000 + seed) });
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
        let connection = self.till.as_mut().unwrap_or(&mut self.connection);
        connection.send_for_success(&http::post(PATH, KEY, &payment.record)).await?;
        Ok(())
    }
}
