"""Every page that people read can be used by thumb, by keyboard and by screen reader, with axe-core as the judge: on a
phone held upright."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from server.paths import STATIC
from tests.desk.desk_server import DeskServer, contest_events
from tests.support.browsers import PATIENCE_MS
from tests.support.nginx import nginx, static_host
from tests.support.program import GAPLESS, serving_program

AXE = STATIC / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_FAULTS = """async (rules) => {
  const { violations } = await axe.run({ exclude: [".stage"] }, { runOnly: rules, resultTypes: ["violations"] });
  const said = ({ any, all, none }) => [...any, ...all, ...none].map((each) => each.message);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${said(node)}`));
}"""
# Links within a text are as high as its lines.
_SMALL_TARGETS = """() => [...document.querySelectorAll("button, select, summary, input:not([type=hidden]), a[href]")]
  .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((node) => !(node.localName === "a" && getComputedStyle(node).display === "inline"))
  .map((node) => [node, (node.closest("label") ?? node).getBoundingClientRect()])
  .filter(([, { width, height, right }]) => height < 43.5 && right > 0)
  .map(([node, { width, height }]) => `${node.outerHTML.slice(0, 90)} ${Math.round(width)}x${Math.round(height)}`)"""
_WIDER = "() => document.documentElement.scrollWidth - innerWidth"
PAGES = {
    "demo": ("/", "/recordings", "/recordings/{recording}", "/setup?token={token}", "/control?token={token}", "/verify",
             "/verify/{recording}", "/overlay?channel=nowhere",
             "/watch?channel=main", "/replay/{recording}", "/bots/", "/bots/Doc%20Holobyte",
             *(f"/guide/{name}.html" for name in ("index", "events", "commands", "house", "promises"))),
    "site": ("/index.html", "/watch/index.html", "/bots/index.html",
             "/bots/index.html?bot=Doc%20Holobyte&results=shown", "/recordings/{recording}/index.html",
             "/replay/{recording}/index.html", "/verify/{recording}/index.html"),
    "event": ("/results",),
    "practice": ("/", "/practice", "/recordings"),
    "season": ("/season", "/season/games", "/season/games/1", "/season/bots/1", "/upload"),
}  # fmt: skip


pytestmark = pytest.mark.skipif(not AXE.exists(), reason="`make setup` installs axe-core")


class Program(NamedTuple):
    """A program that serves, the token of its desk and the name of its recording, "" where it has none."""

    base: str
    token: str = ""
    recording: str = ""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Program]]:
    """A contest that is over and was published, one that goes on, a place to practise, and a season that is over."""
    data = [str(tmp_path_factory.mktemp("data")) for _ in PAGES]
    site = tmp_path_factory.mktemp("site")
    fast = ("--speed", "1000", "--seed", "7")
    with (
        serving_program("demo", *fast, "--data", data[0], "--publish", str(site), seconds=GAPLESS) as demo,
        nginx(Path(data[-1]), static_host(site)) as host,
        DeskServer(Path(data[1]), contest_events()) as event,
        serving_program("practice", "--data", data[2]) as practice,
        serving_program("demo", "--contest", "upac", *fast, "--data", data[3], seconds=GAPLESS) as season,
    ):
        recording = Path(demo.hears("  recording ").split()[1]).stem
        demo.hears("its first page is index.html")
        season.hears("the last game is played")
        token = demo.output.partition("token=")[2].split()[0]
        yield {
            "demo": Program(demo.base, token, recording),
            "site": Program(host, "", recording),
            "event": Program(event.address),
            "practice": Program(practice.base),
            "season": Program(season.base),
        }


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("of", "path"), [(of, path) for of, paths in PAGES.items() for path in paths])
def test_a_page_can_be_used_by_everybody(of: str, path: str, programs: dict[str, Program], phone: Page) -> None:
    assert faults(phone, programs[of], path) == []


def faults(phone: Page, program: Program, path: str) -> list[str]:
    """What axe-core finds, what is too small for a thumb, and whether the page is wider than the phone."""
    there = phone.goto(program.base + path.format(token=program.token, recording=program.recording))
    assert there
    assert there.ok or "nowhere" in path
    if "/bots/index" in path:
        phone.wait_for_function("() => document.body.dataset.ready === 'yes'", timeout=PATIENCE_MS)
    phone.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = [*phone.evaluate(_FAULTS, RULES), *phone.evaluate(_SMALL_TARGETS)]
    wider = phone.evaluate(_WIDER)
    return found + ([f"{wider} pixels wider than the phone"] if wider > 0 else [])
