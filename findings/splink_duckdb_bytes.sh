#!/usr/bin/env bash
# Splink 5.0.0 on DuckDB 1.5.6, its usual engine: names are compared byte by byte, so that other scripts than Latin get other levels.
# All Russian letters begin with one of two bytes. So names whose Jaro-Winkler similarity is 0 reach the level of 0.7 of `NameComparison`.
# And one changed letter is one edit or two, by which letters they are: two for Петр and Пётр, one for Иван and Юван.
# Expected: characters, as DuckDB's documentation says of these functions, as Splink counts them on SQLite, and as rapidfuzz 3.14.6 does.
# Needs Python 3.11 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check splink==5.0.0 duckdb==1.5.6 rapidfuzz==3.14.6 pandas==2.3.3
cat > "$folder/finding.py" << 'PYTHON'
import importlib.metadata
import itertools
import sys

import pandas
import splink.comparison_library as library
from rapidfuzz.distance import JaroWinkler, Levenshtein
from splink import DuckDBAPI, Linker, SettingsCreator
from splink.backends.sqlite import SQLiteAPI

changed = 0


def tell(what, found, known, expected):
    global changed
    print(f"  {what}: {found}, expected {expected}")
    if found != known:
        print(f"    CHANGED: it was {known}")
        changed += 1


def levels(engine, names, comparison, named):
    people = pandas.DataFrame({"unique_id": range(len(names)), "name": names, "block": "all"})
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[comparison],
        blocking_rules_to_generate_predictions=["l.block = r.block"],
        retain_intermediate_calculation_columns=True,
    )
    linker = Linker(engine.register(people), settings, log_level=40)
    rows = linker.inference.predict().as_pandas_dataframe().to_dict("records")
    return {frozenset([row["name_l"], row["name_r"]]): named[row["gamma_name"]] for row in rows}


print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in ["splink", "duckdb", "rapidfuzz"]))

print("NameComparison, the level of two names")
named = ["other", "0.7", "0.88", "0.92", "equal"]
for one, two, known in [
    ("Andrey", "Semyonov", "other"),
    ("Андрей", "Семёнов", "0.7"),
    ("장지후", "임준서", "0.7"),
    ("Анна", "Антон", "0.88"),
]:
    found = levels(DuckDBAPI(), [one, two], library.NameComparison("name"), named)[frozenset([one, two])]
    alike = JaroWinkler.similarity(one, two)
    expected = next((level for level in named[3:0:-1] if alike >= float(level)), "other")
    tell(f"{one} and {two}", found, known, f"{expected}: similarity {alike:.2f}")

print("LevenshteinAtThresholds of 1 and 2, the level of two names one letter apart, on DuckDB and on SQLite")
named = ["other", "2", "1", "equal"]
for one, two, known in [
    ("Petr", "Potr", ["1", "1"]),
    ("Петр", "Пётр", ["2", "1"]),
    ("Иван", "Юван", ["1", "1"]),
    ("王伟", "王薇", ["other", "1"]),
]:
    found = [
        levels(engine, [one, two], library.LevenshteinAtThresholds("name", [1, 2]), named)[frozenset([one, two])]
        for engine in (DuckDBAPI(), SQLiteAPI())
    ]
    tell(f"{one} and {two}", found, known, [str(Levenshtein.distance(one, two))] * 2)

names = """Александр Алексей Андрей Анна Антон Борис Вера Виктор Владимир Глеб Дарья Денис Дмитрий Евгений Елена Иван Игорь
Ирина Кирилл Ксения Лев Максим Марина Мария Михаил Надежда Наталья Николай Олег Ольга Павел Полина Пётр Роман Светлана
Сергей Софья Татьяна Юрий""".split()
pairs = list(itertools.combinations(names, 2))
found = levels(DuckDBAPI(), names, library.JaroWinklerAtThresholds("name", [0.7]), [False, True, True])
tell(
    f"Jaro-Winkler of 0.7 or more among {len(pairs)} pairs of Russian first names",
    sum(found.values()),
    94,
    sum(JaroWinkler.similarity(*pair) >= 0.7 for pair in pairs),
)
sys.exit(1 if changed else 0)
PYTHON
"$folder/env/bin/python" "$folder/finding.py"
