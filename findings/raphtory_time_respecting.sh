#!/usr/bin/env bash
# raphtory 0.17.0: what time-respecting paths and temporal motifs are found depends on the order in which payments were loaded, and not only on their times.
# A hop limit holds for a chain that is loaded backwards. Loaded forwards, a limit of one hop reaches everybody.
# Payments of one instant follow each other, though the documentation asks for a later time at each step, and a first one after the start.
# Motifs are of payments at different times; those of one instant are counted too, as one motif or another.
# Expected: what the documentation of `temporally_reachable_nodes` says and the paper on motifs that it names (Paranjape et al. 2017, strictly increasing).
# Needs Python 3.10 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check raphtory==0.17.0
"$folder/env/bin/python" - << 'PYTHON'
import importlib.metadata
import sys

from raphtory import Graph, algorithms


def loaded(payments):
    graph = Graph()
    for source, target, time in payments:
        graph.add_edge(time, source, target)
    return graph


def reached(payments, hops, start=0):
    found = algorithms.temporally_reachable_nodes(loaded(payments), hops, start, ["a"])
    return "".join(sorted(node.name for node, value in found.items() if value["reachable_nodes"]))


def motifs(payments):
    """Those that are there, by their place among the 40: 24 to 31 are of two accounts, 32 to 39 of three in a triangle."""
    counts = algorithms.global_temporal_three_node_motif(loaded(payments), 100)
    return {place: count for place, count in enumerate(counts) if count}


chain = [("a", "b", 5), ("b", "c", 6), ("c", "d", 7), ("d", "e", 8)]
instant = [("a", "b", 5), ("b", "c", 5), ("c", "d", 5)]
ring = [("a", "b", 10), ("b", "c", 10), ("c", "a", 10)]
later = [("a", "b", 10), ("b", "c", 11), ("c", "a", 12)]
there_and_back = [("a", "b", 10), ("b", "a", 10), ("a", "b", 20)]
CASES = [  # what is asked; what comes; what came; what one expects
    ("a pays b pays c pays d pays e, one hop, loaded backwards", reached(chain[::-1], 1), "ab", "ab"),
    ("the same, loaded forwards", reached(chain, 1), "abcde", "ab"),
    ("the same, two hops, backwards", reached(chain[::-1], 2), "abc", "abc"),
    ("the same, two hops, the second payment loaded first", reached([chain[1], chain[0], *chain[2:]], 2), "abcde", "abc"),
    ("a pays b at 5, from 5 on", reached(chain[:1], 9, 5), "ab", "a: a first payment is later than the start"),
    ("three payments of one instant, loaded backwards", reached(instant[::-1], 9), "abcd", "ab: each payment is later than the one before"),
    ("motifs of a ring at 10, 11 and 12", motifs(later), {35: 1}, "the same"),
    ("the same, loaded backwards", motifs(later[::-1]), {35: 1}, "the same"),
    ("motifs of a ring of one instant", motifs(ring), {35: 1}, "none"),
    ("the same, loaded backwards", motifs(ring[::-1]), {36: 1}, "none, or at least the same"),
    ("motifs of a payment, one back at once, and one later", motifs(there_and_back), {26: 1, 29: 1}, "none"),
    ("the same, loaded backwards", motifs(there_and_back[::-1]), {27: 1, 28: 1}, "none, or at least the same"),
]
changed = 0
print("raphtory", importlib.metadata.version("raphtory"))
for asked, found, known, expected in CASES:
    print(f"\n  {asked}\n    comes:    {found}\n    expected: {expected}")
    if found != known:
        print(f"    CHANGED:  it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
