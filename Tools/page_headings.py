"""Names of headings, which links to a part of a page use."""

import re


def heading_slug(title):
    """The name of a heading as GitHub derives it."""
    text = re.sub(r"[`*]|\]\([^)]*\)", "", title).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
