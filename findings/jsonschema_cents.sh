#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""jsonschema: `"multipleOf": 0.01` refuses one amount in nine that has two decimals, such as 0.07 and 19.99.

JSON Schema means the number that is written, not the nearest binary fraction. fastjsonschema takes all of them, and refuses what has three decimals.
"""

import json

from common import python, seen

CODE = """
import json
import fastjsonschema, jsonschema

schema = {"type": "number", "multipleOf": 0.01}
plain, fast = jsonschema.Draft202012Validator(schema).is_valid, fastjsonschema.compile(schema)

def is_fast(number):
    try:
        fast(number)
        return True
    except fastjsonschema.JsonSchemaException:
        return False

cents = [json.loads(f"{number // 100}.{number % 100:02}") for number in range(1, 100_000)]
for name, takes in (("jsonschema", plain), ("fastjsonschema", is_fast)):
    refused = [number for number in cents if not takes(number)]
    print(json.dumps([name, len(refused), refused[:4], takes(0.015)]))
"""

PACKAGES = ["jsonschema==4.26.0", "fastjsonschema==2.22.3"]
answers = [json.loads(line) for line in python(PACKAGES, CODE).splitlines()]
KNOWN = [(["jsonschema", 11426, [0.07, 0.14, 0.28, 0.29], False], "0 of 99,999"), (["fastjsonschema", 0, [], False], "0 of 99,999")]
seen(
    "JSON Schema: amounts from 0.01 to 999.99 that are no multiple of 0.01 (how many, the first, is 0.015 taken)",
    ", ".join(PACKAGES),
    [(known[0], answer, known, expected) for answer, (known, expected) in zip(answers, KNOWN)],
)
PYTHON
