#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""phonenumber (Rust): a Russian number is read twice where its area code begins with 8, as the national prefix 8 is not taken off.

`8 (812) 345-67-89` is `+7 812 345-67-89` in Saint Petersburg, as the original library and its port to Python have it; `8 (495) …` of Moscow is right.
"""

from common import python, rust, seen

SOURCE = """
use phonenumber::{Mode, country::Id};

fn main() {
    for text in ["8 (495) 345-67-89", "8 (812) 345-67-89", "8 (843) 345-67-89", "8 (800) 345-67-89"] {
        let read = phonenumber::parse(Some(Id::RU), text).map(|number| number.format().mode(Mode::E164).to_string());
        println!("{text}\\t{}", read.unwrap_or_else(|error| error.to_string()));
    }
}
"""
CODE = """
import phonenumbers
for text in ["8 (495) 345-67-89", "8 (812) 345-67-89", "8 (843) 345-67-89", "8 (800) 345-67-89"]:
    print(text, phonenumbers.format_number(phonenumbers.parse(text, "RU"), phonenumbers.PhoneNumberFormat.E164), sep="\\t")
"""

by_rust = dict(line.split("\t") for line in rust("phonenumber-0-3-10", ['phonenumber = "=0.3.10"'], SOURCE).splitlines())
by_python = dict(line.split("\t") for line in python(["phonenumbers==9.0.43"], CODE).splitlines())
KNOWN = {"8 (495) 345-67-89": "+74953456789", "8 (812) 345-67-89": "+788123456789", "8 (843) 345-67-89": "+788433456789", "8 (800) 345-67-89": "+788003456789"}
seen(
    "Phone numbers of Russia: the national prefix before area codes that begin with it",
    "phonenumber 0.3.10 (Rust), beside phonenumbers 9.0.43 (Python)",
    [(text, by_rust[text], known, by_python[text]) for text, known in KNOWN.items()],
)
PYTHON
