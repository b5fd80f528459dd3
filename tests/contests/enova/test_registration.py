"""Registration for an Enova tournament over real HTTP admits the right bots and stores them, and all of them play."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Sequence
from datetime import date
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from broadcast.web.serve import address_of, listen, network_address, serving_on
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import start_house_bots
from server.bots.transports.http import Address
from server.config.event_entries import EntryPlan
from server.config.event_file import EveningPlan
from server.contests.enova.rules import accepted_name
from server.contests.enova.venue.open_registration import gather_entered_bots
from server.contests.enova.venue.ready_check import ready_check, seating_before_resume
from server.contests.enova.venue.registry import (
    MAX_BOTS,
    EnovaRegistry,
    RegisteredBot,
    enova_app,
    read_registrations,
    save_registrations,
)
from server.contests.enova.venue.venue import HOUSE_MODULE
from server.errors import Refusal
from server.game.events import Entrant
from server.journal.begin_journal import begin_journal
from server.registration.register import RegistrationRefused
from tests.contests.enova.enova_servers import HANG_UP, NEVER, OK, EnovaServer, serving_bots

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
HTML = {**FORM, "Accept": "text/html,*/*"}
PLAN = EveningPlan(
    name="Evening", date=date(2026, 1, 1), entries=(), data=Path(), contest="enova", start="bots", register_port=0
)


class Served:
    def __init__(self, registry: EnovaRegistry, client: httpx.AsyncClient) -> None:
        self.registry, self.client = registry, client

    async def post(self, body: str | bytes, headers: dict[str, str] = FORM) -> tuple[int, str]:
        answer = await self.client.post("/tournament/register", content=body, headers=headers)
        return answer.status_code, answer.text

    async def register(self, hostname: str, name: str) -> tuple[int, str]:
        answer = await self.client.post("/tournament/register", data={"hostname": hostname, "name": name})
        return answer.status_code, answer.text

    @property
    def names(self) -> list[str]:
        return [bot.name for bot in self.registry.registered]


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    registry = EnovaRegistry(tmp_path / "bots.json")
    listener = listen("127.0.0.1", 0)
    async with (
        serving_on(enova_app(registry), listener),
        httpx.AsyncClient(base_url=address_of(listener), trust_env=False, timeout=60.0) as client,
    ):
        yield Served(registry, client)


async def test_documents_curl_line_can_be_repeated_until_registration_closes(served: Served) -> None:
    welcome = (200, "Welcome to the party!")
    for host in ("localhost", "tournament.example"):
        headers = {**FORM, "Host": host}  # bots may call the server by any name
        assert await served.post("hostname=localhost:3001&name=Bot%20Awesome", headers) == welcome
    assert served.names == ["Bot Awesome"]
    assert served.registry.registered[0].address.name == "localhost:3001"
    unknown = {"nmae": "Bob", "hostname": "localhost:3001", "name": "Bot Awesome"}
    answer = await served.client.post("/tournament/register", data=unknown)
    assert (answer.status_code, answer.text) == welcome
    assert answer.headers["warnings"] == 'the key "nmae" is ignored: known keys are hostname, name'
    served.registry.is_open = False
    for body in ("hostname=localhost:3001&name=Bob", ""):
        assert await served.post(body) == (404, "No active tournaments.")


async def test_missing_or_wrong_fields_are_named(served: Served) -> None:
    for body, words in {
        "name=Bob": "hostname is missing",
        "hostname=localhost:3001": "name is missing",
        "hostname=localhost:3001&name=%26%21": "needs letters or digits",
        "hostname=https://x:1/y&name=Bob": "hostname should be a host",
        "hostname=localhost:99999&name=Bob": "a port from 1 to 65535",
        "hostname=169.254.169.254&name=Bob": "is not in a network that is allowed here (127.0.0.0/8, ::1/128)",
        "&".join(["a=1"] * 50): "must be a urlencoded form",
        '{"hostname": "localhost:3001", "name": "Bob"}': "; this one is JSON",
        '--x\r\nContent-Disposition: form-data; name="hostname"\r\n\r\nlocalhost\r\n--x--': "is multipart",
        f"hostname=127.0.0.1:{served.client.base_url.port}&name=Bob": "is where this server itself listens",
    }.items():
        status, text = await served.post(body)
        assert status == 400, body
        assert words in text, body
    assert (await served.post(b"name=" + b"x" * 9000))[0] == 413
    assert (await served.post(b"name=\xff\xfe"))[0] == 400
    assert not served.names


async def test_name_and_address_can_be_registered_only_once(served: Served) -> None:
    assert await served.register("127.0.0.1:3001", "Bob [x]") == (200, "Welcome to the party!")
    for twin in ("bob (X)", "B0b [x]", "Bob  [x]!"):
        status, text = await served.register("127.0.0.1:3002", twin)
        assert (status, "is taken" in text) == (409, True)
    status, text = await served.register("http://127.0.0.1:3001/", "Ann")
    assert (status, text) == (409, '127.0.0.1:3001 is already registered, as "Bob [x]"')
    assert served.names == ["Bob [x]"]


def enter(registry: EnovaRegistry, hostname: str, name: str, client: str = "127.0.0.1") -> RegisteredBot:
    return asyncio.run(registry.register(hostname, name, client))


def test_at_most_64_bots_are_admitted(tmp_path: Path) -> None:
    here = [Address(f"127.0.0.1:{port}", ("127.0.0.1",), port) for port in range(3000, 3000 + MAX_BOTS - 1)]
    save_registrations(tmp_path / "bots.json", [RegisteredBot(f"Bot {address.port}", address) for address in here])
    registry = EnovaRegistry(tmp_path / "bots.json")
    enter(registry, "127.0.0.1:5000", "The last")
    with pytest.raises(RegistrationRefused, match="full"):
        enter(registry, "127.0.0.1:5001", "One more")


@pytest.mark.parametrize(
    ("wished", "accepted"),
    [
        ("Bot Awesome (netid2)", "Bot Awesome (netid2)"),
        ("Señor Nin\u0303o 42 🤠\u202e", "Señor Niño 42"),
        ("1\ufe0f\u20e3 -\u0301 م\u200c", "1 م"),
        ("Z" + "\u0351" * 5 + "algo", "Z\u0351\u0351algo"),
        ("x" * 150, "x" * 100),
    ],
)
def test_name_keeps_letters_digits_brackets_and_blanks(wished: str, accepted: str) -> None:
    assert accepted_name(wished) == accepted
    for refused in ("", "  ", "!!!", "()[]_", "🤠", "\u200b", "\u3164"):
        with pytest.raises(ValueError, match="letters or digits"):
            accepted_name(refused)


def test_host_is_looked_up_once_and_its_addresses_are_kept(tmp_path: Path) -> None:
    asked: list[str] = []

    async def look_up(host: str) -> Sequence[str]:
        asked.append(host)
        return ["10.0.0.7", "10.0.0.8"]

    registry = EnovaRegistry(tmp_path / "bots.json", ["10.0.0.0/8"], look_up=look_up)
    bot = enter(registry, "bots.example:3000", "Bob", "10.1.1.1")
    assert bot.address == Address("bots.example:3000", ("10.0.0.7", "10.0.0.8"), 3000)
    assert asked == ["bots.example"]


@pytest.mark.parametrize("own", ["127.0.0.9", "::ffff:127.0.0.1", "::1", network_address()])
def test_addresses_of_this_machine_can_be_registered_only_from_this_machine(own: str, tmp_path: Path) -> None:
    registry = EnovaRegistry(tmp_path / "bots.json", ["0.0.0.0/0", "::/0"])
    host = f"[{own}]" if ":" in own else own
    with pytest.raises(RegistrationRefused, match="an address of this server"):
        enter(registry, f"{host}:3000", "Bob", "203.0.113.9")
    with pytest.raises(RegistrationRefused, match="an address of this server"):
        enter(registry, "localhost:3000", "Bob", "203.0.113.9")
    enter(registry, f"{host}:3000", "Bob", own)
    enter(registry, "203.0.113.10:3000", "Ann", "203.0.113.9")


async def test_bot_can_be_registered_on_our_page_but_not_from_a_foreign_page(served: Served) -> None:
    page = await served.client.get("/tournament/register")
    assert (page.status_code, "<script" in page.text) == (200, False)
    assert page.headers["referrer-policy"] == "same-origin", (
        "with a stricter policy, browsers send no Origin with the form, which would be refused"
    )
    for sheet in ("common/tokens", "pages/pages"):
        assert (await served.client.get(f"/static/css/{sheet}.css")).status_code == 200
    status, text = await served.post("hostname=localhost:3001&name=Bob+%5Bx%5D", HTML)
    assert (status, "Welcome to the party!" in text, "<li><bdi>Bob [x]</bdi></li>" in text) == (200, True, True)
    status, text = await served.post("hostname=localhost:3002&name=Bob+%5Bx%5D", HTML)
    assert (status, "is taken" in text, 'value="localhost:3002"' in text) == (409, True, True)
    evil = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    status, text = await served.post(f"hostname={evil}&name={evil}", HTML)
    assert (status, "<script" in text) == (400, False)
    for origin in ("http://evil.example", "null"):
        assert (await served.post("hostname=localhost:3003&name=Ann", {**FORM, "Origin": origin}))[0] == 403
    assert served.names == ["Bob [x]"]
    served.registry.is_open = False
    assert "<form" not in (await served.client.get("/tournament/register")).text


def test_registrations_survive_a_crash_and_are_refused_if_they_cannot_be_stored(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "bots.json"
    path.parent.mkdir()
    bob = enter(EnovaRegistry(path), "127.0.0.1:3001", "Bob")
    path.with_suffix(".half").write_bytes(b'[{"na')
    again = EnovaRegistry(path)
    assert [*again.registered] == [bob]
    ann = enter(again, "127.0.0.1:3002", "Ann")
    assert read_registrations(path) == (bob, ann)
    path.write_bytes(b'[{"name": 7}]')
    with pytest.raises(Refusal, match="is not a file of registrations"):
        EnovaRegistry(path)
    shutil.rmtree(path.parent)
    path.parent.write_bytes(b"")
    with pytest.raises(RegistrationRefused, match="try again"):
        enter(again, "127.0.0.1:3003", "Cyd")
    assert again.registered == (bob, ann)


async def test_house_bots_of_a_demo_register_themselves(served: Served) -> None:
    bots, base = CHARACTERS[:2], f"{served.client.base_url}"
    async with start_house_bots(HOUSE_MODULE, bots, "seed", register_at=base) as urls, asyncio.timeout(60):
        await served.registry.wait_for_bots(len(bots))
    registered = {bot.name: f"http://{bot.address.name}" for bot in served.registry.registered}
    assert registered == dict(zip((bot.name for bot in bots), urls, strict=True))


def test_bots_of_the_event_file_are_registered_together_with_their_players(tmp_path: Path) -> None:
    registry = EnovaRegistry(tmp_path / "bots.json")
    plans = [("Ada", "Bob!", 3001), ("Ben", "bob", 3002), ("Cyd", "Cyd", 3003)]
    entries = [EntryPlan(player, bot=bot, url=f"http://127.0.0.1:{port}") for player, bot, port in plans]
    _, (refusal,) = asyncio.run(registry.enter([*entries, entries[0]]))
    assert refusal.startswith("bob: The name")
    assert [(bot.name, bot.player) for bot in registry.registered] == [("Bob", "Ada"), ("Cyd", "Cyd")]


async def test_bot_that_is_not_ready_or_refuses_its_seat_is_out_with_the_reason() -> None:
    def answering(path: str, reply: tuple[int, bytes]) -> EnovaServer:
        return EnovaServer(lambda called, _: reply if called == path else OK)

    bots = {
        "Fine": EnovaServer(lambda *_: (200, b"<h1>Padrino</h1>")),
        "Created": answering("/player/ready", (201, b"")),
        "Lost": answering("/player/ready", HANG_UP),
        "Unseated": answering("/player/seat", (500, b"oops")),
    }
    async with serving_bots(list(bots.values())):
        registered = [RegisteredBot(name, Address(bot.host, ("127.0.0.1",), bot.port)) for name, bot in bots.items()]
        gone = RegisteredBot("Gone", Address("127.0.0.1:9", ("127.0.0.1",), 9), "Ada")
        seated = await ready_check([*registered, gone])
    assert seated.entrants == (Entrant(1, "Fine", "Fine"),)
    assert seated.addresses[1].name == bots["Fine"].host
    assert seated.unseated_reasons == {
        "Created": "/player/ready: answered with status 201 instead of 200",
        "Lost": "/player/ready: hung up without an answer",
        "Unseated": "/player/seat: answered with status 500 instead of 200",
        "Gone": "/player/ready: no connection to its server",
    }
    seat = ("/player/seat", {"game_table_identifier": "game_table_1"})
    assert bots["Fine"].heard == [("/player/ready", {}), seat]
    slow = EnovaServer(lambda *_: NEVER)
    async with serving_bots([slow]):
        address = Address(slow.host, ("127.0.0.1",), slow.port)
        seated = await ready_check([RegisteredBot("Slow", address)], seconds=0.2)
    assert seated.unseated_reasons == {"Slow": "/player/ready: no complete answer within 0.2 s"}


def test_resumed_tournament_finds_its_bots_addresses(tmp_path: Path) -> None:
    registered = [
        RegisteredBot(name, Address(f"127.0.0.1:{port}", ("127.0.0.1",), port)) for name, port in (("A", 1), ("B", 2))
    ]
    save_registrations(tmp_path / "bots.json", registered)
    entrants = [Entrant(1, "B"), Entrant(2, "C")]
    seated = seating_before_resume(entrants, read_registrations(tmp_path / "bots.json"))
    assert seated.entrants == tuple(entrants)
    assert seated.addresses == {1: registered[1].address}
    assert list(seated.unseated_reasons) == ["C"]


async def test_tournament_begins_once_all_named_bots_are_ready_and_says_who_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = 0

    def wakes_up(*_: object) -> tuple[int, bytes]:
        nonlocal asked
        asked += 1
        return OK if asked > 2 else (503, b"")

    bots = [EnovaServer(lambda *_: OK), EnovaServer(wakes_up)]
    async with serving_bots(bots), contextlib.AsyncExitStack() as closing, asyncio.timeout(60):
        named = zip(("One", "Two"), bots, strict=True)
        entries = tuple(EntryPlan(name, bot=name, url=f"http://{bot.host}") for name, bot in named)
        plan = replace(PLAN, entries=entries, data=tmp_path)
        plan.journal.parent.mkdir(parents=True)
        field = await gather_entered_bots(plan, begin_journal(tmp_path / "none"), "token", closing)
    assert [entrant.name for entrant in field.entrants] == ["One", "Two"]
    printed = capsys.readouterr().out
    assert printed.count("waiting for Two; then the tournament begins by itself") == 1
    assert "all bots of the event file are ready: registration is closed" in printed
