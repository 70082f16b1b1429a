"""The bill of materials as CycloneDX 1.7. Libraries of the system are external components with a range of versions."""

import json
import time

SPEC = "1.7"


def document(release, root, components, identity):
    return (
        json.dumps(
            {
                "$schema": f"http://cyclonedx.org/schema/bom-{SPEC}.schema.json",
                "bomFormat": "CycloneDX",
                "specVersion": SPEC,
                "serialNumber": f"urn:uuid:{identity}",
                "version": 1,
                "metadata": {
                    "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch)),
                    "lifecycles": [{"phase": "build"}],
                    "tools": {
                        "components": [
                            {"type": "application", "name": "nova Tools/packaging/sbom.py", "version": release.version}
                        ]
                    },
                    "component": component(root),
                    "supplier": supplier(root),
                },
                "components": [component(each) for each in components],
                "dependencies": [
                    {"ref": each.reference, "dependsOn": list(each.depends)} for each in [root, *components]
                ],
                # What is in the programs is known from the linker; what the libraries of the system need is not.
                "compositions": [
                    {
                        "aggregate": "complete",
                        "assemblies": [each.reference for each in components if not each.is_external],
                    },
                    {
                        "aggregate": "incomplete",
                        "dependencies": [each.reference for each in components if each.is_external],
                    },
                ],
            },
            indent=2,
        )
        + "\n"
    )


def supplier(each):
    name, url = each.supplier
    return {"name": name} | ({"url": [url]} if url else {})


def component(each):
    value = {
        "type": "application" if each.is_program else "library",
        "bom-ref": each.reference,
        "name": each.name,
        "supplier": supplier(each),
    }
    if each.is_external:
        value |= {"isExternal": True, "versionRange": f"vers:deb/>={each.version}"}
    else:
        value["version"] = each.version
    if each.description:
        value["description"] = each.description
    value["scope"] = "optional" if each.is_optional else "required"
    if each.sha256:
        value["hashes"] = [{"alg": "SHA-256", "content": each.sha256}]
    if each.license:
        value["licenses"] = [{"expression": each.license}]
    if each.purl:
        value["purl"] = each.purl
    if each.location:
        value["externalReferences"] = [{"type": "vcs", "url": each.location}]
    if each.revision:
        value["pedigree"] = {"commits": [{"uid": each.revision}]}
    properties = [("nova:file", each.file)] if each.file else []
    properties += [("nova:alternative", f"pkg:deb/debian/{name}") for name in each.alternatives]
    properties += [("nova:module", module) for module in each.modules]
    if properties:
        value["properties"] = [{"name": name, "value": text} for name, text in properties]
    return value
