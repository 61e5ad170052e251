#!/usr/bin/env bash
# phonenumber 0.3.10 (Rust) takes an 8 off Russian numbers whose area code begins with 8, even behind +7, and both behind a trunk prefix 8.
# Moscow (495) is read right, Saint Petersburg (812), Kazan (843) and the free numbers (800) lose a digit. No error is raised.
# Expected: what phonenumbers 9.0.43 (Python, a port of the original libphonenumber) makes of the same text.
# Needs Python 3 and a stable Rust; it compiles for a minute or two. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check phonenumbers==9.0.43
cat > "$folder/expected.py" << 'PYTHON'
import sys

import phonenumbers

for text in sys.stdin.read().splitlines():
    print(phonenumbers.format_number(phonenumbers.parse(text, "RU"), phonenumbers.PhoneNumberFormat.E164))
PYTHON
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "phonenumber-russian-trunk"
version = "0.0.0"
edition = "2024"

[dependencies]
phonenumber = "=0.3.10"
TOML
cat > "$folder/src/main.rs" << 'RUST'
use phonenumber::{Mode, country::Id};

fn main() {
    for text in std::io::stdin().lines().map(|line| line.expect("text")) {
        let number = phonenumber::parse(Some(Id::RU), &text).expect("a number");
        println!("{}", number.format().mode(Mode::E164));
    }
}
RUST
cat > "$folder/texts" << 'TEXTS'
8 (495) 345-67-89
8 (812) 345-67-89
812 345-67-89
+7 812 345-67-89
8 (843) 345-67-89
8 (800) 345-67-89
TEXTS
cat > "$folder/known" << 'KNOWN'
8 (495) 345-67-89	+74953456789	+74953456789
8 (812) 345-67-89	+7123456789	+78123456789
812 345-67-89	+7123456789	+78123456789
+7 812 345-67-89	+7123456789	+78123456789
8 (843) 345-67-89	+7433456789	+78433456789
8 (800) 345-67-89	+7003456789	+78003456789
KNOWN
(cd "$folder" && cargo run --quiet < texts > rust)
"$folder/env/bin/python" "$folder/expected.py" < "$folder/texts" > "$folder/python"
paste "$folder/texts" "$folder/rust" "$folder/python" > "$folder/found"
printf 'text\tphonenumber 0.3.10\tphonenumbers 9.0.43\n'
cat "$folder/found"
diff "$folder/known" "$folder/found" || { echo 'CHANGED: < as it was, > as it is' && exit 1; }
