#!/usr/bin/env bash
# kglite 0.21.2: while a label has fewer than 16,384 nodes, each transaction that adds one copies the column of every list property it has, whole. From the
# 16,385th node on it does not. Texts and numbers are not copied so.
# Seen: a transaction that adds one node takes 1.1 ms beside 16,000 nodes with a list of two texts, 0.06 ms where the same is one text; beside 16,400 nodes
# both take 0.02 ms. A list that is kept as one text saves it. The Rust crate is the same engine.
# Needs Python 3.10 or later. Exits with 1 when lists cost less than five times as much as texts below the limit, or more than three times beyond.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check kglite==0.21.2
"$folder/env/bin/python" - << 'PYTHON'
import statistics
import sys
import time

import kglite


def milliseconds(nodes, value):
    """The median of transactions that add one node each to so many."""
    graph = kglite.KnowledgeGraph()
    graph.cypher(f"UNWIND range(1, {nodes}) AS n CREATE (:Batch {{id: 'b' + toString(n), items: {value}}})")
    taken = []
    for turn in range(41):
        begun = time.perf_counter()
        transaction = graph.begin()
        transaction.cypher(f"CREATE (:Batch {{id: 'new-{turn}', items: {value}}})")
        transaction.commit()
        taken.append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken)


print(f"{'nodes':>8} {'list, ms':>10} {'text, ms':>10} {'ratio':>8}")
ratios = {}
for nodes in (1_000, 8_000, 16_000, 16_400, 32_000):
    lists, texts = milliseconds(nodes, "['a', 'b']"), milliseconds(nodes, "'a b'")
    ratios[nodes] = lists / texts
    print(f"{nodes:>8,} {lists:>10.3f} {texts:>10.3f} {ratios[nodes]:>8.1f}")
if ratios[16_000] < 5 or ratios[16_400] > 3:
    sys.exit("lists are copied otherwise now")
PYTHON
