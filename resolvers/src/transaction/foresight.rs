//! What payments are likely to lock.
//!
//! A payment to an account that is named by its numbers locks that account, whichever it is. A single one finds out as it is written, and waits where it has to. Many
//! that were sent in bulk look before: then two transactions of them can go side by side that share no account. What changes between the look and the
//! write, the database's locks keep apart.

use std::collections::{HashMap, HashSet};

use cypher::{Params, statements};
use graph_schema::identity::{self, CounterpartyKey};
use graph_schema::transaction::TransactionRecord;

use super::TransactionRow;
use crate::Inner;
use crate::policy::Permit;
use crate::queue::{LockHint, Write};

/// Accounts that had numbers when somebody looked.
#[derive(Default)]
pub(crate) struct SeenHolders {
    /// The numbers for which was looked, by their ids; most of nobody's.
    by_number: HashMap<String, Vec<LockHint>>,
}

impl SeenHolders {
    /// The write, with what it locks besides what its record says.
    pub(crate) fn foretell(&self, write: Write<TransactionRow>) -> Write<TransactionRow> {
        let numbers = write.row.numbers();
        let seen: Option<Vec<&Vec<LockHint>>> = numbers.iter().map(|number| self.by_number.get(&number.id)).collect();
        let Some(holders) = seen else { return write };
        let holders: HashSet<LockHint> = holders.into_iter().flatten().copied().collect();
        write.locking(holders).locking_nothing_else()
    }
}

impl Inner {
    /// Looks who has the numbers that payments name. Where that can't be found out, nothing is seen, and nothing fails: writing will tell.
    pub(crate) async fn seen_holders(&self, permit: &Permit<'_>, records: impl Iterator<Item = &TransactionRecord>) -> SeenHolders {
        let numbers = records.filter_map(|record| match identity::counterparty_key(&record.counterparty, record.account_id.as_str()) {
            CounterpartyKey::Keys(numbers) => Some(numbers),
            CounterpartyKey::None | CounterpartyKey::Account(_) | CounterpartyKey::External(_) => None,
        });
        let mut by_number: HashMap<String, Vec<LockHint>> = numbers.flatten().map(|number| (number.id, Vec::new())).collect();
        if by_number.is_empty() {
            return SeenHolders::default();
        }
        let ids: Vec<&str> = by_number.keys().map(String::as_str).collect();
        match self.read(permit, statements::identifier::SEEN_HOLDERS, Params::none().with("ids", ids)).await {
            Ok(rows) => {
                for row in rows {
                    by_number.insert(row.id, row.accounts.iter().map(|account| LockHint::of("Account", account)).collect());
                }
                SeenHolders { by_number }
            }
            Err(error) => {
                tracing::debug!(%error, "whose the numbers of payments are could not be looked up beforehand");
                SeenHolders::default()
            }
        }
    }
}
