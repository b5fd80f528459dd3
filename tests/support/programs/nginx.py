"""Runs the web server nginx: as a static host, or as a cache in front of another server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest

from tests.support.ports import free_ports, running_server

_CONFIGURATION = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
worker_rlimit_nofile 512; events {{ worker_connections 512; }}
http {{
  access_log {folder}/access.log;
  types {{ text/html html; text/css css; text/javascript js; application/json json; image/webp webp; }}
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {more}
  server {{ listen 127.0.0.1:{port}; {server} }}
}}
"""


def static_host(root: Path) -> str:
    return f"root {root};"


@contextmanager
def nginx(folder: Path, server: str, more: str = "") -> Iterator[str]:
    """Runs nginx as one process. The file `folder`/pid has the process id. Yields nginx's address, without a final "/".

    `server` has the settings in nginx's server block, and `more` has the settings outside that block.
    """
    program = which("nginx")
    if program is None:
        pytest.skip("nginx is not installed: apt-get install nginx-light")
    folder.mkdir(parents=True, exist_ok=True)
    [port] = free_ports(1)
    settings = folder / "nginx.conf"
    settings.write_text(_CONFIGURATION.format(folder=folder, port=port, server=server, more=more))
    command = [program, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(settings)]
    with running_server(command, port, cwd=folder):
        yield f"http://127.0.0.1:{port}"
