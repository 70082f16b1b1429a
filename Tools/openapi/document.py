"""Validates an OpenAPI document with two readers, and its examples. Usage: document.py <json> <yaml>"""
import json
import sys

import yaml
from jsonschema import Draft202012Validator
from openapi_core import OpenAPI
from openapi_spec_validator import OpenAPIV31SpecValidator

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    other = yaml.safe_load(file)
problems = []
if document != other:
    problems.append("the YAML document is not the JSON document")
for error in OpenAPIV31SpecValidator(document).iter_errors():
    problems.append(f"{'/'.join(map(str, error.path))}: {error.message[:300]}")
if not problems:
    OpenAPI.from_dict(document)

count = 0


def check(place, example, schema):
    global count
    count += 1
    validator = Draft202012Validator({**schema, "components": document["components"]})
    for error in validator.iter_errors(example):
        problems.append(f"{place}: invalid example: {'/'.join(map(str, error.path))}: {error.message[:300]}")


def walk(value, place):
    """Checks the examples of every schema and parameter."""
    if isinstance(value, list):
        for index, element in enumerate(value):
            walk(element, f"{place}/{index}")
    if not isinstance(value, dict):
        return
    for example in value["examples"] if isinstance(value.get("examples"), list) else []:
        check(place, example, value)
    if "example" in value and "schema" in value:
        check(place, value["example"], value["schema"])
    for name, member in value.items():
        if name not in ("examples", "example"):
            walk(member, f"{place}/{name}")


walk(document, "#")
if problems:
    sys.exit("\n".join(problems))
operations = sum(len(item) for item in document["paths"].values())
print(f"{operations} operations, {len(document['components']['schemas'])} schemas, {count} examples: valid")
