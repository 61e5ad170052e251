#!/usr/bin/env bash
# Three libraries answer otherwise than the definition, and than igraph 1.0.0, of directed graphs without loops and parallel edges; none says so.
# scikit-network 0.33.5: an account that pays nobody keeps its restarts for itself, so PageRank ranks it too high; four solvers give four answers.
# rustworkx 0.18.1: two accounts that pay each other count as one link of a core. networkit 11.3: one community of all has the modularity 0.75.
# Expected: the definitions, each written out below. The texts of the three libraries name no restriction to undirected graphs.
# Needs Python 3.11 to 3.13. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check igraph==1.0.0 networkit==11.3 rustworkx==0.18.1 scikit-network==0.33.5 numpy==2.2.6 scipy==1.15.3
"$folder/env/bin/python" - << 'PYTHON'
import importlib.metadata
import sys

import igraph
import networkit
import numpy
import rustworkx
from scipy.sparse import csr_matrix
from sknetwork.ranking import Betweenness, PageRank
from sknetwork.topology import get_core_decomposition


def matrix(count, payments):
    made = numpy.zeros((count, count))
    for source, target in payments:
        made[source, target] = 1
    return made


def page_rank(count, payments):
    """A walker goes on with 0.85, and starts anywhere otherwise; from an account that pays nobody it always starts anywhere."""
    steps = matrix(count, payments)
    for row in steps:
        row[:] = row / row.sum() if row.sum() else 1 / count
    ranks = numpy.ones(count) / count
    for _ in range(1000):
        ranks = 0.85 * ranks @ steps + 0.15 / count
    return ranks


def cores(count, payments):
    """The largest k of a set in which each account has k payments, in and out, with the others of the set."""
    found = [0] * count
    for k in range(1, count + len(payments)):
        left = set(range(count))
        while weak := {one for one in left if sum((one in pair) for pair in payments if left.issuperset(pair)) < k}:
            left -= weak
        for one in left:
            found[one] = k
    return found


def modularity(count, payments, communities):
    """The share of payments inside, less what it would be if ends met by chance (Leicht and Newman)."""
    inside = matrix(count, payments)
    chance = numpy.outer(inside.sum(1), inside.sum(0)) / len(payments)
    return sum(inside[a, b] - chance[a, b] for a in range(count) for b in range(count) if communities[a] == communities[b]) / len(payments)


def of_networkit(count, payments, communities):
    graph = networkit.Graph(count, directed=True)
    for pair in payments:
        graph.addEdge(*pair)
    partition = networkit.structures.Partition(count)
    partition.setUpperBound(count)
    for place, community in enumerate(communities):
        partition.addToSubset(community, place)
    return networkit.community.Modularity().getQuality(partition, graph)


def of_rustworkx(count, payments):
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(*pair, None) for pair in payments])
    return list(dict(sorted(rustworkx.core_number(graph).items())).values())


def rounded(values):
    return [round(float(value), 3) + 0.0 for value in values]


ONE = 2, [(0, 1)]
PAIR = 3, [(0, 1), (1, 0)]
RING = 3, [(0, 1), (1, 2), (2, 0)]
# 2 pays 1, 3 and 4; 1 and 4 pay it back, 3 pays nobody, and 0 has paid 4.
HUB = 5, [(0, 4), (2, 1), (2, 4), (1, 2), (2, 3), (4, 2)]
BY_IGRAPH = {"page_rank": lambda graph: graph.pagerank(), "cores": lambda graph: graph.coreness(), "betweenness": lambda graph: graph.betweenness()}


def ranked(solver, count, payments):
    return rounded(PageRank(solver=solver, n_iter=1000, tol=1e-12).fit_predict(csr_matrix(matrix(count, payments))))


def igraph_of(measure, count, payments):
    return rounded(BY_IGRAPH[measure](igraph.Graph(n=count, edges=payments, directed=True)))


CASES = [  # what is asked; what comes; what came; by the definition; by igraph
    ("scikit-network, PageRank, one payment: diteration", ranked("diteration", *ONE), [0.351, 0.649], rounded(page_rank(*ONE)), igraph_of("page_rank", *ONE)),
    ("the same: piteration, the default", ranked("piteration", *ONE), [0.112, 0.888], rounded(page_rank(*ONE)), igraph_of("page_rank", *ONE)),
    ("the same: bicgstab", ranked("bicgstab", *ONE), [0.117, 0.883], rounded(page_rank(*ONE)), igraph_of("page_rank", *ONE)),
    ("the same: push", ranked("push", *ONE), [0.305, 0.695], rounded(page_rank(*ONE)), igraph_of("page_rank", *ONE)),
    ("scikit-network, PageRank by default: 2 pays 1, 3 and 4, which pay it back but for 3; 0 has paid 4", ranked("piteration", *HUB), [0.034, 0.138, 0.328, 0.329, 0.17], rounded(page_rank(*HUB)), igraph_of("page_rank", *HUB)),
    ("scikit-network, betweenness of a ring of three", rounded(Betweenness().fit_predict(csr_matrix(matrix(*RING)))), [0.5] * 3, [1.0] * 3, igraph_of("betweenness", *RING)),
    ("scikit-network, cores of one payment and an account without any", rounded(get_core_decomposition(csr_matrix(matrix(3, [(0, 1)])))), [1.0, 0.0, 0.0], rounded(cores(3, [(0, 1)])), igraph_of("cores", 3, [(0, 1)])),
    ("rustworkx, cores of two accounts that pay each other", rounded(of_rustworkx(*PAIR)), [1.0, 1.0, 0.0], rounded(cores(*PAIR)), igraph_of("cores", *PAIR)),
    ("rustworkx, cores of a ring", rounded(of_rustworkx(*RING)), [2.0] * 3, rounded(cores(*RING)), igraph_of("cores", *RING)),
    ("networkit, modularity of a ring as one community", rounded([of_networkit(*RING, [0] * 3)]), [0.75], rounded([modularity(*RING, [0] * 3)]), rounded([igraph.Graph(n=3, edges=RING[1], directed=True).modularity([0] * 3)])),
]
changed = 0
print(*(f"{name} {importlib.metadata.version(name)}" for name in ["igraph", "networkit", "rustworkx", "scikit-network"]), sep=", ")
for asked, found, known, defined, by_igraph in CASES:
    print(f"\n  {asked}\n    comes:    {found}\n    expected: {defined}; igraph has {by_igraph}")
    if found != known or defined != by_igraph:
        print(f"    CHANGED:  it was {known}")
        changed += 1
sys.exit(1 if changed else 0)
PYTHON
