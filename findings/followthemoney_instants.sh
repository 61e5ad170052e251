#!/usr/bin/env bash
# followthemoney 4.11.2, dates: the decimals of the seconds decide whether the zone counts, and a Z takes the seconds away.
# With three decimals, as ISO 20022 writes them, or without seconds, +02:00 is left out; with no decimals or six it is turned into UTC.
# So one moment in two writings is two values, here two hours and a day apart; neither is refused.
# Expected: one moment is one value, or a refusal. The documentation names UTC as the only zone, and seconds as a precision that is kept.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check followthemoney==4.11.2 prefixdate==0.6.1
cat > "$folder/finding.py" << 'PYTHON'
import datetime
import importlib.metadata
import sys

from followthemoney import model

changed = 0


def kept(written):
    payment = model.make_entity("Payment")
    payment.add("date", written)
    return payment.first("date")


print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in ["followthemoney", "prefixdate"]))
for title, cases in [
    ("One moment, 22:30:00 UTC on 30 April", [
        ("2021-05-01T00:30:00+02:00", "2021-04-30T22:30:00"),
        ("2021-05-01T00:30:00.000000+02:00", "2021-04-30T22:30:00"),
        ("2021-05-01T00:30:00.0000+02:00", "2021-04-30T22:30:00"),
        ("2021-05-01T00:30:00.000+02:00", "2021-05-01T00:30:00"),
        ("2021-05-01T00:30:00.0+02:00", "2021-05-01T00:30:00"),
        ("2021-05-01T00:30:00.000000000+02:00", "2021-05-01T00:30:00"),
        ("2021-05-01T00:30+02:00", "2021-05-01T00:30"),
    ]),
    ("One moment, 22:30:45 UTC on 30 April", [
        ("2021-04-30T22:30:45", "2021-04-30T22:30:45"),
        ("2021-04-30T22:30:45+00:00", "2021-04-30T22:30:45"),
        ("2021-04-30T22:30:45Z", "2021-04-30T22:30"),
        ("2021-04-30T22:30:45.000Z", "2021-04-30T22:30:45"),
    ]),
]:
    print(title)
    for written, known in cases:
        read = datetime.datetime.fromisoformat(written)
        if read.tzinfo is not None:
            read = read.astimezone(datetime.timezone.utc)
        found = kept(written)
        expected = read.strftime("%Y-%m-%dT%H:%M:%S" if written.count(":") > 2 or "+" not in written else "%Y-%m-%dT%H:%M")
        print(f"  {written}: {found}, expected {expected}" + ("" if found == expected else "  <- another"))
        if found != known:
            print(f"    CHANGED: it was {known}")
            changed += 1
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
