//! Which accounts can still come back to the end of a cycle, and how late they may leave for it.

use super::Closing;
use crate::network::{Before, Leaving, Link, Onward};
use crate::{AccountIndex, Network, Timestamp};

/// The most links that a walk backward looks at. At a hub that has more in the window the search goes without.
const MOST_LINKS: usize = 512;

/// Places of the table: a power of two, twice as many as there may be accounts, so that few collide.
const PLACES: usize = 2 * MOST_LINKS;

/// The latest times at which a payment may leave an account so as to arrive at the end in one payment, and in two.
///
/// A table of its own, which stays in the nearest cache however large the network is; marks instead of clearing.
#[derive(Debug)]
pub struct Reach {
    mark: u32,
    places: Vec<Latest>,
    /// Places of the accounts from which one payment arrives, with where that payment turns.
    direct: Vec<(usize, Before)>,
    /// Whether the accounts that arrive in one payment, and in two, were all walked through.
    knows_one: bool,
    knows_two: bool,
}

#[derive(Debug, Clone, Copy)]
struct Latest {
    mark: u32,
    account: AccountIndex,
    one: Timestamp,
    two: Timestamp,
}

/// Before all times that a payment has in a window.
const NEVER: Timestamp = Timestamp(i64::MIN);

impl Default for Reach {
    fn default() -> Self {
        let places = vec![Latest { mark: 0, account: AccountIndex(0), one: NEVER, two: NEVER }; PLACES];
        Self { mark: 0, places, direct: Vec::new(), knows_one: false, knows_two: false }
    }
}

impl Reach {
    /// Walks backward from the end of a cycle of at most so many payments before the closing one. False where it can't be closed.
    pub fn look(&mut self, network: &Network, closing: Closing, leaving: Leaving<'_>, steps: usize) -> bool {
        (self.knows_one, self.knows_two) = (false, false);
        if !closing.turn.may_reach(closing.earliest, closing.at) {
            return false;
        }
        let goes_on = |(link, turn): (&Link, &Onward)| link.other != closing.end && turn.may_reach(link.at, closing.at);
        if steps < 2 || !leaving.links.iter().zip(leaving.turns).any(goes_on) {
            // Only a payment straight to the end is left, which is among those at hand.
            return leaving.links.iter().any(|link| link.other == closing.end);
        }
        let arriving = network.before(closing.end, closing.turn, closing.earliest, closing.at);
        if arriving.links.is_empty() {
            return false;
        }
        self.begin();
        self.knows_one = arriving.links.len() <= MOST_LINKS;
        if self.knows_one {
            // Links stand in the order of time, so that the last one written is the latest.
            for (link, &turn) in arriving.links.iter().zip(arriving.turns).filter(|(link, _)| link.other != closing.end) {
                let place = self.place(link.other);
                let latest = &mut self.places[place];
                match self.direct.iter_mut().find(|(known, _)| latest.one != NEVER && *known == place) {
                    Some(known) => known.1 = turn,
                    None => self.direct.push((place, turn)),
                }
                latest.one = link.at;
            }
            self.knows_two = steps > 2 && self.look_further(network, closing, MOST_LINKS - arriving.links.len());
        }
        true
    }

    /// The second payment back; false when it was too much.
    fn look_further(&mut self, network: &Network, closing: Closing, mut most: usize) -> bool {
        for known in 0..self.direct.len() {
            let (place, turn) = self.direct[known];
            let Latest { account, one, .. } = self.places[place];
            if !turn.may_reach(closing.earliest, one) {
                continue;
            }
            let arriving = network.before(account, turn, closing.earliest, one).links;
            let Some(left) = most.checked_sub(arriving.len()) else { return false };
            most = left;
            for link in arriving.iter().filter(|link| link.other != closing.end) {
                let place = self.place(link.other);
                let latest = &mut self.places[place];
                latest.two = latest.two.max(link.at);
            }
        }
        true
    }

    fn begin(&mut self) {
        if self.mark == u32::MAX {
            self.places.iter_mut().for_each(|latest| latest.mark = 0);
            self.mark = 0;
        }
        self.mark += 1;
        self.direct.clear();
    }

    /// The place of an account, or the one where it belongs. There is always a free one.
    fn find(&self, account: AccountIndex) -> usize {
        let mut place = (account.0.wrapping_mul(0x9e37_79b9) >> 16) as usize % PLACES;
        while self.places[place].mark == self.mark && self.places[place].account != account {
            place = (place + 1) % PLACES;
        }
        place
    }

    /// The place of an account, which is made if need be.
    fn place(&mut self, account: AccountIndex) -> usize {
        let place = self.find(account);
        if self.places[place].mark != self.mark {
            self.places[place] = Latest { mark: self.mark, account, one: NEVER, two: NEVER };
        }
        place
    }

    /// Whether a payment of the time `first` or later, one of those that leave the account, goes to the end.
    pub fn arrives(&self, account: AccountIndex, leaving: &[Link], first: Timestamp, closing: Closing) -> bool {
        match self.knows_one {
            true => self.known(account).is_some_and(|latest| latest.one >= first),
            false => leaving.iter().any(|link| link.other == closing.end),
        }
    }

    /// Whether the account, left at `first` or later, may come to the end by at most `left` payments. True where it is not known.
    pub fn comes_back(&self, account: AccountIndex, first: Timestamp, left: usize) -> bool {
        match left {
            1 if self.knows_one => self.known(account).is_some_and(|latest| latest.one >= first),
            2 if self.knows_two => self.known(account).is_some_and(|latest| latest.one >= first || latest.two >= first),
            _ => true,
        }
    }

    fn known(&self, account: AccountIndex) -> Option<&Latest> {
        Some(&self.places[self.find(account)]).filter(|latest| latest.mark == self.mark)
    }
}
