"""Every page can be used by thumb, keyboard and screen reader. axe-core checks each page on an upright phone."""

import random
import re
from collections.abc import Iterator
from functools import partial

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from playwright.sync_api import Browser, Page

from server.app.decisions.author_reports import author_link
from server.app.studio.author_pages import AuthorGames, AuthorPages
from server.paths import STATIC
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.practice.test_own_pages import wait_for_games
from tests.practice.test_tcp_games import SampleBot, register
from tests.publish.hosted_show import publish_show
from tests.publish.test_site import publish
from tests.season.sample_seasons import make_season, write_ledger
from tests.season.season_server import TOKENS as SEASON_TOKENS
from tests.season.season_server import season_pages, zip_bot
from tests.support.background import run_in_thread
from tests.support.bots.submission import write_bot
from tests.support.games.recordings import small_contest, wait_until_listed, with_names, write
from tests.support.program import SECONDS, highnoon, serving_program
from tests.support.programs.nginx import nginx, static_host

AXE = STATIC / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_FAULTS = """async (rules) => {
  const { violations } = await axe.run({ exclude: [".stage"] }, { runOnly: rules, resultTypes: ["violations"] });
  const said = ({ any, all, none }) => [...any, ...all, ...none].map((each) => each.message);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${said(node)}`));
}"""
# A control less than 44 pixels high is hard to tap. Only links within running text may be smaller.
_SMALL_TARGETS = """() => [...document.querySelectorAll("button, select, summary, input:not([type=hidden]), a[href]")]
  .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((node) => !(node.localName === "a" && getComputedStyle(node).display === "inline"))
  .map((node) => [node, (node.closest("label") ?? node).getBoundingClientRect()])
  .filter(([, { width, height, right }]) => height < 43.5 && right > 0)
  .map(([node, { width, height }]) => `${node.outerHTML.slice(0, 90)} ${Math.round(width)}x${Math.round(height)}`)"""
# A table wider than the phone is a fault even if it scrolls: nobody looks for what is cut off at the right.
_WIDE_TABLES = """() => [...document.querySelectorAll("table")]
  .map((table) => [table, Math.round(table.getBoundingClientRect().right - innerWidth)])
  .filter(([, over]) => over > 0)
  .map(([table, over]) => `${table.outerHTML.slice(0, 90)} ends ${over} pixels to the right of the phone`)"""
