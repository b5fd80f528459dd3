"""The copy of the npm package @noble/hashes in `/verify` is unchanged."""

import subprocess
import sys

from server.paths import ROOT, STATIC
from tests.support.esbuild import needs_esbuild


@needs_esbuild
def test_the_page_uses_an_unchanged_build_of_the_npm_package() -> None:
    made = subprocess.check_output([sys.executable, ROOT / ".ci" / "javascript.py", "noble"], encoding="utf-8")
    assert (STATIC / "js/verify/noble-hashes.js").read_text(encoding="utf-8") == made
