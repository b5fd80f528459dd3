"""A mark for tests of bundled pages; `make test` bundles them with esbuild."""

import pytest

from server.paths import STATIC

needs_esbuild = pytest.mark.skipif(
    not (STATIC / "node_modules" / "esbuild").exists(), reason="`make setup` installs esbuild"
)
