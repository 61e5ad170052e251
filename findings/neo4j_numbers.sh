#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""Neo4j: a sum of whole numbers that passes 64 bits on its way becomes a fraction, without a word and for good; the same as `+` is an error."""

from common import NEO4J_VERSION, neo4j, seen

CASES = [
    ("UNWIND [9223372036854775807, 1] AS x RETURN sum(x) AS s", "{s=9.223372036854776E18}", "an error, as of `9223372036854775807 + 1`"),
    ("UNWIND [9223372036854775807, 1, -2] AS x RETURN sum(x) AS s", "{s=9.223372036854776E18}", "9223372036854775806, which a whole number holds"),
    ("UNWIND [-2, 9223372036854775807, 1] AS x RETURN sum(x) AS s", "{s=9223372036854775806}", "the same whatever the order of rows"),
]
answers = neo4j([statement for statement, _, _ in CASES])
seen("Neo4j: sums of whole numbers depend on the order of rows", NEO4J_VERSION,
     [(statement, answer, known, expected) for (statement, known, expected), answer in zip(CASES, answers)])
PYTHON
