//! Makes `data/frequent_names.tsv` out of lines `name<TAB>share of people who have it where it is most frequent` on standard input.
use std::collections::BTreeMap;
use std::io::BufRead;

fn main() {
    let mut shares = BTreeMap::<String, f64>::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some((name, share)) = line.split_once('\t') else { continue };
        let (folded, share) = (screening::folded(name), share.parse().unwrap_or(0.0));
        if folded.len() < 3 || folded.contains(' ') || folded.len() > 16 || folded.bytes().any(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let known = shares.entry(folded).or_default();
        *known = known.max(share);
    }
    println!(
        "# Names that many people have, folded, and how rare each is: minus the binary logarithm of the share of people who have it, where it is most frequent."
    );
    println!(
        "# Derived from Faker 40.63.0 (MIT), the US census of 1990 as in the package names 0.3.0, and OFAC's list of 2019 (both public domain): see README.md."
    );
    for (name, share) in shares {
        let rarity = (-share.log2()).round();
        if rarity <= 13.0 {
            println!("{name}\t{}", rarity.max(1.0));
        }
    }
}
