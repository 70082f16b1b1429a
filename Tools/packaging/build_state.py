"""What SwiftPM wrote down about the last release build: which packages are in the programs, and at which revisions."""
import json
import re

from packaging import licenses
from packaging.component import Component
from packaging.release import ROOT

# nova-serve is nova, too, under that name: see Tools/packaging/programs.py.
PROGRAMS = ("nova-serve",)
SUPPLIERS = {
    "apple": ("Apple Inc.", "https://github.com/apple"),
    "swift-server": ("Swift Server Workgroup", "https://github.com/swift-server"),
}


def linked_modules(scratch, program):
    """The modules that a program of a build is linked from, each with the name of its package's checkout; "" for ours.

    Other checkouts may have modules of the same names: a build can leave behind what it did not need.
    """
    lists = list(scratch.glob(f"*/release/{program}.product/Objects.LinkFileList"))
    if len(lists) != 1:
        raise SystemExit(f"{scratch} has {len(lists)} lists of what {program} is linked from; run Tools/build-release")
    modules = set(re.findall(r"/([^/]+)\.build/", lists[0].read_text(encoding="utf-8")))
    return {module: checkout_of(lists[0].parent.parent / f"{module}.build") for module in modules}


def checkout_of(folder):
    """Whose sources a module was compiled from: SwiftPM writes them down for Swift, and the compiler for C."""
    sources = folder / "sources"
    for names in [sources] if sources.exists() else sorted(folder.rglob("*.d")):
        found = re.search(r"/checkouts/([^/]+)/Sources/", names.read_text(encoding="utf-8"))
        if found:
            return found[1]
    return ""


class BuildState:
    """What SwiftPM wrote down about the build of the programs."""

    def __init__(self, release):
        # The programs are in .build/bin; a release is built in .build-release beside it.
        homes = [release.programs.resolve().parent.parent, ROOT]
        self.folder = next(
            (home / ".build-release" for home in homes if (home / ".build-release/workspace-state.json").exists()), None
        )
        if not self.folder:
            raise SystemExit(
                "not found: .build-release/workspace-state.json, which says what the programs contain; "
                "run Tools/build-release, which builds them"
            )
        # What the linker got for each program.
        self.modules = {name: linked_modules(self.folder, name) for name in PROGRAMS}

    def packages(self):
        """The packages of which a module is in one of the programs."""
        all_modules, found = {module: place for each in self.modules.values() for module, place in each.items()}, []
        own = {path.name.replace("-", "_") for room in (ROOT / "Sources").iterdir() for path in room.iterdir()}
        state = json.loads((self.folder / "workspace-state.json").read_text(encoding="utf-8"))
        for dependency in state["object"]["dependencies"]:
            reference, checkout = dependency["packageRef"], dependency["state"]["checkoutState"]
            modules = tuple(sorted(module for module, place in all_modules.items() if place == dependency["subpath"]))
            if modules:
                found.append(swift_package(reference, checkout, self.checkout(reference["identity"]), modules))
        unknown = set(all_modules) - own - {module for package in found for module in package.modules}
        if unknown:
            raise SystemExit(f"the programs have modules of no known package: {', '.join(sorted(unknown))}")
        return found

    def checkout(self, identity):
        return self.folder / "checkouts" / identity


def swift_package(reference, checkout, folder, modules):
    location = reference["location"].removesuffix(".git")
    host, owner, name = re.fullmatch(r"https://([^/]+)/(?:(.+)/)?([^/]+)", location).groups()
    version = checkout.get("version") or checkout["revision"]
    return Component(
        reference["identity"],
        version,
        licenses.of_checkout(folder),
        SUPPLIERS.get(owner, (owner, f"https://{host}/{owner}")),
        purl=f"pkg:swift/{host}/{owner}/{name}@{version}",
        revision=checkout["revision"],
        location=location,
        modules=modules,
        description=f"linked into the programs: {', '.join(modules)}",
    )


def dependencies(package, packages, state):
    """The other packages that a package names in its manifest, and of which the programs contain something."""
    manifest = (state.checkout(package.name) / "Package.swift").read_text(encoding="utf-8")
    names = {
        re.sub(r"\.git$", "", url).rpartition("/")[2] for url in re.findall(r'package\(\s*url: "([^"]+)"', manifest)
    }
    return [each for each in packages if each.name in names]


def vendored_parts(package, state):
    """Parts of other projects inside of a package."""
    for module in package.modules:
        if module in licenses.VENDORED:
            name, home, license = licenses.VENDORED[module]
            version = licenses.vendored_version(module, state.checkout(package.name))
            yield Component(
                name,
                version,
                license,
                (home.split("/")[3], home),
                location=home,
                modules=(module,),
                purl=f"pkg:github/{home.removeprefix('https://github.com/')}"
                + (f"@v{version}" if name == "llhttp" else ""),
                description=f"a copy in {package.name}, module {module}",
            )
