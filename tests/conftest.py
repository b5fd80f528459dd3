"""What every test may ask for: the browser of the tests, a Node process; and in which order they come."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from playwright.sync_api import Browser

from broadcast.video.chromium import find_chromium
from tests.support import forks
from tests.support.browsers import Browsers
from tests.support.in_node import Node
from tests.support.reused_pages import ReusedPages

BROWSERS = pytest.StashKey[Browsers]()

if sys.dont_write_bytecode:
    # Many machines' Pythons are told so. Each worker would compile every test, and each program all that it reads.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# Threads of NumPy wait for work without a pause, while other tests wait for a processor; no test has work for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The same examples on every machine and every run; time limits are for benchmarks. It would also look for constants in
# the files that a worker has imported: others for each worker, and a second of each.
vars(providers)["_get_local_constants"] = cache(Constants)
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

START_PROGRAMS = {
    f"tests.{name}"
    for name in (
        "support.boxes", "support.caddy", "support.cluster", "support.disks", "support.forks", "support.nginx",
        "support.program", "support.published", "end_to_end.evening", "bots.sandbox.boxed_bots",
        "overlay.support.sampled_show", "video.conftest",
    )
}  # fmt: skip
LONG = (
    "publish", "commands", "end_to_end", "overlay", "studio_process", "probe", "live", "sandbox", "commentary", "bots",
    "practice", "workers", "voice", "journal", "desk", "text", "check", "game", "web", "media", "video", "archive",
    "starters", "verify", "odds", "event", "house", "season", "tournament", "submissions",
)  # fmt: skip
"""Folders by their longest file, as measured: a long file begun last would be waited for by one worker alone."""


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collects the tests without a search for garbage, of which there is none: they stay to the end.

    Later searches pass over them, and are as rare as in a program that serves: together they took more than a tenth of
    the processor time of all tests.
    """
    _begin_elsewhere(session.config)
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with real processes and browsers first; the others keep the workers equally long busy at the end."""
    for item in items:
        if "browsers" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if isinstance(item, pytest.Function) and _starts_programs(item.module):
            item.add_marker("programs")
    items.sort(key=lambda item: (_rank(item.path), item.path))


@cache
def _starts_programs(tests: ModuleType) -> bool:
    """Whether a file of tests has something from those of `tests.support` that start programs, boxes and servers."""
    return any(getattr(each, "__module__", "") in START_PROGRAMS for each in vars(tests).values())


def _begin_elsewhere(config: pytest.Config) -> None:
    """Lets each worker begin with other folders: in a new clone each file is then compiled by one of them for all."""
    tests = Path(__file__).parent
    number, count = (os.environ.get(f"PYTEST_XDIST_WORKER{more}", "") for more in ("", "_COUNT"))
    if number and [Path(each).resolve() for each in config.args] == [tests]:
        parts = [*tests.glob("[!_]*/"), *tests.glob("test_*.py")]
        places = sorted(str(path) for path in parts if path.name not in ("bench", "data"))
        first = len(places) * int(number.removeprefix("gw")) // int(count)
        config.args = places[first:] + places[:first]


def _rank(path: Path) -> int:
    return LONG.index(path.parent.name) if path.parent.name in LONG else len(LONG)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[BROWSERS] = Browsers()


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[BROWSERS].close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """Runs what asks for a browser, from its set-up to its end, in the browsers' thread."""
    if "browsers" not in getattr(item, "fixturenames", ()):
        return None
    runner = item.config.pluginmanager.get_plugin("runner")
    assert runner
    return item.config.stash[BROWSERS].aside(lambda: runner.pytest_runtest_protocol(item, nextitem))


@pytest.fixture(scope="session")
def chromium_path() -> str | None:
    """The Chromium that the program itself would drive."""
    return find_chromium()


@pytest.fixture(scope="session")
def browsers(pytestconfig: pytest.Config) -> Browsers:
    """The browsers of this worker."""
    return pytestconfig.stash[BROWSERS]


@pytest.fixture(scope="module")
def browser(browsers: Browsers) -> Iterator[Browser]:
    """A browser for a file of tests."""
    with browsers.opened() as opened:
        yield opened


@pytest.fixture(scope="session")
def reused_pages(browsers: Browsers) -> ReusedPages:
    """Pages that the tests of all files use one after the other."""
    return ReusedPages(browsers)


@pytest.fixture(scope="session", autouse=True)
def forked_children() -> Iterator[None]:
    """Processes in which ours does part of its work are forked also from here, which saves half a second for each."""
    with forks.forked_children():
        yield


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    """Runs JavaScript of the pages that needs no page."""
    opened = Node()
    yield opened
    opened.close()
