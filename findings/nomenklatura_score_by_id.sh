#!/usr/bin/env bash
# nomenklatura 4.17.4, LogicV2: the score of two persons depends on who was compared before, and a month counts only where a day is known.
# The names of an entity are kept by its id alone. So the second of two queries with one id is scored by the names of the first.
# Two births in May and June 1970 are no mismatch when one of them has no day, though the months are known and differ.
# Expected: a score is a function of the two entities; a date of less precision is compared as far as it goes.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nomenklatura==4.17.4
cat > "$folder/finding.py" << 'PYTHON'
import importlib.metadata
import sys

from followthemoney import model
from nomenklatura.matching import LogicV2

changed = 0


def person(id, **properties):
    made = model.make_entity("Person")
    made.id = id
    for name, value in properties.items():
        made.add(name, value)
    return made


def score(what, query, listed, known, expected):
    global changed
    found = round(LogicV2.compare(query, listed, LogicV2.default_config()).score, 2)
    print(f"  {what}: {found}, expected {expected}")
    if found != known:
        print(f"    CHANGED: it was {known}")
        changed += 1


print("nomenklatura", importlib.metadata.version("nomenklatura"))
listed = person("listed", name="Robert Example")
score("Grace Holder, id q-1", person("q-1", name="Grace Holder"), listed, 0.0, "0.0: another name")
score("Robert Example, id q-2", person("q-2", name="Robert Example"), listed, 1.0, "1.0")
score("Grace Holder, id q-2", person("q-2", name="Grace Holder"), listed, 1.0, "0.0, as with the id q-1")

query = person("q-3", name="Robert Example", birthDate="1970-05-01")
for born, known, expected in [
    ("1970-06-01", 0.75, "0.75: another day"),
    ("1970-06", 1.0, "below 1.0: another month"),
    ("1971", 0.85, "0.85: another year"),
]:
    score(f"born 1970-05-01 and {born}", query, person(f"born-{born}", name="Robert Example", birthDate=born), known, expected)
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
