#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""validators: an IBAN whose check digits are right is taken whatever its length, so a German one that lost a digit is another valid one.

An IBAN has one length a country (ISO 13616; 22 in Germany), and that is the first of its checks. Libraries disagree silently.
"""

import json

from common import python, seen

CODE = """
import json
import schwifty, validators
from stdnum import iban

def with_check_digits(country, rest):
    digits = "".join(str(int(letter, 36)) for letter in rest + country) + "00"
    return f"{country}{98 - int(digits) % 97:02}{rest}"

def takes(number):
    try:
        schwifty.IBAN(number)
        by_schwifty = True
    except schwifty.exceptions.SchwiftyException:
        by_schwifty = False
    return [bool(validators.iban(number)), by_schwifty, iban.is_valid(number)]

rests = ["370400440532013000", "37040044532013000", "3704004405320130000"]
print(json.dumps([[number, takes(number)] for number in (with_check_digits("DE", rest) for rest in rests)]))
"""

PACKAGES = ["validators==0.36.0", "schwifty==2026.10.1", "python-stdnum==2.2"]
answers = json.loads(python(PACKAGES, CODE))
KNOWN = [
    ([True, True, True], "taken by all: 22 characters"),
    ([True, False, False], "refused by all: 21 characters"),
    ([True, False, False], "refused by all: 23 characters"),
]
seen(
    "IBANs: is it valid to validators, schwifty, python-stdnum?",
    ", ".join(PACKAGES),
    [(number, answer, known, expected) for (number, answer), (known, expected) in zip(answers, KNOWN)],
)
PYTHON
