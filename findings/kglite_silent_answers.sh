#!/usr/bin/env bash
# kglite 0.21.2 answers some reads otherwise than openCypher, without an error.
# count(DISTINCT n) tries each node once, and values that are equal are not one. What becomes of a condition beside an id: `kglite_condition_behind_id.sh`.
# Expected: what openCypher says and Neo4j 5.26.24 answers. The Rust crate is the same engine.
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
    return [list(row.values()) for row in graph.cypher(text)]


ask("CREATE (:Account {id: 'a', size: 9})")
ask("CREATE (:Account {id: 'b', size: 1})")
ask("CREATE (:Device {id: 'd'})")
ask("UNWIND ['p', 'q'] AS ip MATCH (d:Device {id: 'd'}) MERGE (x:Address {id: ip}) MERGE (d)-[:SEEN_AT]->(x)")
ask("UNWIND ['p', 'q'] AS ip MATCH (d:Device {id: 'd'}) MATCH (a:Account {id: 'a'}) CREATE (d)-[:SIGNED_IN {ip: ip}]->(a)")
SIGNED_IN = "MATCH (n:Account {id: 'a'}) CALL { WITH n MATCH (n)<-[r:SIGNED_IN]-(:Device)-[:SEEN_AT]->(x:Address) WHERE r.ip = x.id "
CASES = [  # what is asked; what comes; what one expects
    (SIGNED_IN + "RETURN count(DISTINCT x) AS found } RETURN found", [[1]], "2: the account was signed in to from two addresses"),
    (SIGNED_IN + "WITH DISTINCT x RETURN count(*) AS found } RETURN found", [[2]], "2"),
    ("MATCH (n:Account) OPTIONAL MATCH (n)<-[:SIGNED_IN {ip: 'p'}]-(d) WITH d, count(*) AS n RETURN n ORDER BY n", [[2]], "two rows of 1: one account has the device, one has none"),
    ("MATCH (n:Account {id: 'a'}) RETURN [1] + n.missing AS list", [[[1, None]]], "null: a list and null are null"),
    ("UNWIND [1, 1.0] AS x RETURN count(DISTINCT x) AS n, count(CASE WHEN x = 1 THEN 1 END) AS ones", [[2, 2]], "1 and 2: both are equal to 1, so they are one value"),
    ("RETURN duration.between(date('2024-01-31'), date('2024-03-01')).months AS months", [[0]], "1: a month and a day"),
    ("RETURN round(-1.5) AS rounded", [[-2.0]], "-1.0: halves go up, as 2.5 to 3.0"),
]
changed = 0
print("kglite", kglite.__version__)
for asked, known, expected in CASES:
    found = ask(asked)
    print(f"\n  {asked}\n    comes:    {found}\n    expected: {expected}")
    if found != known:
        print(f"    CHANGED:  it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
