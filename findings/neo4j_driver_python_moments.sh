#!/usr/bin/env bash
# neo4j 6.4.1, the driver for Python: the difference of two moments ignores their offsets, though comparing them does not.
# Two moments that are equal are two hours apart, and a later one is no time after an earlier one.
# Months and days are subtracted each for itself, for moments though not for dates. A day more keeps the offset of before, also where summer time begins.
# Expected: what `duration.between` and `+` of Cypher say of the same values, and what the datetime of Python says of different offsets.
# Needs Python 3.10 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check neo4j==6.4.1 pytz==2025.2
"$folder/env/bin/python" - << 'PYTHON'
import datetime
import sys

import neo4j
import pytz
from neo4j.time import Date, DateTime, Duration

AMSTERDAM = pytz.timezone("Europe/Amsterdam")  # the driver itself makes the zones of what it reads with pytz


def moment(hour, minutes_east):
    return DateTime(2024, 1, 1, hour, 0, 0, 0, tzinfo=pytz.FixedOffset(minutes_east))


def local(*at, summer=None):
    return DateTime.from_native(AMSTERDAM.localize(datetime.datetime(*at), is_dst=summer))


def native(value):
    return value.to_native()


noon_east, ten, noon = moment(12, 120), moment(10, 0), moment(12, 0)
first, second = local(2024, 10, 27, 2, 30, summer=True), local(2024, 10, 27, 2, 30, summer=False)
before = local(2024, 3, 30, 12)
CASES = [  # what is asked; what comes; what came; what one expects
    ("12:00+02:00 == 10:00Z", noon_east == ten, "True", "the same"),
    ("12:00+02:00 - 10:00Z", (noon_east - ten).iso_format(), "PT2H", "PT0S: they are equal"),
    ("the same by Python's datetime", native(noon_east) - native(ten), "0:00:00", "the same"),
    ("12:00+02:00 less Python's datetime of 10:00Z", noon_east - native(ten), "2:00:00", "0:00:00"),
    ("12:00Z > 12:00+02:00", noon > noon_east, "True", "the same"),
    ("12:00Z - 12:00+02:00", (noon - noon_east).iso_format(), "PT0S", "PT2H"),
    ("12:00+02:00 plus 12:00Z less 12:00+02:00, is it 12:00Z", noon_east + (noon - noon_east) == noon, "False", "True"),
    ("first 2:30 < second 2:30, when summer time ends", first < second, "True", "the same"),
    ("second 2:30 less the first", (second - first).iso_format(), "PT0S", "PT1H"),
    ("2024-03-01 less 2024-01-31, dates", (Date(2024, 3, 1) - Date(2024, 1, 31)).iso_format(), "P30D", "the same, or P1M1D as by duration.between"),
    ("the same, moments", (DateTime(2024, 3, 1) - DateTime(2024, 1, 31)).iso_format(), "P2M-30D", "P30D, as of the dates, or P1M1D as by duration.between"),
    ("2024-03-30T12:00+01:00 in Amsterdam, and a day", (before + Duration(days=1)).iso_format(), "2024-03-31T12:00:00.000000000+01:00", "2024-03-31T12:00+02:00"),
]
changed = 0
print("neo4j", neo4j.__version__)
for asked, found, known, expected in CASES:
    print(f"\n  {asked}\n    comes:    {found}\n    expected: {expected}")
    if str(found) != known:
        print(f"    CHANGED:  it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
