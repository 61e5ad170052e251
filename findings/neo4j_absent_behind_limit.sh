#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""Neo4j: behind a LIMIT or SKIP an aggregate of a property leaves out nodes without the property BEFORE it cuts, once the property has an index.

The planner turns `count(n.size)` into a condition on the scan, which is right without a LIMIT only. Another column beside it (`count(*)`) hides it.
"""

from common import NEO4J_VERSION, neo4j, seen

STATEMENTS = [
    "UNWIND range(1, 10) AS i CREATE (n:Parcel {id: i}) SET n.size = CASE WHEN i > 5 THEN i END",
    "MATCH (n:Parcel) WITH n LIMIT 8 RETURN count(n.size) AS sized",
    "CREATE INDEX FOR (n:Parcel) ON (n.size)",
    "CALL db.awaitIndexes()",
    "MATCH (n:Parcel) WITH n LIMIT 8 RETURN count(n.size) AS sized",
    "MATCH (n:Parcel) WITH n SKIP 3 RETURN count(n.size) AS sized",
    "MATCH (n:Parcel) WITH n LIMIT 8 RETURN count(n.size) AS sized, count(*) AS all",
]
answers = neo4j(STATEMENTS)
KNOWN = {
    1: ("{sized=3}", "3 of the first 8 have a size"),
    4: ("{sized=5}", "3, as without the index: an index changes no answer"),
    5: ("{sized=2}", "5: the 3 that are passed over have none"),
    6: ("{all=8, sized=3}", "3 of 8"),
}
cases = [(STATEMENTS[at], answers[at], known, expected) for at, (known, expected) in KNOWN.items()]
seen("Neo4j: an index changes what is counted behind a LIMIT", NEO4J_VERSION, cases)
PYTHON
