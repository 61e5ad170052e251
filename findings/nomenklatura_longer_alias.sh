#!/usr/bin/env bash
# nomenklatura 4.17.4, LogicV2: a further, longer alias of a listed person or company takes its score away.
# Names that a longer one contains are dropped before the comparison, unless a name of the query is the same as one of them.
# So a query that is spelled a little otherwise scores 0.9 against one list's entry, and 0.64 once another list's is merged into it.
# Expected: who has one more alias is found at least as well as before. The score of an entity is that of the best of its names.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nomenklatura==4.17.4 followthemoney==4.11.2 rigour==2.6.1
cat > "$folder/finding.py" << 'PYTHON'
import importlib.metadata
import itertools
import sys

from followthemoney import model
from nomenklatura.matching import LogicV2

changed = 0
ids = itertools.count()


def entity(schema, names):
    made = model.make_entity(schema)
    made.id = f"e-{next(ids)}"  # a new one each time: names are kept by the id
    made.add("name", names[0])
    made.add("alias", names[1:])
    return made


def score(schema, query, *listed):
    return round(LogicV2.compare(entity(schema, [query]), entity(schema, listed), LogicV2.default_config()).score, 2)


def tell(what, found, known, expected):
    global changed
    print(f"  {what}: {found}, expected {expected}")
    if found != known:
        print(f"    CHANGED: it was {known}")
        changed += 1


print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in ["nomenklatura", "followthemoney", "rigour"]))
for schema, query, short, long, known in [
    ("Person", "Mohammed Hassan", "Mohammed Hassan", "Mohammed Hassan Ibrahim Saleh Omar Khalil", [1.0, 0.71, 1.0]),
    ("Person", "Mohamed Hasan", "Mohammed Hassan", "Mohammed Hassan Ibrahim Saleh Omar Khalil", [0.9, 0.64, 0.64]),
    ("Company", "Exampel Shipping", "Example Shipping", "Example Shipping and Trading of the East Coast", [0.84, 0.58, 0.58]),
]:
    print(f"{schema} {query}, against")
    alone, longer, both = score(schema, query, short), score(schema, query, long), score(schema, query, short, long)
    tell(short, alone, known[0], alone)
    tell(long, longer, known[1], longer)
    tell(f"{short}, alias {long}", both, known[2], f"{max(alone, longer)}, the better of the two")
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
