#!/usr/bin/env bash
# schwifty 2026.10.1 takes IBANs of Kosovo and refuses all BICs of its banks; python-stdnum 2.2 refuses ISINs of derivatives (EZ) and of crypto assets (XT).
# Neither XK, EZ nor XT is a country of ISO 3166. schwifty looks there alone for a BIC; the list of python-stdnum has XK and XS, but not these two.
# rigour 2.6.1 asks python-stdnum, so that followthemoney 4.11.2 drops such an ISIN while it reads a security.
# Expected: all are taken. SWIFT gave Kosovo the code XK in 2013, and its central bank published these BICs (notice of 6 December 2013).
# ISO 6166:2021, 4.1, names XS and EZ, and leaves more prefixes to its registration authority (ANNA); XT is in use since 2023.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check schwifty==2026.10.1 python-stdnum==2.2 rigour==2.6.1 followthemoney==4.11.2 validators==0.36.0
cat > "$folder/finding.py" << 'PYTHON'
import importlib.metadata
import sys

import schwifty
import validators
from followthemoney import model
from rigour.ids import get_identifier_format
from stdnum import bic, iban, isin


def by_schwifty(kind, code):
    try:
        kind(code)
        return True
    except schwifty.exceptions.SchwiftyException:
        return False


def by_followthemoney(schema, name, code):
    entity = model.make_entity(schema)
    entity.add(name, code)
    return entity.get(name) == [code]


READERS = {
    "IBAN": [lambda code: by_schwifty(schwifty.IBAN, code), iban.is_valid],
    "BIC": [lambda code: by_schwifty(schwifty.BIC, code), bic.is_valid],
    "ISIN": [
        isin.is_valid,
        get_identifier_format("isin").is_valid,
        lambda code: by_followthemoney("Security", "isin", code),
        lambda code: validators.isin(code) is True,
    ],
}
BY = {"IBAN": "schwifty, python-stdnum", "BIC": "schwifty, python-stdnum", "ISIN": "python-stdnum, rigour, followthemoney, validators"}
CASES = [  # the kind; the code; what it is; whether it is taken
    ("IBAN", "XK051212012345678906", "the example of the registry of IBANs for Kosovo", [True, True]),
    ("BIC", "NBPLPLPW", "the central bank of Poland", [True, True]),
    ("BIC", "CBRKXKPR", "the central bank of Kosovo", [False, True]),
    ("BIC", "RBKOXKPR", "a bank in Kosovo", [False, True]),
    ("BIC", "TEBKXKPR", "another", [False, True]),
    ("ISIN", "XS0213101073", "an international bond", [True] * 4),
    ("ISIN", "EZ0JHV40BZ40", "a swaption", [False, False, False, True]),
    ("ISIN", "XTV15WLZJMF0", "bitcoin", [False, False, False, True]),
]
changed = 0
print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in ["schwifty", "python-stdnum", "rigour", "followthemoney", "validators"]))
for kind, code, what, known in CASES:
    found = [reader(code) for reader in READERS[kind]]
    print(f"\n  {kind} {code}, {what}: taken by {BY[kind]}\n    comes:    {found}\n    expected: all True")
    if found != known:
        print(f"    CHANGED:  it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
