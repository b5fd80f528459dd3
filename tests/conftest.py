"""Fixtures for all tests: browsers and a Node process. Marks tests that need a browser or other programs."""

import os
import signal
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from tests.support.idle_loop import IdleLoop
from tests.support.programs.browsers import Browsers
from tests.support.programs.in_node import Node
from tests.support.programs.reused_pages import ReusedPages

BROWSERS_KEY = pytest.StashKey[Browsers]()

if sys.dont_write_bytecode:
    # Many machines set PYTHONDONTWRITEBYTECODE. Then each process would have to compile all its modules again.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# NumPy's threads keep processors busy while they wait for work, which slows down all tests. No test needs them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Hypothesis tries the same examples on every machine and in every run. Slow examples do not fail.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

MODULES_THAT_START_PROGRAMS = {
    f"tests.{name}"
    for name in (
        "support.bots.boxes", "support.programs.caddy", "support.programs.cluster", "support.programs.disks",
        "support.programs.nginx", "support.program", "support.published", "end_to_end.evening",
        "bots.sandbox.boxed_bots",
    )
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests that need a browser or other programs, so that `make quick` can skip them."""
    for item in items:
        if "browsers" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if isinstance(item, pytest.Function) and _starts_programs(item.module):
            item.add_marker("programs")


@cache
def _starts_programs(test_module: ModuleType) -> bool:
    """Returns whether a test file imports anything from a module that starts programs, sandboxes or servers."""
    return any(getattr(each, "__module__", "") in MODULES_THAT_START_PROGRAMS for each in vars(test_module).values())


def pytest_configure(config: pytest.Config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # otherwise, a script's background job ignores SIGINT
    config.stash[BROWSERS_KEY] = Browsers()


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[BROWSERS_KEY].close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """Runs each test that needs a browser in the browsers' own thread, from its set-up to its tear-down."""
    if "browsers" not in getattr(item, "fixturenames", ()):
        return None
    runner = item.config.pluginmanager.get_plugin("runner")
    assert runner
    return item.config.stash[BROWSERS_KEY].run_in_thread(lambda: runner.pytest_runtest_protocol(item, nextitem))


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, object]]:
    """Returns the library that runs asynchronous tests, and its options."""
    return "asyncio", {"loop_factory": IdleLoop}


@pytest.fixture(scope="session")
def browsers(pytestconfig: pytest.Config) -> Browsers:
    return pytestconfig.stash[BROWSERS_KEY]


@pytest.fixture(scope="module")
def browser(browsers: Browsers) -> Iterator[Browser]:
    with browsers.opened() as opened:
        yield opened


@pytest.fixture(scope="session")
def reused_pages(browsers: Browsers) -> ReusedPages:
    return ReusedPages(browsers)


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    """A Node process, which runs scripts that work without a page."""
    opened = Node()
    yield opened
    opened.close()
