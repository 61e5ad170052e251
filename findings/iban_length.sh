#!/usr/bin/env bash
# validators 0.36.0 takes an IBAN of any length whose check digits are right; schwifty 2026.10.1 and python-stdnum 2.2 refuse it.
# So a German IBAN that lost a digit, and was given new check digits, is another valid one.
# Expected: a refusal, as each country has one length (ISO 13616; 22 in Germany).
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check validators==0.36.0 schwifty==2026.10.1 python-stdnum==2.2
"$folder/env/bin/python" - << 'PYTHON'
import sys

import schwifty
import validators
from stdnum import iban


def with_check_digits(country, rest):
    digits = "".join(str(int(letter, 36)) for letter in rest + country) + "00"
    return f"{country}{98 - int(digits) % 97:02}{rest}"


def by_schwifty(number):
    try:
        schwifty.IBAN(number)
        return True
    except schwifty.exceptions.SchwiftyException:
        return False


CASES = [  # the account; whether it is taken by validators, schwifty, python-stdnum; what one expects
    ("370400440532013000", [True, True, True], "taken by all: 22 characters"),
    ("37040044053201300", [True, False, False], "refused by all: 21 characters"),
    ("3704004405320130000", [True, False, False], "refused by all: 23 characters"),
]
changed = 0
print("Taken by validators 0.36.0, schwifty 2026.10.1, python-stdnum 2.2?")
for account, known, expected in CASES:
    number = with_check_digits("DE", account)
    found = [validators.iban(number) is True, by_schwifty(number), iban.is_valid(number)]
    print(f"  {number}: {found}, expected {expected}")
    if found != known:
        print(f"    CHANGED: it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
