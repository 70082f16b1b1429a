"""Validates bills of materials with the libraries of CycloneDX and SPDX, for Tools/check-sbom.

Usage: validate_sbom.py FILE.cdx.json FILE.spdx.json
"""

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from license_expression import get_spdx_licensing
from packageurl import PackageURL
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document


def problems_of_cyclonedx(path):
    text = path.read_text(encoding="utf-8")
    error = JsonStrictValidator(SchemaVersion.V1_7).validate_str(text)
    if error:
        return [str(error)]
    document = json.loads(text)
    components = [document["metadata"]["component"], *document["components"]]
    references = [each["bom-ref"] for each in components]
    problems = [f"{name} is there twice" for name in set(references) if references.count(name) > 1]
    for each in document["dependencies"]:
        problems += [
            f"unknown reference: {name}" for name in [each["ref"], *each["dependsOn"]] if name not in references
        ]
    for each in components:
        if "purl" in each:
            PackageURL.from_string(each["purl"])
        for license in each.get("licenses", []):
            found = get_spdx_licensing().validate(license["expression"])
            problems += [f"{each['name']}: {text}" for text in found.errors]
    return problems


def problems_of_spdx(path):
    return [message.validation_message for message in validate_full_spdx_document(parse_file(str(path)))]


def main():
    cyclonedx, spdx = map(Path, sys.argv[1:])
    problems = [f"{cyclonedx.name}: {text}" for text in problems_of_cyclonedx(cyclonedx)]
    problems += [f"{spdx.name}: {text}" for text in problems_of_spdx(spdx)]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
