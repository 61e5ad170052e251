//! What payments are likely to lock.
//!
//! A payment to an account that is named by its numbers locks that account, whichever it is. A single one finds out as it is written, and waits where
//! it has to. Many that were sent in bulk look before: then two transactions of them can go side by side that share no account. What changes between the
//! look and the write, the database's locks keep apart.

use std::collections::HashMap;

use cypher::{Params, statements};
use graph_schema::identity::CounterpartyKey;
use graph_schema::transaction::TransactionRecord;

use super::TransactionRow;
use crate::Inner;
use crate::policy::Permit;
use crate::queue::{LockHint, Write, crowds_of};

/// Accounts that had numbers when somebody looked.
#[derive(Default)]
pub struct SeenHolders {
    /// The numbers for which was looked, by their ids; some are nobody's.
    pub by_number: HashMap<String, Option<LockHint>>,
}

impl SeenHolders {
    /// The write, with what it is likely to lock besides what its record says.
    pub fn foretell(&self, write: Write<TransactionRow>) -> Write<TransactionRow> {
        let numbers = write.row.numbers();
        let seen: Option<Vec<Option<LockHint>>> = numbers.iter().map(|number| self.by_number.get(&number.id).copied()).collect();
        match seen {
            Some(holders) => write.locking(holders.into_iter().flatten()).likely_locking_nothing_else(),
            None => write,
        }
    }
}

impl Inner {
    /// Looks who has the numbers that payments name, where an engine lets crowds go side by side, which alone need to know it. Where that can't be found
    /// out, nothing is seen, and nothing fails: writing will tell.
    pub(crate) async fn seen_holders(&self, permit: &Permit<'_>, records: impl Iterator<Item = &TransactionRecord>) -> SeenHolders {
        if crowds_of(self.engine.writes_at_once()) == 1 {
            return SeenHolders::default();
        }
        let numbers = records.filter_map(|record| match self.identities.counterparty_key(&record.counterparty, record.account_id.as_str()) {
            CounterpartyKey::Keys(numbers) => Some(numbers),
            CounterpartyKey::None | CounterpartyKey::Account(_) | CounterpartyKey::External(_) => None,
        });
        let mut by_number: HashMap<String, Option<LockHint>> = numbers.flatten().map(|number| (number.id, None)).collect();
        if by_number.is_empty() {
            return SeenHolders::default();
        }
        let ids: Vec<&str> = by_number.keys().map(String::as_str).collect();
        match self.read(permit, statements::identifier::SEEN_HOLDERS, Params::none().with("ids", ids)).await {
            Ok(rows) => {
                by_number.extend(rows.into_iter().map(|row| (row.id, Some(LockHint::of("Account", &row.account)))));
                SeenHolders { by_number }
            }
            Err(error) => {
                tracing::debug!(%error, "whose the numbers of payments are could not be looked up beforehand");
                SeenHolders::default()
            }
        }
    }
}
