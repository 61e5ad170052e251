#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""kglite answers some reads of openCypher otherwise than the standard, without an error: conditions that are dropped, nodes that are tried once.

Seen by comparing random statements with Neo4j 5.26. The Python wheel and the Rust crate have one engine; the crate 0.21.5 answers the same.
"""

import json

from common import python, seen

CODE = """
import json
import kglite

graph = kglite.KnowledgeGraph()
ask = lambda text: [list(row.values()) for row in list(graph.cypher(text))]
ask("CREATE (:Account {id: 'a', size: 9})")
ask("CREATE (:Account {id: 'b', size: 1})")
ask("CREATE (:Device {id: 'd'})")
ask("UNWIND ['p', 'q'] AS ip MATCH (d:Device {id: 'd'}) MERGE (x:Address {id: ip}) MERGE (d)-[:SEEN_AT]->(x)")
ask("UNWIND ['p', 'q'] AS ip MATCH (d:Device {id: 'd'}) MATCH (a:Account {id: 'a'}) CREATE (d)-[:SIGNED_IN {ip: ip}]->(a)")
signed_in = "MATCH (n:Account {id: 'a'}) CALL { WITH n MATCH (n)<-[r:SIGNED_IN]-(:Device)-[:SEEN_AT]->(x:Address) WHERE r.ip = x.id "
statements = [
    "MATCH (n:Account {id: 'a'}) WHERE n.size < 5 RETURN n.id AS id",
    "MATCH (n:Account {id: 'a'}) WHERE n.size < 5 AND NOT n:Closed RETURN n.id AS id",
    signed_in + "RETURN count(DISTINCT x) AS found } RETURN found",
    signed_in + "WITH DISTINCT x RETURN count(*) AS found } RETURN found",
    "MATCH (n:Account) OPTIONAL MATCH (n)<-[:SIGNED_IN {ip: 'p'}]-(d) WITH d, count(*) AS n RETURN n ORDER BY n",
    "MATCH (n:Account {id: 'a'}) RETURN [1] + n.missing AS list",
]
print(json.dumps([kglite.__version__, [[text, ask(text)] for text in statements]]))
"""

version, answers = json.loads(python(["kglite==0.21.2"], CODE).splitlines()[-1])
KNOWN = [
    ([], "no row: the size is 9"),
    ([["a"]], "no row: a second condition does not take the first one away"),
    ([[1]], "2: the account was signed in to from two addresses"),
    ([[2]], "2"),
    ([[2]], "two rows of 1: one account has the device, the other has none"),
    ([[[1, None]]], "null: a list and null are null"),
]
seen(
    "kglite: conditions beside an id are dropped, and count(DISTINCT n) tries each node once",
    f"kglite {version}",
    [(text, answer, known, expected) for (text, answer), (known, expected) in zip(answers, KNOWN)],
)
PYTHON
