//! All payments, in the order of their ids.

use cypher::Params;
use cypher::statements::rows::PaymentRow;
use cypher::statements::transaction;

use crate::long_reads::{RowStream, Source};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Inner, Resolvers, Result};

/// The label of their nodes.
const TRANSACTION: &str = "Transaction";

impl Resolvers {
    /// All payments behind one of them, or all there are, without their records. It ends when it is dropped, and goes on from the key of any page.
    pub fn stream_payments(&self, caller: &Caller, after: Option<&str>) -> Result<RowStream<PaymentRow>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::List(TRANSACTION))?;
        Ok(self.inner.stream_payments(&permit, after))
    }
}

impl Inner {
    /// All payments behind one of them, or all there are.
    pub(crate) fn stream_payments(&self, _permit: &Permit<'_>, after: Option<&str>) -> RowStream<PaymentRow> {
        let source = Source { keys: transaction::KEYS, rows: transaction::STREAM, params: Params::none() };
        RowStream::new(self.long_reads.clone(), source, after)
    }
}
