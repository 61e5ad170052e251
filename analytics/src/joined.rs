//! What hangs together: disjoint sets of places in a list.
//!
//! Source: Tarjan, *Efficiency of a Good But Not Linear Set Union Algorithm*, JACM 22, 1975; paths are halved.

use std::collections::HashMap;
use std::hash::Hash;

/// Disjoint sets of places; the root of a set is its first place.
#[derive(Debug, Clone)]
pub(crate) struct Joined(Vec<usize>);

impl Joined {
    /// So many places, each a set of its own.
    pub fn new(places: usize) -> Self {
        Self((0..places).collect())
    }

    /// The first place of the set that a place is in.
    pub fn root(&mut self, mut place: usize) -> usize {
        while self.0[place] != place {
            self.0[place] = self.0[self.0[place]];
            place = self.0[place];
        }
        place
    }

    /// Makes the sets of two places one.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}

/// For each item, given by its keys, the place of the first one with which it shares a key, directly or through others; for the first of them its own.
pub fn firsts<K: Hash + Eq>(items: impl IntoIterator<Item: IntoIterator<Item = K>>) -> Vec<usize> {
    let mut pairs = Vec::new();
    // For each key the first item that has it.
    let mut holders: HashMap<K, usize> = HashMap::new();
    let mut places = 0;
    for (place, keys) in items.into_iter().enumerate() {
        pairs.extend(keys.into_iter().map(|key| (*holders.entry(key).or_insert(place), place)));
        places = place + 1;
    }
    let mut joined = Joined::new(places);
    for (one, other) in pairs {
        joined.join(one, other);
    }
    (0..places).map(|place| joined.root(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_joined_by_keys_directly_and_through_others() {
        assert_eq!(firsts([vec!["a"], vec!["b"], vec![], vec!["c", "b"], vec!["c", "a"], vec!["d"]]), [0, 0, 2, 0, 0, 5]);
        assert_eq!(firsts(Vec::<Vec<u32>>::new()), Vec::<usize>::new());
    }
}
