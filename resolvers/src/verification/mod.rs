//! Whether roll-ups say what the payments say that they were added up of.
//!
//! All accounts are gone through in the order of their ids ([`senders`]): what each has sent is added up by the database, by receiver, currency and side of
//! the report, and compared with its roll-ups ([`sums`]). Nothing is locked for it, so that what is written meanwhile may look like a difference. What does is
//! looked at again, alone and under the lock that whoever adds to a roll-up takes, and only what differs then is told.
//!
//! It is a job ([`VerifyTransfers`]), whose checkpoint is a place among the accounts and, of one that has sent very much, among its receivers.

mod job;
mod senders;
pub(crate) mod sums;

pub(crate) use job::VerifyTransfers;
