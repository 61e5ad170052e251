//! The legs of one source and one sink, and the patterns that they close.

use super::walks::Walk;
use super::{Leg, Legs, Role};
use crate::{AccountIndex, PaymentIndex, Span, Timestamp};

pub struct Pair {
    span: Span,
    legs_order: Legs,
    /// In the order of time.
    legs: Vec<Leg>,
    /// The place of each leg's intermediary below.
    places: Vec<usize>,
    intermediaries: Vec<AccountIndex>,
    /// For each intermediary its legs in the window.
    windows: Vec<Window>,
    members: Vec<Leg>,
}

/// The legs of an intermediary within a window.
#[derive(Debug, Clone, Copy, Default)]
struct Window {
    earliest_scatter: Option<Timestamp>,
    latest_gather: Option<Timestamp>,
}

impl Pair {
    pub fn new(span: Span, legs_order: Legs) -> Self {
        let (legs, places, intermediaries) = (Vec::new(), Vec::new(), Vec::new());
        Self { span, legs_order, legs, places, intermediaries, windows: Vec::new(), members: Vec::new() }
    }

    /// Takes the legs of all walks between one source and one sink, each once. False where they have one intermediary.
    pub fn take(&mut self, walks: &[Walk]) -> bool {
        if walks.iter().all(|walk| walk.scatter.intermediary == walks[0].scatter.intermediary) {
            return false;
        }
        self.legs.clear();
        self.legs.extend(walks.iter().flat_map(|walk| [walk.scatter, walk.gather]));
        self.legs.sort_unstable();
        self.legs.dedup();
        self.intermediaries.clear();
        self.intermediaries.extend(self.legs.iter().map(|leg| leg.intermediary));
        self.intermediaries.sort_unstable();
        self.intermediaries.dedup();
        let place = |leg: &Leg| self.intermediaries.partition_point(|&account| account < leg.intermediary);
        self.places.clear();
        self.places.extend(self.legs.iter().map(place));
        true
    }

    /// Shows what each leg closes, but for legs that are left out.
    pub fn close(&mut self, leaves_out: impl Fn(&Leg) -> bool, mut show: impl FnMut(PaymentIndex, u32, &[Leg])) {
        let mut first = 0;
        for closing in 0..self.legs.len() {
            let leg = self.legs[closing];
            // In order the latest leg of a pattern is a gather payment.
            if self.legs_order == Legs::InOrder && leg.role == Role::Scatter || leaves_out(&leg) {
                continue;
            }
            let earliest = self.span.earliest(leg.at);
            first += self.legs[first..].partition_point(|leg| leg.at < earliest);
            let behind = closing + self.legs[closing..].partition_point(|other| other.at <= leg.at);
            let size = self.size(first, behind);
            if size >= 2 && self.is_member(closing) {
                self.members.clear();
                for place in first..behind {
                    if self.is_member(place) {
                        self.members.push(self.legs[place]);
                    }
                }
                show(leg.payment, size, &self.members);
            }
        }
    }

    /// Looks at a window's legs; the number of intermediaries that take part.
    fn size(&mut self, first: usize, behind: usize) -> u32 {
        self.windows.clear();
        self.windows.resize(self.intermediaries.len(), Window::default());
        for (leg, &place) in self.legs[first..behind].iter().zip(&self.places[first..behind]) {
            let window = &mut self.windows[place];
            match leg.role {
                Role::Scatter => window.earliest_scatter = window.earliest_scatter.or(Some(leg.at)),
                Role::Gather => window.latest_gather = Some(leg.at),
            }
        }
        self.windows.iter().filter(|window| window.takes_part(self.legs_order)).count() as u32
    }

    /// Whether a leg of the window is a member.
    fn is_member(&self, place: usize) -> bool {
        let (leg, window) = (&self.legs[place], self.windows[self.places[place]]);
        match (self.legs_order, leg.role) {
            (Legs::InOrder, Role::Scatter) => window.latest_gather.is_some_and(|latest| leg.at < latest),
            (Legs::InOrder, Role::Gather) => window.earliest_scatter.is_some_and(|earliest| earliest < leg.at),
            _ => window.takes_part(self.legs_order),
        }
    }
}

impl Window {
    fn takes_part(self, legs: Legs) -> bool {
        match (self.earliest_scatter, self.latest_gather) {
            (Some(earliest), Some(latest)) => legs != Legs::InOrder || earliest < latest,
            _ => false,
        }
    }
}
