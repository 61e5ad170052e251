"""The kernels of `analytics` beside snapml's Graph Feature Preprocessor: counts of every edge, and edges a second.

Fan-in, fan-out, scatter-gather, and cycles in time order of up to five payments; all windows are 86,400 s, both sides take one thread.
snapml is fed by `transform` alone, one batch for all edges. How to run it: README.md beside this file.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import snapml

DAY = 86_400
SIZES = list(range(2, 31))
LENGTHS = [2, 3, 4, 5]
# Columns of the counts, in the order in which both sides have them.
PARTS = {
    "fan-in": slice(0, 29),
    "fan-out": slice(29, 58),
    "scatter-gather": slice(58, 87),
    "cycles": slice(87, 91),
}
PATTERNS = ["fan", "scatter-gather", "temp-cycle"]
# Not 0: an edge of that time hides cycles from snapml (findings/).
FIRST_SECOND = 1_700_000_000


def network(accounts, edges, days, seed):
    """Edges in the order of time, drawn evenly; no self payments, which snapml takes for fans and intermediaries (findings/)."""
    random = numpy.random.default_rng(seed)
    source = random.integers(0, accounts, edges)
    target = (source + 1 + random.integers(0, accounts - 1, edges)) % accounts
    seconds = FIRST_SECOND + numpy.sort(random.integers(0, max(1, round(days * DAY)), edges))
    return numpy.column_stack([source, target, seconds])


def theirs(edges, patterns=PATTERNS):
    """snapml's counts, and its processor time; a new preprocessor for each batch, as it keeps what it was fed."""
    preprocessor = snapml.GraphFeaturePreprocessor()
    params = {"num_threads": 1, "time_window": -1, "vertex_stats": False}
    for pattern in ["fan", "degree", "scatter-gather", "temp-cycle", "lc-cycle"]:
        params |= {pattern: pattern in patterns, f"{pattern}_tw": DAY}
        # Cycles have a last bin for what is longer than five payments, which is left out below.
        params[f"{pattern}_bins"] = [*LENGTHS, 6] if pattern == "temp-cycle" else SIZES
    preprocessor.set_params(params)
    batch = numpy.column_stack([numpy.arange(len(edges)), edges]).astype(float)
    began = time.process_time()
    found = preprocessor.transform(batch)
    seconds = time.process_time() - began
    counts = found[:, batch.shape[1]:]
    return (counts[:, :-1] if "temp-cycle" in patterns else counts).astype(numpy.int64), seconds


class Ours:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, edges, counted=True):
        """The kernels' counts, and their processor time: all, network, fans, scatter-gather, cycles."""
        file, counts = self.folder / "edges", self.folder / "counts"
        numpy.savetxt(file, edges, fmt="%d")
        arguments = [self.program, file] + ([counts] if counted else [])
        printed = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
        found = numpy.loadtxt(counts, dtype=numpy.int64, ndmin=2) if counted else None
        return found, [float(seconds) for seconds in printed.split()]


def compare_counts(ours, networks):
    """Networks from sparse to dense, of few and of many accounts, so that there are patterns, parallel edges and equal times in each."""
    print(f"Counts on {networks} random networks: edges, and those whose counts differ\n")
    print("| seed | accounts | edges | days | " + " | ".join(f"sum of {part}" for part in PARTS) + " | edges that differ |")
    print("|---" * (5 + len(PARTS)) + "|")
    differing = 0
    for seed in range(networks):
        random = numpy.random.default_rng(1_000 + seed)
        accounts, edges = int(random.integers(20, 400)), int(random.integers(500, 3_000))
        # One to four edges out of an account a day: more make snapml enumerate long cycles for hours, as it has no bound on their length.
        days = edges / accounts / random.uniform(1, 4)
        drawn = network(accounts, edges, days, seed)
        found, (expected, _) = ours.run(drawn)[0], theirs(drawn)
        different = int((found != expected).any(axis=1).sum())
        differing += different
        sums = " | ".join(str(int(found[:, part].sum())) for part in PARTS.values())
        print(f"| {seed} | {accounts} | {edges} | {days:.1f} | {sums} | {different} |", flush=True)
    return differing


def compare_rates(ours, accounts, edges, days, rounds):
    print(f"\nEdges a second, {edges} edges of {accounts} accounts over {days} days; median of {rounds} turns of each\n")
    drawn = network(accounts, edges, days, 1)
    their_seconds, our_seconds = [], []
    for _ in range(rounds):
        expected, seconds = theirs(drawn)
        their_seconds.append([seconds, *(theirs(drawn, [pattern])[1] for pattern in PATTERNS)])
        found, (whole, building, *parts) = ours.run(drawn)
        our_seconds.append([whole, *(building + part for part in parts)])
    print("| | snapml | kernels, network included | ratio |\n|---|---|---|---|")
    ratios = []
    for place, name in enumerate(["all", *PATTERNS]):
        theirs_of, ours_of = (statistics.median(turn[place] for turn in turns) for turns in (their_seconds, our_seconds))
        ratios.append(theirs_of / ours_of)
        print(f"| {name} | {edges / theirs_of:,.0f} | {edges / ours_of:,.0f} | {ratios[-1]:.0f} |")
    different = int((found != expected).any(axis=1).sum())
    print(f"\n{different} of {edges} edges differ")
    return different, ratios[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", default="target/release/examples/kernels", help="the example `kernels` of the crate `analytics`")
    parser.add_argument("--networks", type=int, default=20)
    parser.add_argument("--accounts", type=int, default=5_000)
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--days", type=float, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(options.kernels, folder)
        differing = compare_counts(ours, options.networks)
        different, ratio = compare_rates(ours, options.accounts, options.edges, options.days, options.rounds)
    if differing or different or ratio < 5:
        sys.exit("not as it must be: all counts equal, and five times the edges a second")


if __name__ == "__main__":
    main()
