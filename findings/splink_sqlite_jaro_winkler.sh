#!/usr/bin/env bash
# Splink 5.0.0 on SQLite: a Jaro-Winkler level takes the least similar names, and leaves out the most similar ones.
# The level asks for a value of at least the threshold. On DuckDB that value is the similarity; on SQLite it is the distance.
# So on SQLite one model gives names without a common letter the level of 0.9, and Robert and Roberto none; nothing is said.
# Expected: a model answers alike on each of Splink's engines, and the level of 0.9 has names whose similarity is 0.9 or more.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check splink==5.0.0 duckdb==1.5.6 rapidfuzz==3.14.6 pandas==2.3.3
cat > "$folder/finding.py" << 'PYTHON'
import importlib.metadata
import sys

import pandas
import splink.comparison_library as library
from rapidfuzz.distance import JaroWinkler
from splink import DuckDBAPI, Linker, SettingsCreator
from splink.backends.sqlite import SQLiteAPI

people = pandas.DataFrame(
    [(0, "Robert", "all"), (1, "Roberto", "all"), (2, "Shafiq", "all")],
    columns=["unique_id", "name", "block"],
)


def levels(engine, comparison, thresholds):
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[comparison()],
        blocking_rules_to_generate_predictions=["l.block = r.block"],
        retain_intermediate_calculation_columns=True,
    )
    linker = Linker(engine.register(people), settings, log_level=40)
    rows = linker.inference.predict().as_pandas_dataframe().to_dict("records")
    names = ["other", *map(str, reversed(thresholds)), "equal"]
    return {tuple(sorted([row["name_l"], row["name_r"]])): names[row["gamma_name"]] for row in rows}


changed = 0
print("splink", importlib.metadata.version("splink"))
for comparison, thresholds in [
    (lambda: library.JaroWinklerAtThresholds("name", [0.9, 0.7]), [0.9, 0.7]),
    (lambda: library.NameComparison("name"), [0.92, 0.88, 0.7]),
]:
    print(f"{type(comparison()).__name__} of {thresholds}")
    duckdb, sqlite = levels(DuckDBAPI(), comparison, thresholds), levels(SQLiteAPI(), comparison, thresholds)
    for pair, known in [
        (("Robert", "Roberto"), (str(thresholds[0]), "other")),
        (("Robert", "Shafiq"), ("other", str(thresholds[0]))),
    ]:
        alike = JaroWinkler.similarity(*pair)
        expected = next((str(level) for level in thresholds if alike >= level), "other")
        found = (duckdb[pair], sqlite[pair])
        print(f"  {' and '.join(pair)}, similarity {alike:.2f}: level {found[0]} on DuckDB, {found[1]} on SQLite; expected {expected} on both")
        if found != known:
            print(f"    CHANGED: it was {known}")
            changed += 1
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
