#!/usr/bin/env bash
# networkx 3.7 counts payments wrongly, without an error, when they are kept in its multigraphs: some vanish, and the amounts of others are not read.
# A number tells parallel edges apart, and counts anew for each direction and each graph. So the first payment back overwrites the first one there.
# The texts of to_undirected() and compose() warn of it. That of MultiGraph() does not, and overall_reciprocity() uses the first of them all the same.
# Some measures look for the amount among the numbers, find none, and take 1: even where no two edges are parallel.
# Expected: no payment less, and of a measure the answer for the simple graph of the same amounts. Its decorator `not_implemented_for` refuses elsewhere.
# Needs Python 3.12 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=
for candidate in python3 python3.14 python3.13 python3.12 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python3; do
  if command -v "$candidate" > /dev/null && "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 12) or sys.version_info[:3] == (3, 14, 1))' 2> /dev/null; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || { echo 'no Python 3.12 or later' >&2; exit 1; }
"$python" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check networkx==3.7 numpy==2.5.5 scipy==1.18.1
"$folder/env/bin/python" - << 'PYTHON'
import sys

import networkx


def payments(kind, *edges):
    graph = kind()
    for source, target, amount in edges:
        graph.add_edge(source, target, amount=amount)
    return graph


def total(graph):
    return sum(amount for _, _, amount in graph.edges(data="amount", default=0))


def rounded(of_node):
    return {node: round(value, 3) + 0.0 for node, value in sorted(of_node.items())}


both_ways = payments(networkx.MultiDiGraph, ("a", "b", 100), ("b", "a", 250), ("a", "b", 30))
january, february = (payments(networkx.MultiDiGraph, ("a", "b", amount)) for amount in (100, 250))
owned = payments(networkx.MultiDiGraph, ("a", "x", 100), ("b", "x", 200), ("x", "b", 50))
# No two of these are parallel, so that the graph and the multigraph are the same. (With texts for numbers the flow differs from run to run.)
ring = [(1, 2, 10), (2, 3, 20), (3, 4, 10), (4, 1, 40), (1, 3, 30)]
graph, multigraph = payments(networkx.Graph, *ring), payments(networkx.MultiGraph, *ring)
CASES = [  # what is asked; what comes; what one expects
    ("total of 100 and 30 there, and 250 back", total(both_ways), 380, "380"),
    ("the same, both_ways.to_undirected()", total(both_ways.to_undirected()), 280, "380; its text warns that one of two edges is kept"),
    ("the same, MultiGraph(both_ways)", total(networkx.MultiGraph(both_ways)), 130, "380, or at least what to_undirected() keeps"),
    ("reciprocity(both_ways, 'a')", networkx.reciprocity(both_ways, "a"), 1.0, "the same: each payment has one back"),
    ("overall_reciprocity(both_ways)", round(networkx.overall_reciprocity(both_ways), 3), 0.667, "1.0, as of each account"),
    ("total of compose(january, february), 100 and 250", total(networkx.compose(january, february)), 250, "350: the union of two multigraphs; its text warns of the numbers"),
    ("total of quotient_graph, a and b of one owner, weight='amount'", total(networkx.quotient_graph(owned, [{"a", "b"}, {"x"}], weight="amount")), 0, "350"),
]
for measure, known in [
    (networkx.average_neighbor_degree, {1: 0.087, 2: 0.2, 3: 0.117, 4: 0.12}),
    (networkx.current_flow_betweenness_centrality, {1: -0.596, 2: 0.005, 3: -0.296, 4: -0.945}),
]:
    asked = f"{measure.__name__}(multigraph, weight='amount')"
    CASES.append((asked, rounded(measure(multigraph, weight="amount")), known, rounded(measure(graph, weight="amount"))))
asked = "local_constraint(multigraph, 1, 2, weight='amount')"
CASES.append((asked, round(networkx.local_constraint(multigraph, 1, 2, "amount"), 3), 0.198, round(networkx.local_constraint(graph, 1, 2, "amount"), 3)))

changed = 0
print("networkx", networkx.__version__)
for asked, found, known, expected in CASES:
    print(f"\n  {asked}\n    comes:    {found}\n    expected: {expected}")
    if found != known:
        print(f"    CHANGED:  it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
