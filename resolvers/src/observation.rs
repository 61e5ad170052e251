//! Observations: what detection has noticed, as systems send it and read it back.
//!
//! - [`record`]: taking an observation, and what of what it names has not come.
//! - [`actors`]: whom it is about, said by itself.
//! - [`read`]: reading it back.
//! - [`evidence`]: what a finding of the service's own rests on.
//! - [`dismiss`]: dismissing it without a case, and taking that back.
//!
//! What an observation names and what has not come is a placeholder, a payment too. Such a payment has the label `AwaitedTransaction`: it is in no
//! list and no sum, and when its record arrives it becomes the payment in place, on the careful way of [`crate::transaction`]. New payments that nobody
//! awaits go the fast way as ever.

mod actors;
mod dismiss;
pub(crate) mod evidence;
mod read;
mod record;

pub use dismiss::{DismissObservation, RestoreObservation};
pub use evidence::{Evidence, EvidenceAccount, EvidencePart};
pub(crate) use record::RECORD_OBSERVATION;
pub use record::{AddObservation, CaseWanted};
