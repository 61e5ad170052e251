//! Two records of one payment.

use std::collections::BTreeSet;
use std::time::Duration;

use analytics::{Counted, Direction, Record, Timestamp, one_payment};
use proptest::prelude::*;

type Recorded = Record<u8, usize>;

fn records() -> impl Strategy<Value = (Vec<Recorded>, Vec<usize>)> {
    prop::collection::vec((0..3_u8, 0..30_i64, any::<bool>()), 0..24).prop_flat_map(|records| {
        let record = |(id, (key, at, outbound)): (usize, (u8, i64, bool))| {
            let direction = if outbound { Direction::Outbound } else { Direction::Inbound };
            Record { key, at: Timestamp::from_millis(at).unwrap(), id, direction }
        };
        let records: Vec<Recorded> = records.into_iter().enumerate().map(record).collect();
        let places: Vec<usize> = (0..records.len()).collect();
        (Just(records), Just(places).prop_shuffle())
    })
}

/// The ids of the records of each payment.
fn ids(records: &[Recorded], within: u64) -> BTreeSet<Vec<usize>> {
    let ids = |counted| match counted {
        Counted::Both { outbound, inbound } => vec![records[outbound].id, records[inbound].id],
        Counted::Alone(place) => vec![records[place].id],
    };
    one_payment(records, Duration::from_millis(within)).into_iter().map(ids).collect()
}

/// The most pairs that any way of pairing the records of a key has.
fn most_pairs(outbound: &[i64], inbound: &[i64], within: i64) -> usize {
    let Some((first, rest)) = outbound.split_first() else { return 0 };
    let without = most_pairs(rest, inbound, within);
    let near = (0..inbound.len()).filter(|&place| (inbound[place] - first).abs() <= within);
    let with = near.map(|place| 1 + most_pairs(rest, &[&inbound[..place], &inbound[place + 1..]].concat(), within));
    with.chain([without]).max().unwrap_or_default()
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_count((records, places) in records(), within in 0..12_u64) {
        let shuffled: Vec<Recorded> = places.iter().map(|&place| records[place].clone()).collect();
        prop_assert_eq!(ids(&shuffled, within), ids(&records, within));
    }

    #[test]
    fn each_record_is_in_one_payment_and_pairs_are_as_agreed((records, _) in records(), within in 0..12_u64) {
        let counted = one_payment(&records, Duration::from_millis(within));
        let mut seen = BTreeSet::new();
        for payment in counted {
            match payment {
                Counted::Both { outbound, inbound } => {
                    let (outbound, inbound) = (&records[outbound], &records[inbound]);
                    prop_assert_eq!((outbound.direction, inbound.direction), (Direction::Outbound, Direction::Inbound));
                    prop_assert_eq!(outbound.key, inbound.key);
                    prop_assert!(outbound.at.millis().abs_diff(inbound.at.millis()) <= within);
                    prop_assert!(seen.insert(outbound.id) && seen.insert(inbound.id));
                }
                Counted::Alone(place) => prop_assert!(seen.insert(records[place].id)),
            }
            prop_assert_eq!(payment.leading(), match payment { Counted::Both { outbound, .. } => outbound, Counted::Alone(place) => place });
        }
        prop_assert_eq!(seen.len(), records.len());
    }

    #[test]
    fn as_many_pair_as_can(times in prop::collection::vec((0..12_i64, any::<bool>()), 0..9), within in 0..5_i64) {
        let record = |(id, &(at, outbound)): (usize, &(i64, bool))| {
            let direction = if outbound { Direction::Outbound } else { Direction::Inbound };
            Record { key: 0, at: Timestamp::from_millis(at).unwrap(), id, direction }
        };
        let records: Vec<Recorded> = times.iter().enumerate().map(record).collect();
        let side = |outbound: bool| times.iter().filter(|time| time.1 == outbound).map(|time| time.0).collect::<Vec<_>>();
        let pairs = ids(&records, within as u64).into_iter().filter(|ids| ids.len() == 2).count();
        prop_assert_eq!(pairs, most_pairs(&side(true), &side(false), within));
    }
}
