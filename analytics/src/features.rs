//! The features of payments: what all kernels say of each, as one row.
//!
//! Two kinds stand side by side. *Memberships* count the patterns that a payment is part of, those that later payments close included: what
//! an analyst who looks back sees. All others look back from the payment and know nothing of what came later: they are what a model may
//! use while payments come in. [`Column::looks_back`] tells them apart.

use std::fmt::Write;
use std::time::Duration;

use crate::{
    Activity, Amount, Bins, CycleLimits, Cycles, Dormancies, Fans, GatherScatters, Legs, Lookback, Network, Party, PassThroughs, PaymentIndex,
    ScatterGathers, Side, Span, Velocities, cycles, dormancies, fans, gather_scatters, pass_throughs, scatter_gathers, velocities,
};

/// Windows and bounds of the features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureOptions {
    /// Of fans.
    pub fan: Lookback,
    /// Of what the parties did lately.
    pub velocity: Lookback,
    pub scatter_gather: Span,
    pub legs: Legs,
    /// Of gather-scatters and of what passes through.
    pub through: Span,
    pub cycles: CycleLimits,
    /// Bins of the sizes of fans and scatter-gathers.
    pub bins: Bins,
}

/// The features of all payments of a network.
#[derive(Debug)]
pub struct Features<'a> {
    fans: [Fans<'a>; 2],
    scatter_gathers: ScatterGathers,
    cycles: Cycles,
    gather_scatters: GatherScatters<'a>,
    pass_throughs: PassThroughs<'a>,
    velocities: Vec<Velocities<'a>>,
    dormancies: [Dormancies<'a>; 2],
    columns: Vec<Column>,
}

/// A column of the features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Whether nothing that came later counts in it.
    pub looks_back: bool,
}

/// The parties whose sides are counted, with the beginning of their columns' names.
const VELOCITIES: [(&str, Party, Side); 4] = [
    ("sender_out", Party::Sender, Side::Out),
    ("sender_in", Party::Sender, Side::In),
    ("receiver_out", Party::Receiver, Side::Out),
    ("receiver_in", Party::Receiver, Side::In),
];

impl<'a> Features<'a> {
    pub fn new(network: &'a Network, options: &FeatureOptions) -> Self {
        Self {
            fans: [Side::In, Side::Out].map(|side| fans(network, side, options.fan, &options.bins)),
            scatter_gathers: scatter_gathers(network, options.scatter_gather, options.legs, &options.bins),
            cycles: cycles(network, options.cycles),
            gather_scatters: gather_scatters(network, options.through),
            pass_throughs: pass_throughs(network, options.through),
            velocities: VELOCITIES.map(|(_, party, side)| velocities(network, party, side, options.velocity)).into(),
            dormancies: [Party::Sender, Party::Receiver].map(|party| dormancies(network, party)),
            columns: columns(options),
        }
    }

    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Shows the value of each column, in their order; an idle time of an account that had never been active is empty.
    pub fn show(&self, payment: PaymentIndex, show: impl FnMut(&str)) {
        let mut cells = Cells { text: String::new(), show };
        cells.counts(self.fans.iter().flat_map(|fans| fans.memberships(payment)));
        cells.counts(self.scatter_gathers.memberships(payment));
        cells.counts(self.cycles.rings(payment));
        cells.counts(self.cycles.ways(payment));
        cells.counts([self.scatter_gathers.closed(payment), self.cycles.closed(payment)]);
        let hub = self.gather_scatters.hub(payment);
        cells.counts([hub.senders, hub.payments_in, hub.receivers, hub.payments_out]);
        let passed = self.pass_throughs.passed(payment);
        cells.amount(passed.received);
        cells.amount(passed.sent);
        for velocities in &self.velocities {
            let Activity { payments, accounts, amount } = velocities.activity(payment);
            cells.counts([payments, accounts]);
            cells.amount(amount);
        }
        for dormancies in &self.dormancies {
            cells.seconds(dormancies.idle(payment));
        }
    }
}

fn columns(options: &FeatureOptions) -> Vec<Column> {
    let bins = options.bins.names();
    let lengths: Vec<u32> = (2..=options.cycles.payments.clamp(2, Bins::MOST as u32)).collect();
    let member = |name: String| Column { name, looks_back: false };
    let mut columns: Vec<Column> = Vec::new();
    for pattern in ["fan_in", "fan_out", "scatter_gather"] {
        columns.extend(bins.iter().map(|bin| member(format!("{pattern}_{bin}"))));
    }
    columns.extend(lengths.iter().map(|length| member(format!("cycle_{length}"))));
    columns.extend(lengths.iter().map(|length| member(format!("cycle_{length}_ways"))));
    let mut names: Vec<String> = ["scatter_gather_closed", "cycles_closed"].map(String::from).into();
    names.extend(["senders", "payments_in", "receivers", "payments_out"].map(|number| format!("gather_scatter_{number}")));
    names.extend(["received", "sent"].map(|amount| format!("pass_through_{amount}")));
    for (party, _, _) in VELOCITIES {
        names.extend(["payments", "accounts", "amount"].map(|number| format!("{party}_{number}")));
    }
    names.extend(["sender", "receiver"].map(|party| format!("{party}_idle_seconds")));
    columns.extend(names.into_iter().map(|name| Column { name, looks_back: true }));
    columns
}

/// Writes cells into one text after the other.
struct Cells<F> {
    text: String,
    show: F,
}

impl<F: FnMut(&str)> Cells<F> {
    fn cell(&mut self, value: impl std::fmt::Display) {
        self.text.clear();
        // A text takes whatever is written.
        let _ = write!(self.text, "{value}");
        (self.show)(&self.text);
    }

    fn counts(&mut self, counts: impl IntoIterator<Item = u32>) {
        counts.into_iter().for_each(|count| self.cell(count));
    }

    fn amount(&mut self, amount: Amount) {
        self.cell(amount);
    }

    /// Seconds with their milliseconds, where there are any.
    fn seconds(&mut self, time: Option<Duration>) {
        match time {
            Some(time) => self.cell(Amount(time.as_millis() as i128 * 1_000_000)),
            None => (self.show)(""),
        }
    }
}
