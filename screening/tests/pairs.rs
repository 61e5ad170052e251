//! The labelled pairs: as well told on the part that was not tuned on as the documentation says.

use screening::{Kind, Name, THRESHOLD, score};

#[test]
fn public_pairs_are_told_on_the_part_that_was_not_tuned_on() {
    let mut reader = csv::Reader::from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/name_pairs.csv")).expect("the pairs");
    let (mut right, mut false_hits, mut missed, mut exact, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for record in reader.records() {
        let record = record.expect("a pair");
        let bytes = record[2].bytes().chain([0]).chain(record[3].bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        if (hash >> 20) & 1 == 0 {
            continue;
        }
        let kind = Kind::of_schema(&record[1]);
        let score = score(&Name::new(&record[2], kind), &Name::new(&record[3], kind));
        count += 1.0;
        exact += f64::from(u8::from(score == 1.0));
        match (score >= THRESHOLD, &record[4] == "true") {
            (true, true) => right += 1.0,
            (true, false) => false_hits += 1.0,
            (false, true) => missed += 1.0,
            (false, false) => {}
        }
    }
    let f1 = 2.0 * right / (2.0 * right + false_hits + missed);
    assert!(f1 >= 0.83, "F1 {f1}");
    assert!(exact / count <= 0.05, "{exact} of {count} are exactly 1");
}
