"""Reads the Dockerfiles, the compose file, and the recipes for CI, and prints them as JSON; run by Tools/check-container in
an environment with the libraries that parse and validate them.

Usage: read_container_files.py COMPOSE PAGE DOCKERFILE…
"""
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import yaml
from compose_spec.models import ComposeSpecification
from dockerfile_parse import DockerfileParser


def instructions(path):
    parser = DockerfileParser(fileobj=io.BytesIO(Path(path).read_bytes()))
    return [(each["instruction"], each["value"]) for each in parser.structure]


def installations(page):
    """How the recipes of docs/ci.md install nova: a step of GitHub's, and what GitLab runs first."""
    found = {}
    for block in re.findall(r"^```yaml\n(.*?)^```$", Path(page).read_text(encoding="utf-8"), re.M | re.S):
        recipe = yaml.safe_load(block)
        if "jobs" in recipe:
            steps = recipe["jobs"]["contract"]["steps"]
            found["GitHub Actions"] = next(step["run"] for step in steps if step.get("name") == "Install nova")
        elif "contract" in recipe:
            found["GitLab CI"] = "\n".join(recipe["contract"]["before_script"])
    return found


def main():
    compose, page, *dockerfiles = sys.argv[1:]
    document = yaml.safe_load(Path(compose).read_text(encoding="utf-8"))
    ComposeSpecification.model_validate(document)
    lint = subprocess.run(
        [Path(sys.executable).parent / "compose-lint", "--fail-on", "high", compose], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    if lint.returncode:
        sys.exit(lint.stdout)
    print(json.dumps({
        "compose": document, "recipes": installations(page),
        "dockerfiles": {path: instructions(path) for path in dockerfiles}}))


main()
