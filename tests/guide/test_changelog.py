"""The changelog is kept by version."""

import re

from server.paths import GUIDE
from server.version import VERSION

RELEASE = re.compile(r"^## (\d+)\.(\d+)\.(\d+), \d{1,2} [A-Z][a-z]+ \d{4}$", re.MULTILINE)


def test_newest_release_in_changelog_is_this_version() -> None:
    releases = [tuple(map(int, numbers)) for numbers in RELEASE.findall((GUIDE / "changelog.md").read_text())]
    assert releases == sorted(releases, reverse=True)
    assert ".".join(map(str, releases[0])) == VERSION
