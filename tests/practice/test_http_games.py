"""Bots that are HTTP servers play practice games. The server calls only allowed hosts, and authors learn of faults."""

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
from server.text.grammar import count_text
from tests.bots.http_servers import Caller, answer_with, make_response, serve_bot
from tests.contests.enova_bots import OK, EnovaServer, serving_bots
from tests.support.games.practice import practice_server
from tests.support.games.recordings import practice_game_events

HTML = {"Accept": "text/html,*/*"}
TIMEOUT_SECONDS = 60.0
POLL_SECONDS = 0.02


class Practice:
    """A practice server in this process, and a client that registers bots. In the server's code, a bot is a guest."""

    def __init__(self, games: HttpGames, client: httpx.AsyncClient, data: Path) -> None:
        self.games = games
        self.client = client
        self._data = data
        self._changed = asyncio.Event()
        games.guests.listeners.append(lambda *_: self._changed.set())

    async def register_enova(self, **fields: str) -> httpx.Response:
        return await self.client.post("/tournament/register", data=fields)

    async def wait_for_status(self, beginning: str) -> str:
        """Waits until the status of the latest game starts with `beginning`. Returns the status."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not (status := self.games.guests.latest[0].status).startswith(beginning):
                await self._changed.wait()
                self._changed.clear()
        return status

    async def wait_for_transcript(self, bot: int = 1) -> Transcript:
        """Returns the messages of a bot. Each has a `way`: ">" if it was sent to the bot, "<" if the bot sent it."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                for path in (self._data / "practice-pages" / "transcripts").glob(f"*.{bot}.transcript"):
                    if transcript := await asyncio.to_thread(read_transcript, path):
                        return transcript
                await asyncio.sleep(POLL_SECONDS)

    async def wait_for_game(self, own_url: str, number: int = 1) -> dict[str, Any]:
        games: list[dict[str, Any]] = []
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while len(games) < number:
                await asyncio.sleep(POLL_SECONDS)
                games = (await self.client.get(f"{own_url}?json")).json()["games"]
        return games[number - 1]

    def events(self) -> list[Event]:
        """Returns the recorded events of the first game."""
        return practice_game_events(self._data, "practice-1")


@pytest.fixture
async def practice(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Practice]:
    contest, patience_seconds = request.param
    server, studio = practice_server(tmp_path)  # the studio serves the shows of the games
    venue = enova if contest == "enova" else arena  # `venue`: the code that connects a contest's bots
    games = venue.practice_games(server, patience_seconds)
    studio.app.include_router(venue.practice_router(games, ["10.0.0.0/8"]))
    studio.app.include_router(practice_page_router(server))
    studio.app.include_router(challenge_router(server, contest))
    async with (
        serving(studio.app, "127.0.0.1", 0) as base,
        httpx.AsyncClient(base_url=base, trust_env=False, timeout=TIMEOUT_SECONDS) as client,
    ):
        yield Practice(games, client, server.settings.recordings.parent)


def with_practice(contest: str, patience_seconds: float = TIMEOUT_SECONDS) -> pytest.MarkDecorator:
    """Marks a test that uses a practice server for `contest`. The server waits `patience_seconds` for a bot."""
    return pytest.mark.parametrize("practice", [(contest, patience_seconds)], indirect=True, ids=[contest])


def recorded_actions(practice: Practice, *, of_guest: bool) -> list[ActionTaken]:
    return [event for event in practice.events() if isinstance(event, ActionTaken) and (event.seat == 0) == of_guest]


