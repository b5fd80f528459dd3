"""An author's own page: behind a link that only the author gets, with all games of the bot and every decision."""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from server.app.decisions.decisions import decisions_of
from server.app.practice import own_pages
from server.app.practice.own_games import OwnGame, OwnPage, totals_of
from server.app.practice.own_pages import OwnPages
from server.journal.journal import read_journal
from server.registration.register import Refused
from tests.bots.fakes import FakeClock
from tests.practice.test_tcp_games import SampleBot, register
from tests.support.described import as_described
from tests.support.program import SECONDS, Running, serving_program
from tests.support.reused_pages import ReusedPages
from tests.web.test_every_app import practice

POLL_SECONDS = 0.05
KEY = "the feathers of Tess"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Path, str]]:
    """A practice server, its data, and the page's address of a bot that has played two games, one with faults."""
    data = tmp_path_factory.mktemp("practice")
    with serving_program("practice", "--speed", "0", "--data", str(data)) as program:
        reply: dict[str, Any] = {}
        for action in ("call", "dance"):
            reply = register(program, name="Tess <b>", key=KEY, test_game_size=2, test_hand_count=2)
            bot = SampleBot(reply["port_number"])
            bot.listen()
            bot.send(command="take_action", action=action)
            bot.play(2, action="call")
            bot.socket.close()
        wait_for_games(reply["own_url"], 2)
        yield program, data, reply["own_url"]


def wait_for_games(address: str, count: int) -> dict[str, Any]:
    """The page as JSON, once it has that many games."""
    return once(f"{address}?json", lambda page: len(page["games"]) >= count)


