"""Tests of what pages load once esbuild has bundled it: `make test` has it do so."""

import pytest

from server.paths import STATIC

needs_esbuild = pytest.mark.skipif(
    not (STATIC / "node_modules" / "esbuild").exists(), reason="`make setup` installs esbuild"
)