@with_practice("enova")
async def test_enova_bot_plays_once_it_is_ready(practice: Practice) -> None:
    name, is_ready = f"Late Caller ({14 * 'netid '})".replace(" )", ")"), False

    def answer_once_ready(path: str, _: dict[str, Any]) -> tuple[int, bytes]:
        if not is_ready:
            return 503, b""
        return OK if path != "/player/action" else (200, b'{"action": "call", "amount": 2}')

    bot = EnovaServer(answer_once_ready)
    async with serving_bots([bot]):
        await practice.register_enova(hostname=bot.host, name=name)
        assert "status 503" in await practice.wait_for_status("is called again")
        is_ready = True
        status = await practice.wait_for_status("has played")
    hands = sum(isinstance(event, HandEnded) for event in practice.events())
    assert status.startswith(f"has played {count_text(hands, 'hand')} and finished in place ")
    assert any(name in str(fields.get("active_players")) for _, fields in bot.calls)
    assert isinstance(opened := practice.events()[0], TournamentOpened)
    assert (opened.entrants[0].name, len(opened.title) < 60) == (name, True)
    assert recorded_actions(practice, of_guest=True)
    faults = practice.games.guests.latest[0].faults
    for fault in faults:
        cost = " and is unseated" if fault.expected.startswith("blind ") else ""
        assert fault.words.endswith(f" is not one of blind, bet, fold: it folds{cost}")
    assert any("unseated" in fault.words for fault in faults), "a bot that posts no blind must lose its seat"
    calls = {line.text.partition("\n")[0] for line in (await practice.wait_for_transcript()).lines if line.way == ">"}
    assert {"POST /player/seat", "POST /player/action", "POST /player/notify"} <= calls


@with_practice("enova", patience_seconds=0.0)
async def test_page_says_why_a_bot_is_not_seated(practice: Practice) -> None:
    bot = EnovaServer(lambda path, _: OK if path == "/player/ready" else (500, b""))
    async with serving_bots([bot]):
        await practice.register_enova(hostname=bot.host, name="No Seat")
        await practice.wait_for_status("is not seated")
    page = (await practice.client.get("/tournament/register", headers=HTML)).text
    assert "<bdi>No Seat</bdi> is not seated: /player/seat: answered with status 500 instead of 200." in page
    assert (await practice.client.get("/healthz")).json()["channels"] == {}


@with_practice("enova")
async def test_enova_bot_is_refused_with_the_reason(practice: Practice) -> None:
    refused_host = await practice.register_enova(hostname="169.254.169.254", name="Bob")
    assert (refused_host.status_code, "is not in a network that is allowed here" in refused_host.text) == (400, True)
    refused_challenge = await practice.register_enova(hostname="127.0.0.1:9", name="Bob", challenge="x" * 22)
    assert (refused_challenge.status_code, "no such challenge" in refused_challenge.text) == (404, True)
    page = await practice.client.post("/tournament/register", data={"hostname": "<i>", "name": "<b>"}, headers=HTML)
    assert (page.status_code, 'value="&lt;b&gt;"' in page.text) == (400, True)
    assert not practice.games.guests.latest


@with_practice("enova")
async def test_enova_warnings_are_sent_in_a_header(practice: Practice) -> None:
    fields = {"hostname": "127.0.0.1:9", "name": "Wisher", "house_strength": "1", "hôte\r\nX: ♠": "1"}
    response = await practice.register_enova(**fields)
    assert (response.status_code, response.text) == (200, "Welcome to the party!")
    assert response.headers["house-bots"] == f"strength 1 of {len(LADDER)}, Greenhorn"
    warning = response.headers["warnings"]
    assert warning.startswith('the key "h\\xf4te')
    assert warning.isascii()
    assert warning.endswith("is ignored: known keys are hostname, name, house_think_ms, house_strength, key, challenge")
    assert "x" not in response.headers
    for name in ("Wisher", "Wisher again"):
        response = await practice.register_enova(hostname="127.0.0.1:9", name=name)
        assert response.headers["watch-url"].endswith("channel=practice-1")
        warning = 'the bot at this address is already playing, as "Wisher": that game continues'
        assert response.headers["warnings"].startswith(warning)
    assert [guest.name for guest in practice.games.guests.latest] == ["Wisher"]


async def check_or_call(caller: Caller) -> None:
    while True:
        head, body = await caller.read_request()
        state = json.loads(body) if head.startswith("POST /action ") else {"valid_actions": []}
        amounts = {action["action"]: action["amount"] for action in state["valid_actions"]}
        action = next((name for name in ("check", "call") if name in amounts), "fold")
        await caller.say(make_response({"action": action, "amount": amounts.get(action, 0)}))


