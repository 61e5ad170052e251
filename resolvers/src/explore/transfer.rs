//! The roll-up as links: where the money of an account went, and where it came from.
//!
//! A question for several steps of the same link, the largest totals first, is one nested statement for the roots of everyone who waits, so
//! that a request waits for one round trip and not for one a step. All else is a step at a time.

use std::sync::Arc;

use cypher::{Params, Statement, Value, statements};
use graph_schema::money::Money;

use super::{Way, int, items, shared, text};
use crate::loader::Ask;
use crate::policy::{Action, Subject};
use crate::{Caller, Resolvers, Result};

/// Which way the money goes, seen from an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flow {
    Out,
    In,
}

/// What transfers are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransferSort {
    Total,
    Count,
    First,
    Last,
}

impl TransferSort {
    /// As statements name it.
    pub fn name(self) -> &'static str {
        match self {
            TransferSort::Total => "TOTAL",
            TransferSort::Count => "COUNT",
            TransferSort::First => "FIRST",
            TransferSort::Last => "LAST",
        }
    }
}

/// Which transfers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransferFilter {
    pub currency: Option<String>,
    pub min_total: Option<f64>,
}

/// A slice of an account's transfers.
#[derive(Debug, Clone)]
pub struct TransferSlice {
    pub limit: usize,
    /// Sort key and tie (`account currency`) behind which the slice begins.
    pub after: Option<(f64, String)>,
    pub sort: TransferSort,
    /// Whether the slice goes from small to large.
    pub ascending: Way,
    pub filter: TransferFilter,
}

/// Steps of the largest transfers: how many at each, one to three steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TransferChain {
    limits: [usize; 3],
    steps: usize,
}

impl TransferChain {
    /// The most steps of one statement.
    pub const MOST: usize = 3;

    /// A chain of the given limits; nothing without a step, and no more than [`TransferChain::MOST`] of them.
    pub fn of(limits: &[usize]) -> Option<Self> {
        let steps = limits.len().min(Self::MOST);
        let mut chain = Self { limits: [0; 3], steps };
        chain.limits[..steps].copy_from_slice(&limits[..steps]);
        (steps > 0).then_some(chain)
    }

    /// The chain from the next step on.
    pub fn rest(&self) -> Option<Self> {
        Self::of(&self.limits[1..self.steps])
    }

    /// How many transfers the first step has at most.
    pub fn limit(&self) -> usize {
        self.limits[0]
    }
}

/// One ordered pair of accounts and a currency, seen from one of the accounts.
#[derive(Debug, Clone)]
pub struct Transfer {
    /// The account at the other end.
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub currency: String,
    pub count: i64,
    pub total: Money,
    /// Epoch milliseconds of the first and the last payment.
    pub first: i64,
    pub last: i64,
    /// The total as it is sorted by.
    pub sort_total: f64,
    /// The next step, when it was asked for with this one.
    pub next: Option<Arc<[Transfer]>>,
}

impl Transfer {
    fn of(row: &[Value]) -> Self {
        Self {
            id: shared(row, 0),
            name: shared(row, 1),
            currency: text(row, 2),
            count: int(row, 3),
            total: Money::from_sums(int(row, 4), int(row, 5)),
            first: int(row, 6),
            last: int(row, 7),
            // As transaction/record works it out from the same two numbers, to the last bit: a cursor must name the place that sorting has found.
            sort_total: int(row, 4) as f64 + int(row, 5) as f64 / 1_000_000_000.0,
            next: match row.get(8) {
                Some(Value::List(rows)) => Some(rows.iter().map(|row| Transfer::of(row.as_list())).collect()),
                _ => None,
            },
        }
    }

    /// What it is sorted by.
    pub fn key(&self, sort: TransferSort) -> f64 {
        match sort {
            TransferSort::Total => self.sort_total,
            TransferSort::Count => self.count as f64,
            TransferSort::First => self.first as f64,
            TransferSort::Last => self.last as f64,
        }
    }

    /// What tells two with the same key apart.
    pub fn tie(&self) -> String {
        format!("{} {}", self.id, self.currency)
    }
}

impl Flow {
    /// A name of its own for the list of transfers this way.
    pub fn label(self) -> &'static str {
        self.chain(1).label
    }

    fn chain(self, steps: usize) -> Statement {
        use statements::account;
        match (self, steps) {
            (Flow::Out, 1) => account::TRANSFERRED_TO,
            (Flow::Out, 2) => account::TRANSFERRED_TO_TWICE,
            (Flow::Out, _) => account::TRANSFERRED_TO_THRICE,
            (Flow::In, 1) => account::RECEIVED_FROM,
            (Flow::In, 2) => account::RECEIVED_FROM_TWICE,
            (Flow::In, _) => account::RECEIVED_FROM_THRICE,
        }
    }

    fn page(self) -> (Statement, Statement) {
        use statements::account;
        match self {
            Flow::Out => (account::TRANSFERRED_TO_PAGE, account::TRANSFERRED_TO_COUNT),
            Flow::In => (account::RECEIVED_FROM_PAGE, account::RECEIVED_FROM_COUNT),
        }
    }
}

impl Resolvers {
    /// The largest transfers of an account, and theirs, as far as the chain goes; nothing when there is no such account.
    pub async fn largest_transfers(&self, caller: &Caller, flow: Flow, id: &str, chain: TransferChain) -> Result<Option<Arc<[Transfer]>>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let mut params = Params::none();
        for (name, limit) in ["limit", "limit2", "limit3"].into_iter().zip(&chain.limits[..chain.steps]) {
            params = params.with(name, *limit as i64);
        }
        let rows = self.ask(&permit, &Ask::new(flow.chain(chain.steps), params), id).await?;
        Ok((!rows.is_empty()).then(|| items(&rows).map(Transfer::of).collect()))
    }

    /// A slice of an account's transfers, in the order it is read.
    pub async fn transfers(&self, caller: &Caller, flow: Flow, id: &str, slice: &TransferSlice) -> Result<Arc<[Transfer]>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let sign = if slice.ascending == Way::Forward { 1.0 } else { -1.0 };
        // No currency has a blank in it; an id may.
        let tie = slice.after.as_ref().and_then(|(_, tie)| tie.rsplit_once(' '));
        let params = Params::none()
            .with("sort", slice.sort.name())
            .with("sign", sign as i64)
            .with("afterKey", slice.after.as_ref().map(|(key, _)| key * sign))
            .with("afterId", tie.map(|(id, _)| id))
            .with("afterCurrency", tie.map(|(_, currency)| currency))
            .with("limit", slice.limit as i64)
            .with("currency", slice.filter.currency.as_deref())
            .with("minTotal", slice.filter.min_total);
        let rows = self.ask(&permit, &Ask::new(flow.page().0, params), id).await?;
        // The sort key stands where a chain has its next step; it is no list, so that it reads as none.
        Ok(items(&rows).map(Transfer::of).collect())
    }

    /// How many transfers of an account match.
    pub async fn transfer_count(&self, caller: &Caller, flow: Flow, id: &str, filter: &TransferFilter) -> Result<i64> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let params = Params::none().with("currency", filter.currency.as_deref()).with("minTotal", filter.min_total);
        self.total(&permit, &Ask::new(flow.page().1, params), id).await
    }
}
