"""Practice with bots that are HTTP servers: registration, which hosts are called, and the pages of authors."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from broadcast.web.serve import serving
from server.app.decisions.transcript import Transcript, read_transcript
from server.app.practice.author_routes import challenge_router, practice_page_router
from server.app.practice.connect_bots import HttpGames
from server.bots.house.ladder import LADDER
from server.contests.arena.venue import venue as arena
from server.contests.enova.venue import venue as enova
from server.game.events import ActionTaken, Event, HandEnded, TournamentOpened
from server.journal.journal import read_journal
from server.text.grammar import count_text
from server.verify.recording import verify
from tests.bots.http_servers import Caller, always, answer, host_playing
from tests.contests.enova_bots import OK, EnovaServer, serving_bots
from tests.support.games.practice import practice_server

HTML = {"Accept": "text/html,*/*"}
BUSY_SECONDS = 60.0
POLL_SECONDS = 0.02
KEY = "the feathers of Tess"


class Practice:
    """A practice server in this process, and a client that registers bots."""

    def __init__(self, games: HttpGames, client: httpx.AsyncClient, recordings: Path) -> None:
        self.games = games
        self.client = client
        self._recordings = recordings / "practice"
        self._changed = asyncio.Event()
        games.guests.listeners.append(lambda *_: self._changed.set())

    async def enter_enova(self, **fields: str) -> httpx.Response:
        return await self.client.post("/tournament/register", data=fields)

    async def wait_for_status(self, beginning: str) -> str:
        """Waits until the status of the latest game starts with `beginning`; returns the status."""
        async with asyncio.timeout(BUSY_SECONDS):
            while not (status := self.games.guests.latest[0].stands).startswith(beginning):
                await self._changed.wait()
                self._changed.clear()
        return status

    async def wait_for_transcript(self, bot: int = 1) -> Transcript:
        folder = self._recordings.parents[1] / "practice-pages" / "transcripts"
        async with asyncio.timeout(BUSY_SECONDS):
            while True:
                for path in folder.glob(f"*.{bot}.transcript"):
                    if transcript := await asyncio.to_thread(read_transcript, path):
                        return transcript
                await asyncio.sleep(POLL_SECONDS)

    async def wait_for_game(self, own_url: str, number: int = 1) -> dict[str, Any]:
        games: list[dict[str, Any]] = []
        async with asyncio.timeout(BUSY_SECONDS):
            while len(games) < number:
                await asyncio.sleep(POLL_SECONDS)
                games = (await self.client.get(f"{own_url}?json")).json()["games"]
        return games[number - 1]

    def events(self) -> list[Event]:
        (recording,) = self._recordings.glob("*.jsonl")
        entries = read_journal(recording).entries
        assert verify(entries).finished
        return [entry.event for entry in entries]


@pytest.fixture
async def practice(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Practice]:
    contest, patience_seconds = request.param
    server, studio = practice_server(tmp_path)
    venue = enova if contest == "enova" else arena
    games = venue.practice_games(server, patience_seconds)
    studio.app.include_router(venue.practice_router(games, ["10.0.0.0/8"]))
    studio.app.include_router(practice_page_router(server))
    studio.app.include_router(challenge_router(server, contest))
    async with (
        serving(studio.app, "127.0.0.1", 0) as base,
        httpx.AsyncClient(base_url=base, trust_env=False, timeout=BUSY_SECONDS) as client,
    ):
        yield Practice(games, client, server.settings.recordings)


def practising(contest: str, patience_seconds: float = BUSY_SECONDS) -> pytest.MarkDecorator:
    """The mark of a test that uses a practice server for `contest`."""
    return pytest.mark.parametrize("practice", [(contest, patience_seconds)], indirect=True, ids=[contest])


def actions(practice: Practice, *, guest: bool) -> list[ActionTaken]:
    return [event for event in practice.events() if isinstance(event, ActionTaken) and (event.seat == 0) == guest]


@practising("enova")
async def test_enova_bot_plays_once_it_is_ready_and_its_author_reads_what_faults_cost(practice: Practice) -> None:
    name, up = f"Late Caller ({14 * 'netid '})".replace(" )", ")"), False

    def answer_once_up(path: str, _: dict[str, Any]) -> tuple[int, bytes]:
        if not up:
            return 503, b""
        return OK if path != "/player/action" else (200, b'{"action": "call", "amount": 2}')

    bot = EnovaServer(answer_once_up)
    async with serving_bots([bot]):
        await practice.enter_enova(hostname=bot.host, name=name)
        assert "status 503" in await practice.wait_for_status("is called again")
        up = True
        status = await practice.wait_for_status("has played")
    hands = sum(isinstance(event, HandEnded) for event in practice.events())
    assert status.startswith(f"has played {count_text(hands, 'hand')} and finished in place ")
    assert any(name in str(fields.get("active_players")) for _, fields in bot.heard)
    assert isinstance(opened := practice.events()[0], TournamentOpened)
    assert (opened.entrants[0].name, len(opened.title) < 60) == (name, True)
    assert actions(practice, guest=True)
    faults = practice.games.guests.latest[0].faults
    for each in faults:
        cost = " and is unseated" if each.expected.startswith("blind ") else ""
        assert each.words.endswith(f" is not one of blind, bet, fold: it folds{cost}")
    assert any("unseated" in each.words for each in faults), "within the game, the bot must have posted a blind"
    called = {line.text.partition("\n")[0] for line in (await practice.wait_for_transcript()).lines if line.way == ">"}
    assert {"POST /player/seat", "POST /player/action", "POST /player/notify"} <= called


@practising("enova", patience_seconds=0.0)
async def test_page_says_why_a_bot_that_does_not_answer_is_not_seated(practice: Practice) -> None:
    bot = EnovaServer(lambda path, _: OK if path == "/player/ready" else (500, b""))
    async with serving_bots([bot]):
        await practice.enter_enova(hostname=bot.host, name="No Seat")
        await practice.wait_for_status("is not seated")
    page = (await practice.client.get("/tournament/register", headers=HTML)).text
    assert "<bdi>No Seat</bdi> is not seated: /player/seat: answered with status 500 instead of 200." in page
    assert (await practice.client.get("/healthz")).json()["channels"] == {}


@practising("enova")
async def test_refusal_of_an_enova_bot_says_why(practice: Practice) -> None:
    for fields, reason in (
        ({"name": "Bob"}, "hostname is missing"),
        ({"hostname": "127.0.0.1:9"}, "name is missing"),
        ({"hostname": "169.254.169.254", "name": "Bob"}, "is not in a network that is allowed here"),
    ):
        refused = await practice.enter_enova(**fields)
        assert (refused.status_code, reason in refused.text) == (400, True), fields
    unknown = await practice.enter_enova(hostname="127.0.0.1:9", name="Bob", challenge="x" * 22)
    assert (unknown.status_code, "no such challenge" in unknown.text) == (404, True)
    by_hand = await practice.client.post("/tournament/register", data={"hostname": "<i>", "name": "<b>"}, headers=HTML)
    assert (by_hand.status_code, 'value="&lt;b&gt;"' in by_hand.text) == (400, True)
    assert not practice.games.guests.latest


@practising("enova")
async def test_warnings_of_an_enova_registration_are_in_a_header_whatever_its_fields(practice: Practice) -> None:
    fields = {"hostname": "127.0.0.1:9", "name": "Wisher", "house_strength": "1", "hôte\r\nX: ♠": "1"}
    answered = await practice.enter_enova(**fields)
    assert (answered.status_code, answered.text) == (200, "Welcome to the party!")
    assert answered.headers["house-bots"] == f"strength 1 of {len(LADDER)}, Greenhorn"
    warning = answered.headers["warnings"]
    assert warning.startswith('the key "h\\xf4te')
    assert warning.isascii()
    assert warning.endswith("is ignored: known keys are hostname, name, house_think_ms, house_strength, key, challenge")
    assert "x" not in answered.headers
    for name in ("Wisher", "Wisher again"):
        answered = await practice.enter_enova(hostname="127.0.0.1:9", name=name)
        assert answered.headers["watch-url"].endswith("channel=practice-1")
    playing = 'the bot at this address is already playing, as "Wisher": that game continues'
    assert answered.headers["warnings"].startswith(playing)
    assert [guest.name for guest in practice.games.guests.latest] == ["Wisher"]


async def calling(caller: Caller) -> None:
    while True:
        head, body = await caller.heard()
        state = json.loads(body) if head.startswith("POST /action ") else {"valid_actions": []}
        offered = {one["action"]: one["amount"] for one in state["valid_actions"]}
        action = next((name for name in ("check", "call") if name in offered), "fold")
        await caller.say(answer({"action": action, "amount": offered.get(action, 0)}))


@practising("arena")
async def test_arena_bots_of_two_authors_play_each_other_and_neither_sees_the_others_cards(practice: Practice) -> None:
    async with host_playing(calling) as one, host_playing(calling) as other:
        wishes = {"url": f"http://{one.address.name}", "name": "One", "key": KEY}
        more = {"other": 1, "house_strength": 1, "house_think_ms": "0"}
        first = (await practice.client.post("/practice", json=wishes | more)).json()
        assert first["own_url"].startswith(f"{practice.client.base_url}/practice/own/")
        assert first["watch_url"] == f"{practice.client.base_url}/watch?channel=practice-1"
        assert (first["name"], first["house_bots"]) == ("One", f"strength 1 of {len(LADDER)}, Greenhorn")
        assert first["warnings"] == [
            "house_think_ms must be a whole number from 0 to 3000: using 300",
            'the key "other" is ignored: known keys are url, name, house_think_ms, house_strength, key, challenge',
        ]
        await practice.wait_for_game(first["own_url"])
        house_acts = {act.act for act in actions(practice, guest=False)}
        assert house_acts <= {"fold", "check", "call"}, "house bots of strength 1 never bet"
        made = (await practice.client.post(f"{first['own_url']}/challenges?json", data={"hands": "3"})).json()
        assert f'value="{made["code"]}"' in (await practice.client.get(f"/practice?challenge={made['code']}")).text
        await practice.client.post("/practice", json=wishes | {"challenge": made["code"]})
        await practice.wait_for_status("waits for the bot that it has challenged")
        taken = {"url": other.address.name, "name": "Other", "challenge": made["code"]}
        by_hand = await practice.client.post("/practice", data=taken, headers=HTML)
        own_page = re.search(r"/practice/own/[\w-]+", by_hand.text)
        assert own_page
        theirs = await practice.wait_for_game(own_page[0])
        mine = await practice.wait_for_game(first["own_url"], 2)
        await practice.wait_for_status("has played")
    assert (theirs["against"], mine["against"], theirs["won"]) == (["One"], ["Other"], -mine["won"])
    await practice.wait_for_transcript(2)
    pages = (f"{own_page[0]}/1?json", f"{first['own_url']}/2?json")
    both = [(await practice.client.get(page)).json()["hands"] for page in pages]
    for hands in zip(*both, strict=True):
        cards = [hand["decisions"][0]["cards"] for hand in hands]
        for hand, own_cards, hidden in zip(hands, cards, cards[::-1], strict=True):
            requests = [line["text"] for line in hand["messages"] if line["way"] == ">"]
            assert requests
            assert all(card in text for text in requests for card in own_cards)
            assert not [card for text in requests for card in hidden if card in text]


@practising("arena")
async def test_arena_author_reads_why_a_bot_is_refused_and_what_its_faults_were(practice: Practice) -> None:
    for body, reason in (
        ("", "url is missing"),
        ('{"url": 5}', "url is missing"),
        ('{"url": ', "must be a form or a JSON object"),
        ('["http://127.0.0.1:9"]', "must be a form or a JSON object"),
        ('\ufeff{"url": "ftp://x"}', "ftp://x should be a host"),
        ("url=http://127.0.0.1:9&name=" + "x" * 101, "100"),
        (f"url=http://127.0.0.1:{practice.client.base_url.port}", "where this server itself listens"),
        ("url=http://127.0.0.1:9", "nothing listens at http://127.0.0.1:9"),
        ("url=http://169.254.169.254", "is not in a network that is allowed here"),
    ):
        refused = await practice.client.post("/practice", content=body)
        assert (refused.status_code, reason in refused.json()["error"]) == (400, True), (body, refused.text)
    assert not practice.games.guests.latest
    async with host_playing(always(answer(b"howdy"))) as host:
        by_hand = await practice.client.post("/practice", data={"url": host.address.name}, headers=HTML)
        assert "Welcome to the party!" in by_hand.text
        assert "<bdi>Guest 1</bdi>" in by_hand.text
        await practice.wait_for_status("has played")
    assert {act.fault for act in actions(practice, guest=True)} == {"malformed"}
    page = (await practice.client.get("/practice", headers=HTML)).text
    assert "What was wrong:" in page
    fault = practice.games.guests.latest[0].faults[0]
    assert fault.sent == ("howdy",)
    assert fault.expected.startswith("fold, ")
    assert fault.rule.startswith("A bot answers POST /action with status 200")
    assert "howdy" not in page, "nobody but the author may read the bot's messages"
    answers = [line.text for line in (await practice.wait_for_transcript()).lines if line.way == "<"]
    assert answers == ["200\nhowdy"] * len(actions(practice, guest=True))
