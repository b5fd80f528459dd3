"""Runs the web server Caddy, which signs its own certificates."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest

from tests.support.ports import running_server
from tests.support.program import wait_until

_GLOBAL_OPTIONS = """
{{
    admin off
    local_certs
    skip_install_trust
    default_bind 127.0.0.1
    http_port {http}
    https_port {https}
    servers {{
        protocols h1 h2
    }}
}}
"""


@contextmanager
def caddy(folder: Path, sites: str, http: int, https: int) -> Iterator[Path]:
    """Runs Caddy with `sites` in its Caddyfile. Yields the path of Caddy's root certificate."""
    program = which("caddy")
    if program is None:
        pytest.skip("Caddy is not installed: apt-get install caddy")
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "Caddyfile"
    settings.write_text(_GLOBAL_OPTIONS.format(http=http, https=https) + sites)
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with running_server([program, "run", "--config", str(settings)], http, cwd=folder, env=environment):
        root_file, certificates = folder / "caddy/pki/authorities/local/root.crt", folder / "caddy/certificates"
        wait_until(lambda: root_file.exists() and [*certificates.rglob("*.crt")], lambda: "Caddy has signed nothing")
        yield root_file