@with_practice("arena")
async def test_arena_challenge_hides_each_bots_cards_from_the_other_author(practice: Practice) -> None:
    async with serve_bot(check_or_call) as first_bot, serve_bot(check_or_call) as other_bot:
        fields = {"url": f"http://{first_bot.address.name}", "name": "One", "key": "the feathers of Tess"}
        extra_fields = {"other": 1, "house_strength": 1, "house_think_ms": "0"}
        first_reply = (await practice.client.post("/practice", json=fields | extra_fields)).json()
        assert first_reply["own_url"].startswith(f"{practice.client.base_url}/practice/own/")
        assert first_reply["watch_url"] == f"{practice.client.base_url}/watch?channel=practice-1"
        assert (first_reply["name"], first_reply["house_bots"]) == ("One", f"strength 1 of {len(LADDER)}, Greenhorn")
        assert first_reply["warnings"] == [
            "house_think_ms must be a whole number from 0 to 3000: using 300",
            'the key "other" is ignored: known keys are url, name, house_think_ms, house_strength, key, challenge',
        ]
        await practice.wait_for_game(first_reply["own_url"])
        house_acts = {action.act for action in recorded_actions(practice, of_guest=False)}
        assert house_acts <= {"fold", "check", "call"}, "house bots of strength 1 must never bet"
        challenge = await practice.client.post(f"{first_reply['own_url']}/challenges?json", data={"hands": "3"})
        code = challenge.json()["code"]
        assert f'value="{code}"' in (await practice.client.get(f"/practice?challenge={code}")).text
        await practice.client.post("/practice", json=fields | {"challenge": code})
        await practice.wait_for_status("waits for the bot that it has challenged")
        form = {"url": other_bot.address.name, "name": "Other", "challenge": code}
        welcome = await practice.client.post("/practice", data=form, headers=HTML)
        own_page = re.search(r"/practice/own/[\w-]+", welcome.text)
        assert own_page
        others_game = await practice.wait_for_game(own_page[0])
        game = await practice.wait_for_game(first_reply["own_url"], 2)
        await practice.wait_for_status("has played")
    assert (others_game["against"], game["against"], others_game["won"]) == (["One"], ["Other"], -game["won"])
    await practice.wait_for_transcript(2)
    pages = (f"{own_page[0]}/1?json", f"{first_reply['own_url']}/2?json")
    for hands in zip(*[(await practice.client.get(page)).json()["hands"] for page in pages], strict=True):
        cards = [hand["decisions"][0]["cards"] for hand in hands]
        for hand, own_cards, hidden_cards in zip(hands, cards, cards[::-1], strict=True):
            requests = [line["text"] for line in hand["messages"] if line["way"] == ">"]
            assert requests
            assert all(card in text for text in requests for card in own_cards)
            assert not [card for text in requests for card in hidden_cards if card in text]


@with_practice("arena")
async def test_arena_author_reads_refusals_and_faults(practice: Practice) -> None:
    for body, reason in (
        ('{"url": 5}', "url is missing"),
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
    async with serve_bot(answer_with(make_response(b"howdy"))) as host:
        page = (await practice.client.post("/practice", data={"url": host.address.name}, headers=HTML)).text
        assert "Welcome to the party!" in page
        assert "<bdi>Guest 1</bdi>" in page
        await practice.wait_for_status("has played")
    assert {action.fault for action in recorded_actions(practice, of_guest=True)} == {"malformed"}
    page = (await practice.client.get("/practice", headers=HTML)).text
    assert "What was wrong:" in page
    fault = practice.games.guests.latest[0].faults[0]
    assert fault.sent == ("howdy",)
    assert fault.expected.startswith("fold, ")
    assert fault.rule.startswith("A bot answers POST /action with status 200")
    assert "howdy" not in page, "nobody but the author may read the bot's messages"
    answers = [line.text for line in (await practice.wait_for_transcript()).lines if line.way == "<"]
    assert answers == ["200\nhowdy"] * len(recorded_actions(practice, of_guest=True))