RECORDING = "friday"
WIDTH = 390
PAGES = {
    "studio": ("/", "/recordings", "/recordings/{recording}", "/setup?token={token}",
               "/control?token={token}", "/booth?token={token}", "/verify", "/verify/{recording}",
               "/overlay?channel=nowhere", "/watch?channel=main", "/replay/{recording}", "/bots/",
               "/guide/commands.html", "/api/v1/", "/own/{own}", "/own/{own}/1", "/?theme=plain",
               "/watch?channel=main&theme=plain", "/replay/{recording}?theme=plain", "/bots/?theme=plain"),
    "site": ("/index.html", "/watch/index.html", "/bots/index.html?bot=Doc%20Holobyte&results=shown"),
    "event": ("/results",),
    "practice": ("/", "/practice", "/practice/own/{own}", "/practice/own/{own}/1",
                 "/practice/challenge/{code}", "/practice/status/{token}"),
    "season": ("/season", "/season/games", "/season/games/1", "/season/bots/1", "/upload",
               "/season/players", "/season/workers"),
    "check": ("/report.html",),
}  # fmt: skip
pytestmark = pytest.mark.skipif(not AXE.exists(), reason="`make setup` installs axe-core")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, str]]]:
    """Serves all PAGES. Yields each server's address ("base") and the texts that replace the braces in its paths."""
    # A bot's particle is a picture that flies when the bot wins. "own" pages are for a bot's author only.
    folder = {kind: tmp_path_factory.mktemp(kind) for kind in PAGES}
    contest = with_names(small_contest(), "Doc Holobyte")
    run_in_thread(publish_show(folder["site"], contest))
    publish(write(folder["studio"] / f"{RECORDING}.jsonl", contest), folder["site"])
    write_bot(folder["check"] / "bots/abe", "Señor Fold-a-Lot de Río Grande", has_particle_and_sound=True)
    (write_bot(folder["check"] / "bots/bob", "Bob") / "mugshot.png").write_bytes(b"no picture")
    (write_bot(folder["check"] / "bots/eve", "Eve") / "bot_config.json").write_text("{")
    highnoon("check", str(folder["check"] / "bots"), "--no-run", "--report", str(folder["check"] / "report.html"))
    write_ledger(ledger := folder["season"] / "season.jsonl", make_season(7, 40, dice=random.Random(1)))
    with (
        DeskServer(folder["studio"], [entry.event for entry in contest], speed=1000.0) as studio,
        nginx(folder["site"], static_host(folder["site"])) as site,
        DeskServer(folder["event"], contest_events()) as event,
        serving_program("practice", "--data", str(folder["practice"])) as practice,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(season_pages(folder["season"], journal=ledger)) as season,
        httpx.Client(base_url=studio.address, timeout=SECONDS) as web,
    ):
        wait_until_listed(web, RECORDING)
        portal.call(partial(season.upload, zip_bot("Waits"), player="Zoe", invitation=""))
        games = AuthorGames()
        for entry in contest:
            games.apply(entry.event)
        authors = AuthorPages("ab" * 32, lambda: {1: "Doc Holobyte"}, folder["studio"] / "notes", games)
        studio.call_in_server(lambda: studio.studio.app.include_router(authors.router()))
        registration = {"name": "Tess", "key": "feathers of Tess", "test_game_size": 3, "test_hand_count": 4}
        with SampleBot(register(practice, **registration)["port_number"]) as bot:  # `bot` plays a game with a fault.
            bot.listen()
            bot.send(command="take_action", action="dance")
            bot.play(4, action="call")
            registered_bot = register(practice, **registration)
            wait_for_games(registered_bot["own_url"], 1)
        response = web.post(f"{registered_bot['own_url']}/challenges?json", data={"seats": "2", "hands": "12"})
        tess_token, code = registered_bot["own_url"].rpartition("/")[2], response.json()["code"]
        with SampleBot(registered_bot["port_number"]) as playing:  # The game of `playing` does not end.
            playing.listen()
            status_token = re.findall(r"status/(\S+)", practice.output)[0]
            link = author_link("ab" * 32, 1, "Doc Holobyte")
            yield {
                "studio": {"base": studio.address, "token": TOKENS.control, "own": link, "recording": RECORDING},
                "site": {"base": site},
                "event": {"base": event.address},
                "practice": {"base": practice.base, "token": status_token, "own": tess_token, "code": code},
                "season": {"base": season.base},
                "check": {"base": folder["check"].as_uri()},
            }


@pytest.fixture(scope="module")
def phone(browser: Browser, servers: dict[str, dict[str, str]]) -> Iterator[Page]:
    """A phone that has the cookie of the season's operator."""
    context = browser.new_context(viewport={"width": WIDTH, "height": 844}, is_mobile=True, has_touch=True)
    context.add_init_script(path=AXE)
    season = servers["season"]["base"]
    name = f"desk_{season.rpartition(':')[2]}"
    context.add_cookies([{"name": name, "value": SEASON_TOKENS.cookie_value("control"), "url": season}])
    # The script again.js would reload a page in the middle of a check.
    context.route("**/again.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("kind", "path"), [(kind, path) for kind, paths in PAGES.items() for path in paths])
def test_page_is_accessible_on_a_phone(kind: str, path: str, servers: dict[str, dict[str, str]], phone: Page) -> None:
    address = servers[kind]["base"] + path.format(**servers[kind])
    response = phone.goto(address, wait_until="networkidle")
    assert response
    assert response.ok or address.startswith("file:") or "nowhere" in path
    if "/bots/index" in path:
        phone.wait_for_function("() => document.body?.dataset.ready === 'yes'")
    assert [*phone.evaluate(_FAULTS, RULES), *phone.evaluate(_SMALL_TARGETS), *phone.evaluate(_WIDE_TABLES)] == []
    # Compares with WIDTH, because window.innerWidth grows with the page.
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= WIDTH
