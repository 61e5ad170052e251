//! Whatever somebody puts into a folder, reading it ends with a statement or with faults.

use cypher::{LoadedStatement, check_folder};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

const CASES: usize = 1_500;
const PIECES: [&str; 32] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "`",
    "//",
    "/*",
    "\n",
    "$",
    "$x",
    ":",
    "|",
    "*",
    "*1..",
    "..",
    "\\",
    "\\u00e5",
    "MATCH ",
    "RETURN ",
    "CALL {",
    "EXISTS {",
    "AS ",
    "-[",
    "]->",
    "å",
    "\u{0}",
    "\u{1F4B0}",
    "9223372036854775808",
];

pub fn whatever_the_text_there_is_an_answer() {
    let mut random = StdRng::seed_from_u64(38);
    let folder = super::super::folder();
    let texts: Vec<String> =
        check_folder(&folder).expect("a folder").iter().map(|file| std::fs::read_to_string(folder.join(&file.name)).expect("a text")).collect();
    for _ in 0..CASES {
        let mut text: Vec<char> = texts.choose(&mut random).expect("one").chars().collect();
        for _ in 0..random.random_range(1..6) {
            let at = random.random_range(0..=text.len());
            let end = (at + random.random_range(0..20)).min(text.len());
            let piece: Vec<char> = PIECES.choose(&mut random).expect("one").chars().collect();
            text.splice(at..end, piece);
        }
        answers(&text.into_iter().collect::<String>());
        let noise: String = (0..random.random_range(0..60)).map(|_| *PIECES.choose(&mut random).expect("one")).collect();
        answers(&format!("// Why.\n// returns: x\n{noise}"));
    }
    // What is deep, or long.
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{a: ", "}"), ("NOT ", ""), ("-", ""), ("1 + ", ""), ("CASE WHEN ", ""), ("EXISTS { MATCH (n) WHERE ", "}")]
    {
        for times in [100, 500, 5_000] {
            answers(&format!("// Why.\n// returns: x\nRETURN {}1{} AS x", open.repeat(times), close.repeat(times)));
        }
    }
    answers(&format!("// Why.\n// returns: x\nMATCH (n){} RETURN 1 AS x", "-->()".repeat(10_000)));
    answers(&format!("// Why.\n// returns: x\n{}RETURN 1 AS x", "CALL { ".repeat(5_000)));
    answers(&format!("// Why.\n// returns: {}\nRETURN 1 AS x", "x, ".repeat(10_000)));
}

fn answers(text: &str) {
    if let Err(faults) = LoadedStatement::read("arbitrary", text) {
        assert!(!faults.is_empty() && faults.iter().all(|fault| !fault.place.is_empty() && !fault.reason.is_empty()), "{text}: {faults:?}");
    }
}
