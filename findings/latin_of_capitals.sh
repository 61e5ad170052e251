#!/usr/bin/env bash
# A Georgian name in capitals gets no Latin form, though the same name in small letters does.
# ICU 78.3 leaves it as it is, Unidecode 1.4.0 makes it empty, text-unidecode 1.3 "[?]"; anyascii 0.3.3 is right.
# Python, Java and JavaScript make such capitals when they put a name in upper case.
# And ICU's "Any-Latin; Latin-ASCII" is not ASCII for a Russian soft or hard sign in capitals: a combining mark is left over.
# Expected: the Latin form of a name in capitals is that of the name, but for its case; and Latin-ASCII of Russian is ASCII.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check icukit-pyicu==78.3.1 Unidecode==1.4.0 text-unidecode==1.3 anyascii==0.3.3
cat > "$folder/finding.py" << 'PYTHON'
import sys

import anyascii
import icu
import text_unidecode
import unidecode

LIBRARIES = {
    "ICU": icu.Transliterator.createInstance("Any-Latin; Latin-ASCII").transliterate,
    "Unidecode": unidecode.unidecode,
    "text-unidecode": text_unidecode.unidecode,
    "anyascii": anyascii.anyascii,
}
changed = 0
print("ICU", icu.ICU_VERSION, "Unidecode 1.4.0, text-unidecode 1.3, anyascii 0.3.3")
for name, known in [
    ("გიორგი", ["გიორგი".upper(), "", "[?]" * 6, "GIORGI"]),
    ("ბერიძე", ["ბერიძე".upper(), "", "[?]" * 6, "BERIDzE"]),
    ("Ольга", ["OL'\u0331GA", "OL'GA", "OL'GA", "OL'GA"]),
    ("Подъячев", ['POD"\u0331ACEV', "POD'IaChEV", "PODIaChEV", "POD'YaChEV"]),
    ("Γιώργος", ["GIORGOS", "GIORGOS", "GIORGOS", "GIORGOS"]),
    ("Հայկ", ["HAYK", "HAYK", "HAYK", "HAYK"]),
]:
    capitals = name.upper()
    print(f"{name} and {capitals}")
    for (library, latin), before in zip(LIBRARIES.items(), known):
        small, found = latin(name), latin(capitals)
        sign = "" if found.upper() == small.upper() else "  <- another"
        print(f"  {library}: {ascii(small)} and {ascii(found)}, expected {ascii(small.upper())} or another case{sign}")
        if found != before:
            print(f"    CHANGED: it was {ascii(before)}")
            changed += 1
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
