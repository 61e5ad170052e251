#!/usr/bin/env bash
# python-stdnum 2.2 refuses three of thirteen valid numbers of Russian sole traders (OGRNIP), rigour 2.6.1 two of thirteen; followthemoney 4.11.2 drops these.
# Their check digit is the last digit of the first 14 digits modulo 13 (Ministry of Finance of Russia, order 165n of 2017, paragraph 7).
# python-stdnum compares all of the remainder, so 10, 11 and 12 never fit; rigour mends 10 alone. The shorter numbers of companies (OGRN) are right in both.
# Expected: all are taken, as by petrovna 1.0.2; and an identifier of a listed person is not lost while the list is read.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check python-stdnum==2.2 rigour==2.6.1 followthemoney==4.11.2 petrovna==1.0.2
cat > "$folder/finding.py" << 'PYTHON'
import importlib.metadata
import sys

import petrovna
from followthemoney import model
from rigour.ids import get_identifier_format
from stdnum.ru import ogrn

LIBRARIES = ["python-stdnum", "rigour", "followthemoney", "petrovna"]
rigour_ogrn = get_identifier_format("ogrn")


def by_followthemoney(number):
    trader = model.make_entity("Person")
    trader.add("ogrnCode", number)
    return trader.get("ogrnCode") == [number]


def by_petrovna(number):
    return petrovna.validate_ogrnip(number) if len(number) == 15 else petrovna.validate_ogrn(number)


def taken(number):
    return [ogrn.is_valid(number), rigour_ogrn.is_valid(number), by_followthemoney(number), by_petrovna(number)]


def with_check_digit(digits, divisor):
    return digits + str(int(digits) % divisor)[-1]


changed = 0
print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES))
for what, made, known in [  # invented numbers, one for each remainder that comes
    ("13,000 OGRNIP", [with_check_digit(f"32477{place:09}", 13) for place in range(13_000)], [10_000, 11_000, 11_000, 13_000]),
    ("11,000 OGRN", [with_check_digit(f"12477{place:07}", 11) for place in range(11_000)], [11_000] * 4),
]:
    answers = [taken(number) for number in made]
    found = [sum(column) for column in zip(*answers)]
    print(f"{what}, taken by {LIBRARIES}: {found}, expected all")
    if found != known:
        print(f"  CHANGED: it was {known}")
        changed += 1
for remainder, known in [(9, [True] * 4), (10, [False, True, True, True]), (11, [False, False, False, True]), (12, [False, False, False, True])]:
    digits = next(digits for digits in (f"32477{place:09}" for place in range(13)) if int(digits) % 13 == remainder)
    number = with_check_digit(digits, 13)
    found = taken(number)
    print(f"  {number}, remainder {remainder}: {found}, expected all True")
    if found != known:
        print(f"    CHANGED: it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
