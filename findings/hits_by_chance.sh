#!/usr/bin/env bash
# igraph 1.0.0 and scikit-network 0.33.5, HITS (who pays are hubs, who is paid are authorities): of a chain or a ring of payments, the scores are chance.
# Both take one vector of the largest eigenvalue. In a chain, in a ring and of two collectors that are alike, several vectors share it, and so does any
# mixture of them. Each call begins with random numbers and ends with another mixture; what is negative in it becomes 0.
# So an account of a ring is the best hub in one call and none in the next. Of two collectors with two payers each, one has all and the other nothing, in
# half of igraph's calls. No warning comes. numpy's seed makes the calls of scikit-network alike, but not like the definition; Python's seed, which
# makes igraph's random graphs alike, does not make these so. networkx had the same up to 3.6.1, with scores below 0 as well, and has mended it in 3.7.
# Expected: what is alike has like scores, in each call. Kleinberg (Journal of the ACM 46, 1999) begins with 1 for all, which has one answer; it is written
# out below, and rustworkx 0.18.1 gives it. Neither text says that scores may differ by call.
# For who watches payments: chains and rings are how layering looks, so an alert by such a score comes on one day and not on the next, of the same payments.
# What helps: the iteration with 1 for all, or a measure with one answer, such as PageRank.
# Needs Python 3.11 to 3.13. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check igraph==1.0.0 scikit-network==0.33.5 rustworkx==0.18.1 numpy==2.2.6 scipy==1.15.3
"$folder/env/bin/python" - << 'PYTHON'
import importlib.metadata
import sys

import igraph
import numpy
import rustworkx
import scipy.sparse
from sknetwork.ranking import HITS

CALLS = 200
PAYMENTS = {  # who pays whom
    "a chain": [(0, 1), (1, 2), (2, 3)],
    "a ring": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "two collectors of two payers each": [(0, 1), (2, 1), (3, 4), (5, 4)],
}

def definition(matrix):
    hubs = numpy.ones(len(matrix))
    for _ in range(100):
        hubs = matrix @ (matrix.T @ hubs)
        hubs /= hubs.sum()
    return hubs

def with_igraph(payments, size):
    return igraph.Graph(payments, n=size, directed=True).hub_score()

def with_scikit_network(payments, size):
    pays, paid = zip(*payments)
    return HITS().fit(scipy.sparse.csr_matrix((numpy.ones(len(payments)), (pays, paid)), shape=(size, size))).scores_row_

def with_rustworkx(payments, size):
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(pays, paid, 1.0) for pays, paid in payments])
    hubs = rustworkx.hits(graph)[0]
    return [hubs[account] for account in range(size)]

LIBRARIES = {"igraph": with_igraph, "scikit-network": with_scikit_network, "rustworkx": with_rustworkx}
KNOWN = {  # whether the scores differ by call, and whether an account that pays has none in a call
    "igraph": (True, True),
    "scikit-network": (True, True),
    "rustworkx": (False, False),
}
for library in LIBRARIES:
    print(library, importlib.metadata.version(library))
changed = False
for name, payments in PAYMENTS.items():
    size = max(map(max, payments)) + 1
    matrix = numpy.zeros((size, size))
    for pays, paid in payments:
        matrix[pays, paid] = 1
    expected = definition(matrix)
    print(f"\nHubs of {name} ({', '.join(f'{pays} pays {paid}' for pays, paid in payments)})\n    expected: {expected.round(3).tolist()}")
    for library, reckon in LIBRARIES.items():
        calls = [numpy.asarray(reckon(payments, size)) for _ in range(CALLS)]
        shares = [hubs / hubs.max() for hubs in calls]  # each library has another sum
        differ = any(not numpy.allclose(share, shares[0], atol=0.01) for share in shares)
        none = sum(bool((share[expected > 0] < 0.01).any()) for share in shares)
        print(f"    {library}: {'differs by call' if differ else 'the same in each call'}; in {none} of {CALLS} calls an account that pays has no score")
        for hubs in calls[: 3 if differ else 1]:
            print(f"        {(hubs.round(3) + 0.0).tolist()}")
        as_defined = all(numpy.allclose(share, expected / expected.max(), atol=0.01) for share in shares)
        if (differ, none > 0) != KNOWN[library] or as_defined == differ:
            print("        CHANGED")
            changed = True
sys.exit(changed)
PYTHON
