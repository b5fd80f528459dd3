"""A bot's page is only for its author. It shows the bot's games, messages, and place among the server's own bots."""

import os
import random
import re
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from server.app.decisions.decisions import decisions_of
from server.app.practice import author_page_store
from server.app.practice.author_page_store import MAX_GAMES, PracticePages
from server.app.practice.game_summaries import GameSummary, PracticePage, compute_totals
from server.app.results.ladder_place import MAX_RESULTS, RungResults, add_result, compute_place
from server.bots.house.ladder import LADDER
from server.journal.journal import read_journal
from server.registration.register import RegistrationRefused
from tests.bots.tcp_client import FakeClock
from tests.practice.test_tcp_games import SampleBot, data, play_game, program, register
from tests.support.described import check_description
from tests.support.program import SECONDS, Running, serving_program, wait_until
from tests.web.test_every_app import practice

__all__ = ["data", "program"]
AUTHOR_KEY = "the feathers of Tess"
PRIVATE_TEXT = "<b>the number is 1234</b>"
FAULTY_MESSAGE = f'{{"command": "take_action", "action": "raise", "raise_amount": "{PRIVATE_TEXT}"}}'
BotPage = tuple[str, SampleBot]
RUNGS = len(LADDER)
"""The number of rungs of the ladder. Each strength of house bots (the server's own bots) is one rung."""
get = partial(httpx.get, timeout=SECONDS)
GAME = GameSummary("game", begun=1, place=1, of=2, hands=6, won=0, earned=0.0, limit_ms=3000)
"""A game of two bots (`of`), in which this bot took first place. `earned` is `won` without the luck of the cards."""


@pytest.fixture(scope="module")
def bot_page(program: Running) -> BotPage:
    """The address of a bot's page, and the bot itself. The bot has made a fault in its second game."""
    for message in ({"action": "call"}, {"action": "raise", "raise_amount": PRIVATE_TEXT}):
        reply = register(program, name="Tess <b>", key=AUTHOR_KEY, test_game_size=2, test_hand_count=2)
        with SampleBot(reply["port_number"]) as bot:
            bot.listen()
            bot.send(command="take_action", **message)
            bot.play(2, action="call")
            while bot.listen():
                pass  # reads on until the server closes the connection
    wait_for_games(reply["own_url"], 2)
    return reply["own_url"], bot


def wait_for_games(address: str, count: int) -> dict[str, Any]:
    return wait_for_json(f"{address}?json", lambda page: len(page["games"]) >= count)


