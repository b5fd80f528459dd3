"""The installed program: a wheel in its own environment, without the source tree."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from broadcast.guide.pages import Guide
from server.version import VERSION
from tests.support.games.recordings import until_listed
from tests.support.program import SECONDS, serving_program
from tests.support.source_files import ROOT, copy_clone, house_files

SERVED = re.compile(r"static/(?:art|css|js)/.*(?<!\.d\.ts)$|assets/(?:avatars|fonts|particles|sounds)/.*(?<!\.txt)$")
"""Matches the files that pages load."""
UNPACKED = re.compile(r"assets/make/")
"""Matches files that only a clone needs."""
BUNDLED = "static/bundle/js/front/main.js"
"""An example of a file that `make bundle` may have left in the clone."""
NAMED = re.compile(r"""["'(`]((?:/|(?:\.\./)+)(?:static|assets|media)/[\w./-]+)["')`]""")
"""Matches the address of a file in a page, style sheet or script. In a style sheet, it is relative to the sheet."""
IMPORTED = re.compile(r'^(?:@?import [^"\n]*|\} from )"([^"]+)";$', re.MULTILINE)
"""Matches an import of a script or style sheet."""
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
BARE_ENVIRONMENT = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
"""An environment without variables that could lead to the clone."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the clone, because packing leaves files in it."""
    folder = tmp_path_factory.mktemp("packed")
    copy_clone(folder / "clone")
    (folder / "clone" / BUNDLED).parent.mkdir(parents=True)
    (folder / "clone" / BUNDLED).write_text("")
    return folder


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    """A wheel made in a clone that has leftovers of an earlier wheel and of bots."""
    for left in ("build/lib/server/gone.py", "assets/starters/upac/python/bot/__pycache__/bot.cpython-311.pyc"):
        (folder / "clone" / left).parent.mkdir(parents=True)
        (folder / "clone" / left).write_text("")
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder / "wheel")
    run(*PIP, "wheel", *options, folder / "clone")
    (wheel,) = (folder / "wheel").iterdir()
    return wheel


@pytest.fixture(scope="module")
def installed(folder: Path, wheel: Path) -> Path:
    """The `bin` folder of an environment with the wheel. It shares all other packages with the tests."""
    environment = folder / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(*PIP, "--python", environment / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    return environment / "bin"


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Runs a command, which must succeed; returns its output."""
    ended = subprocess.run(
        command, cwd=cwd, env=BARE_ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def test_wheel_contains_exactly_what_the_program_needs(wheel: Path) -> None:
    needed = {
        re.sub(r"^(?=assets/|static/)", "broadcast/", path.as_posix())
        for path in house_files()
        if path.parts[0] in ("server", "broadcast", "assets") or SERVED.match(path.as_posix())
        if not UNPACKED.match(path.as_posix())
    }
    names = {name for name in ZipFile(wheel).namelist() if f"-{VERSION}.dist-info/" not in name}
    assert names == needed | {f"broadcast/{BUNDLED}"}


def test_installed_program_plays_shows_and_proves_a_contest(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "highnoon", "--version", cwd=tmp_path) == f"highnoon {VERSION}\n"
    package = run(installed / "python", "-c", "import server; print(server.__file__)", cwd=tmp_path).strip()
    assert Path(package).is_relative_to(installed.parent)
    before = installed_files(installed)
    program = [str(installed / "highnoon")]
    words = ("demo", "--speed", "1000", "--seed", "2a")
    with serving_program(
        *words, cwd=tmp_path, command=program, env={**BARE_ENVIRONMENT, "PYTHONUNBUFFERED": "1"}
    ) as show:
        with httpx.Client(base_url=show.base, timeout=SECONDS) as web:
            for page in ("/", "/overlay", "/projector", "/recordings"):
                assert load(web, page) > {"/assets/fonts/rye-latin-400-normal.woff2"}
            assert all(web.get(f"/guide/{name}").status_code == 200 for name in Guide().names)
            for path in filter(SERVED.match, (path.as_posix() for path in house_files())):
                # JSON files are only for the program, and are not served
                assert path.endswith(".json") or web.get(f"/{path}").status_code == 200, path
            show.wait_for_output("the show is over; its pages stay until Ctrl-C")
            show.wait_for_output(f"{show.base}/recordings")
            show.wait_for_output(f"highnoon serve {tmp_path}/data")
            (recording,) = (tmp_path / "data" / "recordings").glob("*.jsonl")
            show.wait_for_output(f"highnoon verify {recording}")
            until_listed(web, recording.stem)
            assert load(web, f"/replay/{recording.stem}")
        status, output = show.interrupt()
    assert "verified" in show.output
    assert (status, output.splitlines()[-1]) == (0, "stopped")
    assert run(installed / "highnoon", "verify", recording, cwd=tmp_path).startswith("verified ")
    assert {path.name for path in tmp_path.iterdir()} == {"data"}
    assert installed_files(installed) == before, "the program must write nothing beside itself"


def load(web: httpx.Client, page: str) -> set[str]:
    """Loads a page and all files that it needs, directly or through others; returns the files' addresses."""
    seen: set[str] = set()
    todo = {page}
    while todo:
        answer = web.get(todo.pop())
        assert answer.status_code == 200, answer.url
        if answer.headers["content-type"].startswith("text/"):
            addresses = NAMED.findall(answer.text) + IMPORTED.findall(answer.text)
            named = {answer.url.join(address).raw_path.decode() for address in addresses}
            todo |= (new := named - seen)
            seen |= new
    return seen


def installed_files(installed: Path) -> list[Path]:
    """All installed files except compiled ones."""
    return sorted(path for path in installed.parent.rglob("*") if path.suffix != ".pyc" and path.is_file())
