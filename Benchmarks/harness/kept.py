"""What the page keeps of earlier runs whose results are not saved on this machine."""

import re


class KeptPage:
    """The sections, targets, and versions of the page as it is."""

    def __init__(self, page):
        parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
        self._sections = {part.partition("\n")[0].strip(): f"## {part.strip()}" for part in parts}

    def section(self, title):
        """The section with a title, or None."""
        return self._sections.get(title)

    def targets(self, title):
        """The cells of the targets that a section has reached, or not."""
        return [row[1:] for row in self._rows("Targets") if row[0] == title]

    def machine(self):
        """The names and values of the machine and of the versions."""
        return [row for row in self._rows("The machine") if len(row) == 2 and row[0]]

    @staticmethod
    def images(body):
        """The names of the images that a section shows."""
        return re.findall(r"\]\([^)]*/([^)/]+\.svg)\)", body)

    def _rows(self, title):
        lines = [line for line in self._sections.get(title, "").split("\n") if line.startswith("| ")]
        return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
