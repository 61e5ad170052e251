//! The kernels beside enumerators that go through all possibilities, on small random networks with many equal times, parallel payments and
//! self payments; and each statement of the modules on what splits libraries, by an example.

mod boundaries;
mod cycles;
mod exposure;
mod identity_rings;
mod layers;
mod networks;
mod one_payment;
mod parties;
mod patterns;
