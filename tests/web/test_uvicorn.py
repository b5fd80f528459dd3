"""Only one file uses uvicorn's private names; for its sake uvicorn is pinned to a minor version."""

import re
import tomllib

from uvicorn.protocols.http.h11_impl import H11Protocol

from broadcast.web.connections.http_connection import HttpConnection
from tests.support.source_files import ROOT

OURS = {"begin", "abort"}
"""Methods that HttpConnection adds."""


def test_only_one_file_reaches_into_uvicorn() -> None:
    inside = re.compile(r"^(?:from|import) uvicorn\.(?!server\b)", re.MULTILINE)
    sources = (file for room in ("server", "broadcast") for file in (ROOT / room).rglob("*.py"))
    found = {file.relative_to(ROOT).as_posix() for file in sources if inside.search(file.read_text(encoding="utf-8"))}
    assert found == {"broadcast/web/connections/http_connection.py"}


def test_pin_keeps_the_overridden_methods() -> None:
    """uvicorn does not promise them: a renamed one would no longer be called, and its limit no longer hold."""
    overridden = {name for name, member in vars(HttpConnection).items() if callable(member) and name[0] != "_"} - OURS
    assert overridden
    assert not {name for name in overridden if name not in vars(H11Protocol)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (pin,) = (each for each in project["dependencies"] if each.startswith("uvicorn"))
    lowest, limit = (int(part) for part in re.findall(r"0\.(\d+)", pin))
    assert limit == lowest + 1
