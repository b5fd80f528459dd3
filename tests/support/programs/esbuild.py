"""A mark for tests of bundled pages. `make test` bundles the pages with the program esbuild."""

import pytest

from server.paths import STATIC

_ESBUILD = STATIC / "node_modules/esbuild"
needs_esbuild = pytest.mark.skipif(not _ESBUILD.exists(), reason="`make setup` installs esbuild")
