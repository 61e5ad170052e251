#!/usr/bin/env bash
# snapml 1.17.2, GraphFeaturePreprocessor: five answers that its documentation does not lead one to expect.
# Expected: cycles whatever the clock's origin; a self payment makes no pattern; a late payment takes none away; one rule for a window's ends.
# And `fit_transform` counts a batch once, as `transform` does.
# Needs Python 3.9 to 3.12 on Linux. Makes an environment in a temporary folder; exits with an error when an answer is another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=
for candidate in python3.11 python3.12 python3.10 python3.9 python3; do
  if command -v "$candidate" > /dev/null && "$candidate" -c 'import sys, venv; sys.exit(not (3, 9) <= sys.version_info < (3, 13))' 2> /dev/null; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || { echo 'no Python 3.9 to 3.12' >&2; exit 1; }
"$python" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check snapml==1.17.2
"$folder/env/bin/python" - << 'PYTHON'
import importlib.metadata
import sys

import numpy
from snapml import GraphFeaturePreprocessor

DAY, BINS = 86_400, [2, 3, 4]
print("snapml", importlib.metadata.version("snapml"), "python", sys.version.split()[0])


def preprocessor(pattern):
    made = GraphFeaturePreprocessor()
    params = {"num_threads": 1, "time_window": -1, "vertex_stats": False}
    for other in ["fan", "degree", "scatter-gather", "temp-cycle", "lc-cycle"]:
        params |= {other: other == pattern, f"{other}_tw": DAY, f"{other}_bins": BINS}
    made.set_params(params)
    return made


def counts(pattern, edges, feed=lambda made, batch: made.transform(batch)):
    batch = numpy.array([[place, *edge] for place, edge in enumerate(edges)], dtype=float)
    return feed(preprocessor(pattern), batch)[:, 4:].astype(int).tolist()


differs = []


def expect(what, found, expected):
    print(f"{what}: {found}")
    if found != expected:
        differs.append(what)


# The ring 1 -> 4 -> 3 -> 1 is found; an edge 1 -> 2 of the time 0 before it hides it, one of the time 1 does not.
ring = [(3, 1, 10), (1, 4, 20), (4, 3, 30)]
one, none = [0, 1, 0], [0, 0, 0]
expect("cycles behind an edge of the time 1", counts("temp-cycle", [(1, 2, 1), *ring]), [none, one, one, one])
expect("cycles behind an edge of the time 0", counts("temp-cycle", [(1, 2, 0), *ring]), [none, none, none, none])

# A self payment 9 -> 9 is counted as one more closing of a fan-in of 1 and 2, without being a member; and 1 is an intermediary of itself.
expect("fan-in and fan-out beside a self payment", counts("fan", [(1, 9, 1_000), (2, 9, 1_001), (9, 9, 1_002)]), [[2, 0, 0] + none, [2, 0, 0] + none, none + none])
expect("scatter-gather over a self payment", counts("scatter-gather", [(1, 2, 1_000), (1, 1, 1_001), (1, 3, 1_002), (2, 3, 1_003)]), [[1, 0, 0]] * 4)

# A payment thirty days later erases a scatter-gather, when all are in one batch.
diamond = [(1, 2, 1_000), (1, 3, 1_000), (2, 4, 1_001), (3, 4, 1_002)]
expect("a scatter-gather", counts("scatter-gather", diamond), [[1, 0, 0]] * 4)
expect("the same, and a payment 30 days later", counts("scatter-gather", [*diamond, (1, 2, 1_000 + 30 * DAY)]), [none] * 5)

# Windows: a fan's leaves out its first second, a cycle's has it.
expect("a fan over exactly its window", counts("fan", [(1, 9, 1_000), (2, 9, 1_000 + DAY)]), [none + none] * 2)
expect("a cycle over exactly its window", counts("temp-cycle", [(1, 9, 1_000), (9, 1, 1_000 + DAY)]), [[1, 0, 0]] * 2)

# `fit_transform` inserts the batch twice: two payments into one account are four.
into = [(1, 9, 1_000), (2, 9, 1_001)]
def in_degrees(found):
    return [counted[:3] for counted in found]


expect("in-degrees by transform", in_degrees(counts("degree", into)), [[1, 0, 0]] * 2)
expect("in-degrees by fit_transform", in_degrees(counts("degree", into, lambda made, batch: made.fit_transform(batch))), [[2, 0, 2], [0, 0, 2]])

sys.exit(f"another answer: {', '.join(differs)}" if differs else 0)
PYTHON