def wait_for_json(address: str, is_ready: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Polls the JSON at an address until `is_ready` accepts it. Returns the JSON."""

    def get_if_ready() -> dict[str, Any] | None:
        response = get(address)
        return response.json() if response.status_code == 200 and is_ready(response.json()) else None

    return wait_until(get_if_ready, lambda: f"not ready in time: {get(address).text}", pause=0.05) or {}


def test_only_the_organiser_sees_the_servers_status(program: Running, data: Path, bot_page: BotPage) -> None:
    address, _ = bot_page
    link = re.findall(r"status +(\S+)", program.output)[0]
    status = wait_for_json(f"{link}?json", lambda status: status["over"] >= 2)
    assert (status["begun"], status["over"], status["most_tables"], status["faults"]) == (2, 2, 200, 1)
    assert status["worst"] == [["Tess <b>", 1]]
    assert status["recordings"] == len(list((data / "recordings" / "practice").glob("*.jsonl")))
    assert min(status["disk_free_bytes"], status["memory_bytes"]) > 0
    assert sum(minute["begun"] for minute in status["minutes"]) == 2
    for wrong_token in (address.rpartition("/")[2], "x", link.rpartition("/")[2][:-1]):
        assert get(f"{program.base}/practice/status/{wrong_token}").status_code == 404
    assert "<bdi>Tess &lt;b&gt;</bdi>: 1" in get(link).text


def test_page_is_reached_only_by_its_link_or_by_name_and_key(program: Running, data: Path, bot_page: BotPage) -> None:
    address, _ = bot_page
    second_reply = register(program, name="Tess <b>", key=AUTHOR_KEY)
    assert second_reply["own_url"] == address
    names_and_keys = (("Tess <b>", "quite another key"), ("Doc", AUTHOR_KEY), ("Tess <b>", ""), ("Tess <b>", ""))
    other_links = [register(program, name=name, key=key)["own_url"] for name, key in names_and_keys]
    assert len({address, *other_links}) == 5
    assert all(len(link.rpartition("/")[2]) == 32 for link in (address, *other_links))
    for easy_key in ("k", "short key", "aaaaaaaaaaaaaaaaaaaa"):
        first, second = (register(program, name="Weak", key=easy_key) for _ in range(2))
        assert first["own_url"] != second["own_url"]
        assert "easy to guess" in first["warnings"][0]
    token = address.rpartition("/")[2]
    for page in ("/practice", "/", "/recordings"):
        assert token not in get(f"{program.base}{page}").text
    assert token not in program.output
    assert not [path for path in (data / "practice-pages").iterdir() if token in path.name]
    changed_token = token[:-1] + ("a" if token[-1] != "a" else "b")
    for wrong_token in (token[:-1], changed_token, 32 * "x", "..%2f..%2fsecret", "%00", 32 * "%C3%A9"):
        assert get(f"{program.base}/practice/own/{wrong_token}").status_code == 404
    headers = get(address).headers
    assert (headers["referrer-policy"], headers["cache-control"]) == ("same-origin", "no-store")
    assert "noindex" in headers["x-robots-tag"]


def test_page_lists_each_game_with_faults_times_and_decisions(data: Path, bot_page: BotPage, tmp_path: Path) -> None:
    address, _ = bot_page
    page = wait_for_games(address, 2)
    first, second = page["games"]
    assert first["of"] == 2
    assert first["hands"] in (1, 2), "the game must have two hands, unless one bot wins all chips in the first"
    assert not first["faults"]
    fault = second["faults"][0]
    assert fault["words"].startswith("hand 1: ")
    assert fault["sent"] == [FAULTY_MESSAGE]
    assert fault["expected"].startswith("fold, call (costs ")
    assert "take_action has an action: fold, call or raise" in fault["rule"]
    assert len(first["rivals"]) == 1
    assert page["totals"]["hands"] == first["hands"] + second["hands"]
    assert sum(page["totals"]["bars"]) == len(first["times"]) + len(second["times"])  # `bars`: counts of answer times
    app = practice(tmp_path, "quick-draw")
    for path in ("", "/1", "/2"):
        assert check_description(app, get(f"{address}{path}?json")).status_code == 200
    recording = data / "recordings" / f"{first['recording']}.jsonl"
    on_page = [decision for hand in get(f"{address}/1?json").json()["hands"] for decision in hand["decisions"]]
    decisions = decisions_of([entry.event for entry in read_journal(recording).entries], 1)
    recorded = [(one.hand, one.act, one.cards) for one in decisions]
    assert [(one["hand"], one["act"], tuple(one["cards"])) for one in on_page] == recorded
    assert get(f"{address}/3").status_code == 404
    recording.rename(data / "gone")
    assert get(f"{address}/1").status_code == 404, "a game without a recording must have no page"
    (data / "gone").rename(recording)


def test_only_the_author_reads_a_bots_messages(program: Running, data: Path, bot_page: BotPage) -> None:
    address, bot = bot_page
    game = wait_for_json(f"{address}/2?json", lambda game: any(hand["messages"] for hand in game["hands"]))
    hands = game["hands"]
    lines = [line for hand in hands for line in hand["messages"]]
    assert "".join(line["text"] for line in lines if line["way"] == "<") == bot.sent
    assert "".join(line["text"] for line in lines if line["way"] == ">") == bot.received
    assert lines == sorted(lines, key=lambda line: line["at_ms"])
    assert (lines[1]["way"], lines[1]["text"]) == ("<", FAULTY_MESSAGE)
    for hand in hands:
        requests = [line for line in hand["messages"] if '"request_action"' in line["text"]]
        assert len(requests) == len(hand["decisions"])
    (fault,) = hands[0]["faults"]
    assert fault["sent"] == [FAULTY_MESSAGE]
    assert not any(hand["faults"] for hand in hands[1:])
    for recording in (data / "recordings" / "practice").glob("*.jsonl"):
        assert PRIVATE_TEXT not in recording.read_text()
        assert "1234" not in get(f"{program.base}/recordings/practice/{recording.stem}").text
    for page in ("/practice", "/recordings"):
        assert "1234" not in get(f"{program.base}{page}").text
    for transcript in (data / "practice-pages" / "transcripts").iterdir():
        assert transcript.stat().st_mode & 0o077 == 0
        for path in (transcript.name, f"practice-pages/transcripts/{transcript.name}"):
            assert get(f"{program.base}/{path}").status_code == 404
            assert get(f"{program.base}/recordings/{path}").status_code == 404
    for own_page in (address, f"{address}/2"):
        page = get(own_page).text
        assert "&lt;b&gt;the number is 1234&lt;/b&gt;" in page
        assert not [text for text in (PRIVATE_TEXT, "Tess <b>") if text in page]


def test_guesses_of_a_key_are_limited(tmp_path: Path) -> None:
    clock = FakeClock()
    pages = PracticePages(tmp_path, clock.time)
    pages.add(pages.token("Tess", AUTHOR_KEY), "Tess", GAME)
    guesses = [f"a guess at the key {number}" for number in range(100)]

    def count_refusals(pages: PracticePages, keys: Iterable[str]) -> int:
        count = 0
        for key in keys:
            try:
                pages.token("TESS", key)
            except RegistrationRefused as refusal:
                count += refusal.status == 429
        return count

    assert count_refusals(pages, guesses) >= len(guesses) - author_page_store.NEW_KEYS
    assert (count_refusals(pages, [AUTHOR_KEY]), count_refusals(PracticePages(tmp_path), [AUTHOR_KEY])) == (0, 0)
    clock.advance(author_page_store.NEW_KEY_SECONDS)
    assert count_refusals(pages, ["a new key of mine", "a new key of mine", "and another one"]) == 1
    assert pages.token("Zo\u00eb", "a new key of mine") == pages.token("Zoe\u0308", "a new key of mine")
    assert len({pages.token("Doc", key) for key in guesses[: author_page_store.NEW_KEYS]}) == author_page_store.NEW_KEYS


def test_games_that_end_together_are_all_on_the_page(tmp_path: Path) -> None:
    pages = PracticePages(tmp_path)
    token = pages.token("Tess", AUTHOR_KEY)
    games = [replace(GAME, begun=number) for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda game: pages.add(token, "Tess", game), games))
    assert (page := pages.page(token))
    assert sorted(page.games, key=lambda game: game.begun) == games


def test_one_address_cannot_displace_the_pages_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(author_page_store, "MAX_PAGES", 3)
    pages = PracticePages(tmp_path)
    tokens = [*(pages.token("Eve", str(number)) for number in range(3)), pages.token("Tess", AUTHOR_KEY)]
    files = [tmp_path / f"{sha256(token.encode()).hexdigest()}.json" for token in tokens]
    for number, (token, file) in enumerate(zip(tokens[:3], files, strict=False)):
        for _ in range(5):
            pages.add(token, "Eve", GAME, client="5.6.7.8")
        os.utime(file, (0, time.time() - 100 + number))
    pages = PracticePages(tmp_path)
    pages.add(tokens[3], "Tess", GAME, client="1.2.3.4")
    # The client address with the most pages must lose its oldest page.
    assert [bool(pages.page(token)) for token in tokens] == [False, True, True, True]
    assert b"1.2.3.4" not in files[3].read_bytes()
    for _ in range(5):
        pages.add(pages.token("Eve", ""), "Eve", GAME, client="5.6.7.8")
    assert len(list(tmp_path.glob("*.json"))) == 3
    assert pages.page(tokens[3])
    os.utime(files[3], (0, 0))
    pages.add(pages.token("Eve", ""), "Eve", GAME, client="5.6.7.8")
    assert pages.page(tokens[3]) is None, "if there are too many pages, one without a game for months must go first"


def test_totals_have_earnings_answer_times_and_a_place() -> None:
    played_game = replace(GAME, hands=10, times=(5, 20, 4000), faults=("timeout",), more=1)  # `more`: unlisted faults
    games = [replace(played_game, won=won, earned=won / 2) for won in (100, 40, -20, 60, 20)]
    totals = compute_totals(PracticePage("Tess", tuple(games)))
    assert (totals.hands, totals.won, totals.earned) == (50, 40.0, 20.0)
    assert totals.interval
    assert totals.interval.low < 20 < totals.interval.high
    assert (totals.answers, totals.p99, totals.slowest, totals.limit) == (15, 4000, 4000, 3000)
    assert totals.bars == (5, 5, 0, 0, 0, 0, 5)
    assert totals.faults == 10
    assert compute_totals(PracticePage("Tess", tuple(games[:4]))).interval is None
    games = [replace(GAME, earned=10.0, rivals=(("Doc", 40.0 + extra), ("Billy", -20.0))) for extra in range(6)]
    totals = compute_totals(PracticePage("Tess", (*games, replace(GAME, rivals=(("Annie", 0.0),)))))
    rungs_met = [(rung.name, rung.games, round(rung.ahead)) for rung in totals.met]  # `met`: the bot's house opponents
    assert rungs_met == [("Doc", 6, 32), ("Annie", 1, 0), ("Billy", 6, -30)]
    assert (totals.place, totals.better_and_worse_counts) == (2, (1, 0)), "only Doc is certainly better"
    doc = totals.met[0].interval
    assert doc
    assert 0 < doc.low < 32.5 < doc.high
    assert totals.met[1].interval is None


def earnings_around(mean: float, games: int = 30) -> tuple[float, ...]:
    """Returns a bot's earnings in `games` games, alternately 1000 above and 1000 below `mean`."""
    return tuple(mean + (-1) ** game * 1000 for game in range(games))


def test_bot_gets_a_place_on_the_ladder_after_enough_games() -> None:
    contradiction = "It beats Ranch Hand and loses to Drifter, which is weaker, so it has no definite place."
    for means, place, words in (
        ([2000, 1500, 900, -900, -2000], (3, 3), "At 95 % confidence it is in place 3 of 6."),
        ([2000, 1500, 50, -50, -2000], (2, 4), "At 95 % confidence it is in place 2 to 4 of 6."),
        ([0, 0, 0, 0, 0], (1, 6), "At 95 % confidence it is in place 1 to 6 of 6."),
        ([3000, 2500, 2000, 1500, 1000], (1, 1), "At 95 % confidence it is in place 1 of 6."),
        ([2000, -2000, 2000, 0, 0], (None, None), contradiction),
    ):
        ladder = compute_place(tuple(earnings_around(mean) for mean in means))
        assert ((ladder.best, ladder.worst), ladder.words) == (place, words)
        assert [step.strength for step in ladder.steps] == list(range(RUNGS, 0, -1))
    assert compute_place(()).words == "It has not played against a rung yet."
    ladder = compute_place(((), (), earnings_around(5000, 4)))
    assert (ladder.best, ladder.worst, ladder.steps[2].games, ladder.steps[2].interval) == (1, RUNGS + 1, 4, None)
    ladder = compute_place(((), (), earnings_around(5000, 20)))
    assert (ladder.best, ladder.worst) == (1, 3), "a bot that beats a rung must be above all weaker rungs"


def test_bot_equal_to_every_rung_is_rarely_misplaced() -> None:
    dice, misplaced_count = random.Random(7), 0
    for _ in range(400):
        earnings = [tuple(dice.choice((-1, 1)) * dice.expovariate(1) for _ in range(25)) for _ in LADDER]
        ladder = compute_place(tuple(earnings))
        misplaced_count += (ladder.best, ladder.worst) != (1, RUNGS + 1)
    assert misplaced_count <= 0.05 * 400 + 9, "at most 5 bots in 100, plus two standard errors, may be misplaced"


def test_games_against_rungs_count_even_if_no_longer_listed(tmp_path: Path) -> None:
    pages = PracticePages(tmp_path)
    token = pages.token("Tess", "up the ladder")
    for number in range(MAX_GAMES + 5):
        pages.add(token, "Tess", replace(GAME, begun=number, earned=float(number), strength=2), 2)
    pages.add(token, "Tess", replace(GAME, begun=0, hands=5, earned=9.0, strength=3))
    pages.add(token, "Tess", replace(GAME, begun=0, earned=None, strength=4), 4)
    assert (page := PracticePages(tmp_path).page(token))
    assert [game.begun for game in page.games] == [*range(7, MAX_GAMES + 5), 0, 0], "the oldest games must be dropped"
    assert page.rungs[1] == tuple(map(float, range(MAX_GAMES + 5)))
    # A game counts only if `add` is told the strength of the house bots, and if the bot's earnings are known.
    assert not any(page.rungs[number] for number in (0, 2, 3, 4))
    next(tmp_path.glob("*.json")).write_bytes(b"[")
    assert pages.page(token) is None, "a damaged file must count as missing"
    results: RungResults = ()
    for number in range(MAX_RESULTS + 1):
        results = add_result(results, RUNGS, float(number))
    assert results[-1] == tuple(map(float, range(1, MAX_RESULTS + 1)))


def test_page_shows_the_place_on_the_ladder(tmp_path: Path) -> None:
    with serving_program("practice", "--speed", "0", "--data", str(tmp_path)) as program:
        fields: dict[str, Any] = {"name": "Climber", "key": "up the ladder", "test_game_size": 2, "house_strength": 1}
        for hands, strength in ((2, 1), (2, 1), (3, 1), (2, 0)):
            reply = register(program, **fields | {"test_hand_count": hands, "house_strength": strength})
            assert ("does not count for the ladder" in str(reply.get("warnings"))) == (hands == 3)
            play_game(reply["port_number"], hands)
        own_page = wait_for_games(reply["own_url"], 4)
        assert sorted(game["strength"] for game in own_page["games"]) == [0, 1, 1, 1]
        ladder = own_page["ladder"]
        assert (ladder["best"], ladder["worst"]) == (1, RUNGS + 1)
        assert [(step["name"], step["games"]) for step in ladder["steps"] if step["games"]] == [("Greenhorn", 2)]
        page = get(reply["own_url"]).text
    assert "At 95 % confidence it is in place 1 to 6 of 6." in page
    assert "too few games" in page