def once(address: str, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The JSON at an address, once `is_there` holds for it."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        answer = httpx.get(address, timeout=SECONDS)
        if answer.status_code == 200 and is_there(answer.json()):
            return dict(answer.json())
        time.sleep(POLL_SECONDS)
    raise AssertionError(f"it did not come: {answer.text}")


@pytest.fixture
def phone(reused_pages: ReusedPages) -> Iterator[Page]:
    yield reused_pages.open({"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    reused_pages.leave()


Played = tuple[Running, Path, str]


def test_only_the_same_name_and_key_lead_to_the_same_page(played: Played) -> None:
    program, _, address = played
    again = register(program, name="Tess <b>", key=KEY)
    assert again["own_url"] == address
    others = [
        register(program, name=name, key=key)["own_url"]
        for name, key in (("Tess <b>", "quite another key"), ("Doc", KEY), ("Tess <b>", ""), ("Tess <b>", ""))
    ]
    assert len({address, *others}) == 5
    assert all(len(each.rpartition("/")[2]) == 32 for each in (address, *others))


def test_nobody_finds_a_page_without_its_link(played: Played) -> None:
    program, data, address = played
    token = address.rpartition("/")[2]
    for page in ("/practice", "/", "/recordings"):
        assert token not in httpx.get(f"{program.base}{page}", timeout=60.0).text
    assert token not in program.output
    assert not [path for path in (data / "practice-pages").iterdir() if token in path.name]
    for wrong in (
        token[:-1],
        token[:-1] + ("a" if token[-1] != "a" else "b"),
        "x" * 32,
        "..%2f..%2fsecret",
        "%00",
        "%C3%A9" * 32,
    ):
        assert httpx.get(f"{program.base}/practice/own/{wrong}", timeout=60.0).status_code == 404
    headers = httpx.get(address, timeout=60.0).headers
    assert (headers["referrer-policy"], headers["cache-control"]) == ("same-origin", "no-store")
    assert "noindex" in headers["x-robots-tag"]


def test_page_has_each_game_with_its_faults_and_answer_times(played: Played) -> None:
    page = wait_for_games(played[2], 2)
    first, second = page["games"]
    assert first["of"] == 2
    assert first["hands"] in (1, 2), "a bot that loses all its chips plays no second hand"
    assert not first["faults"]
    fault = second["faults"][0]
    assert "dance" in fault["words"]
    assert fault["words"].startswith("hand 1: ")
    assert fault["sent"] == ['{"command": "take_action", "action": "dance"}']
    assert fault["expected"].startswith("fold, call (costs ")
    assert "take_action has an action, fold, call or raise" in fault["rule"]
    assert [name for name, _ in first["rivals"]] != ["Tess <b>"]
    assert len(first["rivals"]) == 1
    assert page["totals"]["hands"] == first["hands"] + second["hands"]
    assert sum(page["totals"]["bars"]) == len(first["times"]) + len(second["times"])


def test_page_of_a_game_has_every_decision_of_its_recording(played: Played) -> None:
    _, data, address = played
    game = wait_for_games(address, 2)["games"][0]
    events = [entry.event for entry in read_journal(data / "recordings" / f"{game['recording']}.jsonl").entries]
    shown = httpx.get(f"{address}/1?json", timeout=60.0).json()
    found = list(decisions_of(events, 1))
    decisions = [each for hand in shown["hands"] for each in hand["decisions"]]
    assert [(each["hand"], each["act"], each["cards"]) for each in decisions] == [
        (each.hand, each.act, list(each.cards)) for each in found
    ]
    assert httpx.get(f"{address}/3", timeout=60.0).status_code == 404
    (data / "recordings" / f"{game['recording']}.jsonl").rename(data / "gone")
    assert httpx.get(f"{address}/1", timeout=60.0).status_code == 404, "its recording is no longer kept"
    (data / "gone").rename(data / "recordings" / f"{game['recording']}.jsonl")


def test_only_the_organiser_sees_the_servers_status(played: Played, phone: Page) -> None:
    program, data, address = played
    link = re.findall(r"status +(\S+)", program.output)[0]
    shown = once(f"{link}?json", lambda status: status["over"] >= 2)
    assert (shown["begun"], shown["over"], shown["tables"], shown["most_tables"]) == (2, 2, shown["tables"], 200)
    assert shown["faults"] == 1
    assert shown["worst"] == [["Tess <b>", 1]]
    assert shown["recordings"] == len(list((data / "recordings" / "practice").glob("*.jsonl")))
    assert shown["disk_free_bytes"] > 0
    assert shown["memory_bytes"] > 0
    assert sum(minute["begun"] for minute in shown["minutes"]) == 2
    for wrong in (address.rpartition("/")[2], "x", link.rpartition("/")[2][:-1]):
        assert httpx.get(f"{program.base}/practice/status/{wrong}", timeout=60.0).status_code == 404
    phone.goto(link)
    expect(phone.get_by_text("Tess <b>: 1")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.evaluate("document.querySelector('table').getBoundingClientRect().right <= innerWidth")


def test_json_of_a_page_and_its_games_matches_the_schema(played: Played, tmp_path: Path) -> None:
    app = practice(tmp_path, "quick-draw")
    for path in ("", "/1", "/2"):
        assert as_described(app, httpx.get(f"{played[2]}{path}?json", timeout=60.0)).status_code == 200


def test_pages_fit_a_phone(played: Played, phone: Page) -> None:
    _, _, address = played
    phone.goto(address)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Tess <b>")
    expect(phone.get_by_text("What was wrong:")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_role("link", name="Hand by hand").first.tap()
    expect(phone.locator(".decisions tbody tr").first).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("weak", ["k", "short key", "aaaaaaaaaaaaaaaaaaaa"])
def test_easily_guessed_key_leads_to_no_page_and_the_author_is_warned(weak: str, played: Played) -> None:
    program, _, _ = played
    first, again = (register(program, name="Weak", key=weak) for _ in range(2))
    assert first["own_url"] != again["own_url"]
    assert "easy to guess" in first["warnings"][0]


def test_new_keys_per_name_are_limited_and_the_right_one_always_works(tmp_path: Path) -> None:
    clock = FakeClock()
    pages = OwnPages(tmp_path, clock.time)
    mine = pages.token("Tess", KEY)
    pages.add(mine, "Tess", OwnGame("game", 1, 1, 2, 6, 0, 0.0, 3000))
    tried = [f"a guess at the key {number}" for number in range(100)]

    def refused(pages: OwnPages, keys: Iterable[str]) -> int:
        found = 0
        for key in keys:
            try:
                pages.token("TESS", key)
            except Refused as refusal:
                found += refusal.status == 429
        return found

    assert refused(pages, tried) >= len(tried) - own_pages.NEW_KEYS
    assert (refused(pages, [KEY]), refused(OwnPages(tmp_path), [KEY])) == (0, 0)
    clock.advance(own_pages.NEW_KEY_SECONDS)
    assert refused(pages, ["a new key of mine", "a new key of mine", "and another one"]) == 1
    assert pages.token("Zo\u00eb", "a new key of mine") == pages.token("Zoe\u0308", "a new key of mine")
    assert len({pages.token("Doc", key) for key in tried[: own_pages.NEW_KEYS]}) == own_pages.NEW_KEYS


def test_games_that_end_together_are_all_on_the_page(tmp_path: Path) -> None:
    pages = OwnPages(tmp_path)
    token = pages.token("Tess", KEY)
    games = [OwnGame(f"game {number}", number, 1, 2, 6, 0, 0.0, 3000) for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda game: pages.add(token, "Tess", game), games))
    page = pages.page(token)
    assert page
    assert sorted(page.games, key=lambda game: game.begun) == games


def test_new_bots_displace_no_page_of_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_pages, "MAX_PAGES", 3)
    pages = OwnPages(tmp_path)
    mine, game = pages.token("Tess", KEY), OwnGame("game", 1, 1, 2, 6, 0, 0.0, 3000)
    for _ in range(2):
        pages.add(mine, "Tess", game, client="1.2.3.4")
    for _ in range(5):
        pages.add(pages.token("Eve", ""), "Eve", game, client="5.6.7.8")
    assert len(list(tmp_path.glob("*.json"))) == 3
    page = pages.page(mine)
    assert page
    assert len(page.games) == 2
    os.utime(tmp_path / f"{sha256(mine.encode()).hexdigest()}.json", (0, 0))
    pages.add(pages.token("Eve", ""), "Eve", game, client="5.6.7.8")
    assert pages.page(mine) is None, "nobody has played it for months"


def test_first_game_of_a_new_author_is_kept_however_many_pages_others_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_pages, "MAX_PAGES", 3)
    pages, game = OwnPages(tmp_path), OwnGame("game", 1, 1, 2, 6, 0, 0.0, 3000)
    eves = [pages.token("Eve", str(number)) for number in range(3)]
    for number, eve in enumerate(eves):
        for _ in range(5):
            pages.add(eve, "Eve", game, client="5.6.7.8")
        os.utime(tmp_path / f"{sha256(eve.encode()).hexdigest()}.json", (0, time.time() - 100 + number))
    mine = pages.token("Tess", KEY)
    later = OwnPages(tmp_path)
    later.add(mine, "Tess", game, client="1.2.3.4")
    assert later.page(mine)
    assert [bool(later.page(eve)) for eve in eves] == [False, True, True]
    assert b"1.2.3.4" not in (tmp_path / f"{sha256(mine.encode()).hexdigest()}.json").read_bytes()


def test_totals_are_per_game_with_an_interval_and_answer_times_in_bars() -> None:
    games = [
        OwnGame("", 0, 1, 2, 10, won, won / 2, 3000, (5, 20, 4000), ("timeout",), 1) for won in (100, 40, -20, 60, 20)
    ]
    totals = totals_of(OwnPage("Tess", tuple(games)))
    assert (totals.hands, totals.won, totals.earned) == (50, 40.0, 20.0)
    assert totals.interval
    assert totals.interval.low < 20 < totals.interval.high
    assert (totals.answers, totals.p99, totals.slowest, totals.limit) == (15, 4000, 4000, 3000)
    assert totals.bars == (5, 5, 0, 0, 0, 0, 5)
    assert totals.faults == 10
    assert totals_of(OwnPage("Tess", tuple(games[:4]))).interval is None


def test_house_bots_are_ranked_by_what_they_earned_beside_the_bot() -> None:
    games = [
        OwnGame("", 0, 1, 3, 10, 0, 10.0, 3000, rivals=(("Doc", 40.0 + extra), ("Billy", -20.0))) for extra in range(6)
    ]
    totals = totals_of(OwnPage("Tess", (*games, OwnGame("", 0, 1, 2, 20, 0, 0.0, 3000, rivals=(("Annie", 0.0),)))))
    assert [(rung.name, rung.games, round(rung.ahead)) for rung in totals.met] == [
        ("Doc", 6, 32), ("Annie", 1, 0), ("Billy", 6, -30),
    ]  # fmt: skip
    assert (totals.place, totals.surely) == (2, (1, 0)), "all games against Billy were alike"
    doc = totals.met[0].interval
    assert doc
    assert 0 < doc.low < 32.5 < doc.high
    assert totals.met[1].interval is None
