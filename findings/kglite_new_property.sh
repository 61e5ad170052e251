#!/usr/bin/env bash
# kglite 0.21.2 refuses a CREATE or MERGE whose map names a property that no node of the label has had yet, although it has no schema.
# The first node of a label may have any; from then on a new property comes in by SET alone. One that was set once is allowed for ever, also after all
# nodes are gone; one that was not is refused even then. So a statement that works on an empty store fails on a grown one, or after its text got a field.
# Expected: what openCypher says and Neo4j 5.26.24 does: a property needs no introduction. The Rust crate is the same engine.
# Needs Python 3.10 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check kglite==0.21.2
"$folder/env/bin/python" - << 'PYTHON'
import sys

import kglite

graph = kglite.KnowledgeGraph()


def ask(text):
    try:
        graph.cypher(text)
        return "taken"
    except Exception as error:
        return str(error).splitlines()[0]


def unknown(name):
    return f"Schema error: Unknown property '{name}' on Parcel."


CASES = [  # what is asked; what comes, where one expects "taken"
    ("CREATE (:Parcel {id: 'a', size: 1})", "taken"),
    ("CREATE (:Parcel {id: 'b', colour: 'red'})", unknown("colour")),
    ("MERGE (p:Parcel {id: 'b', colour: 'red'})", unknown("colour")),
    ("CREATE (:Parcel:Late {id: 'b', due: 1})", unknown("due")),
    ("CREATE (p:Parcel {id: 'b'}) SET p.colour = 'red'", "taken"),
    ("CREATE (p:Parcel {id: 'c'}) SET p += {depth: 2}", "taken"),
    ("CREATE (:Parcel {id: 'd', colour: 'blue', depth: 3})", "taken"),
    ("MATCH (p:Parcel) DETACH DELETE p", "taken"),
    ("CREATE (:Parcel {id: 'e', colour: 'red'})", "taken"),
    ("MATCH (p:Parcel) DETACH DELETE p", "taken"),
    ("CREATE (:Parcel {id: 'f', weight: 3})", unknown("weight")),
]
changed = 0
print("kglite", kglite.__version__)
for asked, known in CASES:
    found = ask(asked)
    print(f"\n  {asked}\n    comes:    {found}\n    expected: taken")
    if found != known:
        print(f"    CHANGED:  it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
