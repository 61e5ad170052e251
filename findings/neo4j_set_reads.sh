#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""Neo4j: whether an item of a SET reads the old or the new value depends on what stands beside it, and on whether both are of one node.

Items of one node that follow each other are written at once, so the second reads the old value; a label, a map or another node between them parts them.
"""

from common import NEO4J_VERSION, neo4j, seen

ITEMS = [
    ("SET n.x = 2, n.y = n.x", "{x=2, y=1}", "the old value, or the new one: always the same"),
    ("SET n.x = 2, n:Marked, n.y = n.x", "{x=2, y=2}", "as above: a label has nothing to do with it"),
    ("SET n.x = 2, n.y = n.x, n:Marked", "{x=2, y=1}", "as above"),
    ("SET n += {x: 2}, n.y = n.x", "{x=2, y=2}", "as above: a map of one property is that property"),
    ("SET n.x = 2, m.x = 5, n.y = n.x", "{x=2, y=2}", "as above: m is another node"),
]
statements = []
for items, _, _ in ITEMS:
    statements.append("MATCH (n) DETACH DELETE n")
    statements.append("CREATE (:Item {id: 1, x: 1}), (:Item {id: 2, x: 9})")
    statements.append("MATCH (n:Item {id: 1}) MATCH (m:Item {id: 2}) " + items + " RETURN n.x AS x, n.y AS y")
answers = neo4j(statements)[2::3]
seen("Neo4j: an item of a SET reads the old or the new value, depending on its neighbours", NEO4J_VERSION,
     [(items, answer, known, expected) for (items, known, expected), answer in zip(ITEMS, answers)])
PYTHON
