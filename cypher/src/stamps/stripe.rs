//! Stripes: nodes share them, as they have no number. Each has one for its links, and one for what it is itself.
//!
//! All processes before one store have to find the same stripe for an id, whichever build of the program they run, as they tell one another stripes in
//! notes. So the hash is written down here: FNV-1a of 64 bits over the bytes of the id, mixed by the end of MurmurHash3. Whoever changes it, or the number of
//! stripes, gives notes another number (`note::FORMAT`).

/// Nodes are told apart by so many stripes, which take 4 MB.
pub(super) const STRIPES: usize = 1 << 18;
/// No id that a stripe is asked for is longer.
pub(super) const LONGEST_ID: usize = 256;

/// One of the stripes that nodes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stripe(u32);

impl Stripe {
    /// That of a node's links; `None` for one whose id is longer than any that is looked for in parameters.
    pub fn of_links(id: &str) -> Option<Self> {
        Self::of(id, None)
    }

    /// That of a node without its links: its labels and properties; `None` as for its links.
    pub fn of_node(id: &str) -> Option<Self> {
        // No text has this byte.
        Self::of(id, Some(0xff))
    }

    fn of(id: &str, end: Option<u8>) -> Option<Self> {
        if id.len() > LONGEST_ID {
            return None;
        }
        Some(Self((mixed(fnv1a(id.bytes().chain(end))) % STRIPES as u64) as u32))
    }

    /// The one of this number, if there is one.
    pub(super) fn numbered(number: u32) -> Option<Self> {
        ((number as usize) < STRIPES).then_some(Self(number))
    }

    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// Where its stamp is.
    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The low bits of what comes out depend on all bits of what comes in.
fn mixed(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Another process, of another build, has to find the same: these numbers never change.
    #[test]
    fn an_id_has_the_same_stripes_in_every_process() {
        let ids = ["", "a", "account-1", "iban:DE89370400440532013000", "Zürich"];
        let numbers = |of: fn(&str) -> Option<Stripe>| ids.map(|id| of(id).expect("a stripe").number());
        assert_eq!(numbers(Stripe::of_links), [76_070, 183_899, 243_783, 140_655, 1_488]);
        assert_eq!(numbers(Stripe::of_node), [108_759, 250_779, 20_889, 119_275, 75_491]);
    }

    #[test]
    fn stripes_are_spread() {
        let stripes: BTreeSet<Stripe> = (0..10_000).filter_map(|number| Stripe::of_links(&format!("account-{number}"))).collect();
        // By chance about 190 of so many share one.
        assert!(stripes.len() > 9_600, "{} stripes", stripes.len());
        assert!(Stripe::numbered(STRIPES as u32).is_none() && Stripe::numbered(STRIPES as u32 - 1).is_some());
    }
}
