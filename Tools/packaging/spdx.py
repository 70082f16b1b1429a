"""The bill of materials as SPDX 2.3."""

import json
import re
import time

DOCUMENT = "SPDXRef-DOCUMENT"


def document(release, root, components, identity):
    everything = [root, *components]
    return (
        json.dumps(
            {
                "spdxVersion": "SPDX-2.3",
                "dataLicense": "CC0-1.0",
                "SPDXID": DOCUMENT,
                "name": f"nova-{release.version}",
                "documentNamespace": f"https://spdx.org/spdxdocs/nova-{release.version}-{identity}",
                "creationInfo": {
                    "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch)),
                    "creators": ["Organization: NovaSocial", f"Tool: Tools/packaging/sbom.py-{release.version}"],
                },
                "packages": [package(each) for each in everything],
                "relationships": list(relationships(root, components)),
            },
            indent=2,
        )
        + "\n"
    )


def name_of(reference):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", reference)


def package(each):
    value = {
        "SPDXID": name_of(each.reference),
        "name": each.name,
        # The oldest version of a library of the system; which one is there is not known.
        "versionInfo": f">= {each.version}" if each.is_external else each.version,
        "supplier": f"Organization: {each.supplier[0]}",
        "downloadLocation": (
            f"git+{each.location}@{each.revision}" if each.location and each.revision else "NOASSERTION"
        ),
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": each.license or "NOASSERTION",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION" if each.is_program else "LIBRARY",
    }
    if each.description:
        value["comment"] = each.description
    if each.sha256:
        value["checksums"] = [{"algorithm": "SHA256", "checksumValue": each.sha256}]
    if each.revision:
        value["sourceInfo"] = f"git commit {each.revision}"
    locators = [each.purl] if each.purl else []
    locators += [f"pkg:deb/debian/{name}" for name in each.alternatives]
    if locators:
        value["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}
            for locator in locators
        ]
    return value


def relationships(root, components):
    yield relationship(DOCUMENT, "DESCRIBES", root.reference)
    by_reference = {each.reference: each for each in components}
    for each in [root, *components]:
        for reference in each.depends:
            used = by_reference[reference]
            if used.is_optional:
                # The other direction: this is how SPDX names what is loaded at run time.
                yield relationship(reference, "RUNTIME_DEPENDENCY_OF", each.reference)
            elif used.is_external:
                yield relationship(each.reference, "DYNAMIC_LINK", reference)
            elif each == root:
                yield relationship(each.reference, "CONTAINS", reference)
            elif each.is_program:
                yield relationship(each.reference, "STATIC_LINK", reference)
            else:
                yield relationship(each.reference, "DEPENDS_ON", reference)


def relationship(element, kind, related):
    def name(reference):
        return reference if reference == DOCUMENT else name_of(reference)

    return {"spdxElementId": name(element), "relationshipType": kind, "relatedSpdxElement": name(related)}
