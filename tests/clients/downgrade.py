"""Writes an OpenAPI 3.1 document as 3.0, for generators that know no later one: what may be null is `nullable` there, and a file is left out.

    downgrade.py openapi.json > openapi-3.0.json
"""

import json
import re
import sys


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def downgraded(node):
    if isinstance(node, list):
        return [downgraded(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {name: downgraded(value) for name, value in node.items()}
    kinds = node.get("type")
    if isinstance(kinds, list):
        rest = [kind for kind in kinds if kind != "null"]
        if len(rest) < len(kinds):
            node["nullable"] = True
        if len(rest) == 1:
            node["type"] = rest[0]
        else:
            # Of several types 3.0 knows none.
            del node["type"]
    for several in ("oneOf", "anyOf"):
        choices = node.get(several)
        if isinstance(choices, list):
            rest = [choice for choice in choices if choice.get("type") != "null" or len(choice) > 1]
            if len(rest) < len(choices):
                node["nullable"] = True
                del node[several]
                node["allOf" if len(rest) == 1 else several] = rest
    if "const" in node:
        node["enum"] = [node.pop("const")]
    # Bounds of numbers are values there, and whether they are included is said beside.
    for bound, included in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(node.get(bound), (int, float)) and not isinstance(node.get(bound), bool):
            node[included] = node[bound]
            node[bound] = True
    properties = node.get("properties")
    if isinstance(properties, dict):
        # One value by two names is one field of a client, which passes over the other.
        for name in [name for name in properties if snake(name) != name and snake(name) in properties]:
            del properties[name]
            node.pop("additionalProperties", None)
    if "propertyNames" in node:
        del node["propertyNames"]
    return node


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = downgraded(json.load(file))
    document["openapi"] = "3.0.3"
    document["info"]["license"].pop("identifier", None)
    for item in document["paths"].values():
        for method in list(item):
            content = item[method].get("requestBody", {}).get("content", {})
            if "multipart/form-data" in content:
                del item[method]
    document["paths"] = {path: item for path, item in document["paths"].items() if item}
    json.dump(document, sys.stdout)


main()
