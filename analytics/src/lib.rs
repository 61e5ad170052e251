//! Algorithms on networks of payments. Pure: nothing is read or written, no clock is asked, and the same payments give the same result in
//! whatever order they were loaded.
//!
//! [`Network`] holds the payments. Each kernel is a module whose text defines it in words and formulas, and names its source; its tests
//! compare it with an enumerator that goes through all possibilities (`tests/kernels`). What each module says of:
//!
//! | | |
//! |---|---|
//! | windows | which of their ends count: [`Lookback`] is half-open, [`Span`] has both |
//! | equal times | whether payments of one instant link; where money moves on they don't |
//! | self payments | one payment out and one in; part of no pattern between accounts |
//! | parallel payments | whether accounts or payments are counted; both numbers are there |
//! | lengths | count payments, never accounts |
//!
//! | kernel | finds |
//! |---|---|
//! | [`one_payment`] | which two records are one payment |
//! | [`fans`] | fan-in and fan-out |
//! | [`gather_scatters`] | accounts that gather from several and pay several |
//! | [`scatter_gathers`] | sources that pay a sink over several intermediaries |
//! | [`cycles`] | money that comes back, in time order |
//! | [`stacks`] | stacked bipartite layers |
//! | [`pass_throughs`] | what is paid on soon after it was received |
//! | [`velocities`] | number and volume of lately and of before |
//! | [`dormancies`] | how long an account had been idle |
//! | [`identity_rings`] | actors that share identities |
//! | [`ExposureGraph`] | the risk of whom actors pay, own and share identities with |
//! | [`Features`] | all of it for each payment, as one row |

// Modules, the lowest first: histogram joined identity_rings exposure units network one_payment window cycles fan gather_scatter layers
// pass_through scatter_gather velocity dormancy features.

mod cycles;
mod dormancy;
mod exposure;
mod fan;
mod features;
mod gather_scatter;
mod histogram;
mod identity_rings;
mod joined;
mod layers;
mod network;
mod one_payment;
mod pass_through;
mod scatter_gather;
mod units;
mod velocity;
mod window;

pub use cycles::{CycleLimits, Cycles, Ring, cycles, for_each_ring};
pub use dormancy::{Dormancies, dormancies};
pub use exposure::{ExposureGraph, ExposureLink, Exposures, InvalidExposure, MOST_DAMPING, PARTS, TOLERANCE};
pub use fan::{Fan, Fans, fans};
pub use features::{Column, FeatureOptions, Features};
pub use gather_scatter::{GatherScatters, Hub, gather_scatters};
pub use histogram::{Bins, InvalidBins, SMALLEST};
pub use identity_rings::{ActorIndex, Holding, IdentityIndex, IdentityRing, RingLimits, identity_rings};
pub use joined::firsts;
pub use layers::{Stack, StackLimits, stacks};
pub use network::{Link, Network, Payment, Side, TooManyPayments};
pub use one_payment::{Counted, Direction, Record, one_payment};
pub use pass_through::{PassThroughs, Passed, pass_throughs};
pub use scatter_gather::{Leg, Legs, Pattern, Role, ScatterGathers, for_each_scatter_gather, scatter_gathers};
pub use units::{AccountIndex, Amount, CurrencyIndex, PaymentIndex, Timestamp};
pub use velocity::{Activity, Party, Velocities, velocities, velocities_before};
pub use window::{Lookback, Span};
