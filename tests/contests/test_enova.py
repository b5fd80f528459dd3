"""Forms and registration follow the rule book of the contest Enova. Bots' answers become the right decisions."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

from broadcast.web.serve import address_of, listen, network_address, serving_on
from server.bots.transports.http import Address
from server.config.event_entries import EntryPlan
from server.config.event_file import EveningPlan
from server.contests.enova.dialect import READY_REQUEST, seat_request
from server.contests.enova.rules import accepted_name
from server.contests.enova.venue.open_registration import wait_for_entrants
from server.contests.enova.venue.ready_check import bots_of_resumed_tournament, ready_check
from server.contests.enova.venue.registry import MAX_BOTS, EnovaRegistry, RegisteredBot, enova_app, save_registrations
from server.contests.enova.writer import Form, encode_form
from server.errors import Refusal
from server.game.events import Entrant, SeatVacated
from server.journal.begin_journal import begin_journal
from server.registration.register import RegistrationRefused
from tests.bots.views import cards_of
from tests.contests.enova_bots import HANG_UP, NO_ANSWER, OK, EnovaServer, EnovaTable, read_form, serving_bots

ACTION_FORM = (
    b"minimum_bet=2&maximum_bet=2&blind=true&your_chips=1&your_hand[0][suit]=D&your_hand[0][value]=3&"
    b"your_hand[1][suit]=S&your_hand[1][value]=9&game_table_identifier=table_3&hand_identifier=hand_21&"
    b"betting_phase=pre_flop&active_players[0][name]=Bob&active_players[0][chips]=1&active_players[1][name]=Alice&"
    b"active_players[1][chips]=19&active_players[1][actions_this_round][0][action]=blind&"
    b"active_players[1][actions_this_round][0][amount]=1"
)
HAND_ENDED_FORM = (
    b"event=hand_ended&winners[Alice][chips_received]=1&winners[Alice][hand][0][suit]=S&"
    b"winners[Alice][hand][0][value]=2&winners[Alice][hand][1][suit]=S&winners[Alice][hand][1][value]=6"
)


def test_calls_equal_the_examples_in_the_rule_book() -> None:
    table = EnovaTable("19 1", "As Ad, 3d 9s", names=("Alice", "Bob")).play("blind:1")
    body = table.dialects[1].ask(table.view).body
    assert body.replace(b"=game_table_4&", b"=table_3&").replace(b"=hand_4001&", b"=hand_21&") == ACTION_FORM
    winners: Form = {"Alice": {"chips_received": 1, "hand": [{"suit": "S", "value": "2"}, {"suit": "S", "value": "6"}]}}
    assert encode_form({"event": "hand_ended", "winners": winners}) == HAND_ENDED_FORM
    table = EnovaTable("10 10", "2s 6s", names=("Alice", "Bob")).play("blind:1 blind:2 bet:4 fold")
    form = read_form(HAND_ENDED_FORM.replace(b"chips_received]=1", b"chips_received]=6"))
    assert table.requests_to(1)[-1] == ("/player/notify", form)


ANSWERS = [
    (b'{"action":"fold"}', 403, ""),
    (b'{"action":"bet","amount":2}', 200, ""),
    *((b'{"action":"bet","amount":2}', status, "malformed") for status in (201, 302, 403, 500)),
    (b'{"action":"blind","amount":2}', 200, "illegal"),
    *((b'{"action":"bet","amount":%d}' % to, 200, "") for to in (3, 40)),
    *((b'{"action":"bet","amount":%d}' % to, 200, "illegal") for to in (0, 1, 41, -2, 2**63)),
    *((body, 200, "malformed") for body in (b"", b"fold", b"[]", b"null", b'"fold"', b"<h1>Server Error</h1>")),
    *((body, 200, "malformed") for body in (b"\xff", b"action=bet&amount=2", b"{}")),
    *((b'{"action":%s,"amount":2}' % word, 200, "malformed") for word in (b'"check"', b'"Bet"', b"null", b"7", b"[]")),
    *((b'{"action":"bet","amount":%s}' % amount, 200, "malformed")
      for amount in (b"2.0", b"true", b"null", b'""', b'"two"', b'"2.0"', b"1e3", b"NaN", b"[2]", b"9" * 41)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status", "fault"), ANSWERS)
def test_any_raise_is_legal_and_every_faulty_answer_is_a_fold(body: bytes, status: int, fault: str) -> None:
    table = EnovaTable("50 40").play("blind:1 blind:2")
    assert table.answer(body, status) == fault
    assert table.hand.seats[0].folded == (bool(fault) or b"fold" in body)


def test_bot_that_refuses_its_blind_is_unseated() -> None:
    for body in [b'{"action":"blind","amount":2}', b'{"action":"bet","amount":1}', b'{"action":"fold"}', b"what?"]:
        table = EnovaTable("50 50 50")
        table.answer(body)
        assert SeatVacated(1, 50) in table.events
        assert table.events_sent_to(1) == ["folded", "unseated"]
        assert table.hand.turn is not None
        assert (table.seat, table.hand.turn.blind, table.ask()["minimum_bet"]) == (2, "big", "2")
        table.play("blind:2 fold")
        assert table.hand.over
        assert table.events_sent_to(1) == ["folded", "unseated"], "a bot that has left its seat gets no more messages"


def test_form_keeps_names_but_replaces_brackets_in_keys() -> None:
    for name in ("Bot Awesome (netid2)", "a_b [c] (d) [", "日本 bot"):
        table = EnovaTable("10 10", names=(name, "Bob")).play("blind:1 blind:2 bet:4 fold")
        assert list(table.requests_to(1)[-1][1]["winners"]) == [name.replace("[", "(").replace("]", ")")]
        assert EnovaTable("10 10", names=("Ann", name)).ask()["active_players"]["1"]["name"] == name


TURNS = """\
blind:1  pre_flop 1 to 1 of 9: Cid 9, Eve 30, Ann 50, Bob 40
blind:2  pre_flop 2 to 2 of 30: Eve 30, Ann 50, Bob 40, Cid 9 blind:1
bet:2    pre_flop 2 to 9 of 50: Ann 50, Bob 40, Cid 9 blind:1, Eve 30 blind:2
bet:4    pre_flop 2 to 9 of 40: Bob 40, Cid 9 blind:1, Eve 30 blind:2, Ann 50 bet:2
fold     pre_flop 4 to 9 of 9: Cid 9 blind:1, Eve 30 blind:2, Ann 50 bet:2, Bob 40 bet:4
bet:4    pre_flop 4 to 30 of 30: Eve 30 blind:2, Ann 50 bet:2, Bob 40 bet:4
bet:4    pre_flop 4 to 30 of 50: Ann 50 bet:2, Bob 40 bet:4, Eve 30 blind:2 bet:4
bet:0    flop 0 to 26 of 26: Eve 26, Ann 46, Bob 36; 2s 7h Jd
bet:6    flop 0 to 26 of 46: Ann 46, Bob 36, Eve 26 bet:0; 2s 7h Jd
bet:6    flop 6 to 26 of 36: Bob 36, Eve 26 bet:0, Ann 46 bet:6; 2s 7h Jd
bet:6    flop 6 to 26 of 26: Eve 26 bet:0, Ann 46 bet:6, Bob 36 bet:6; 2s 7h Jd
bet:20   turn 0 to 20 of 20: Eve 20, Ann 40, Bob 30; 2s 7h Jd 5c
bet:20   turn 20 to 20 of 40: Ann 40, Bob 30, Eve 20 bet:20; 2s 7h Jd 5c
bet:20   turn 20 to 20 of 30: Bob 30, Eve 20 bet:20, Ann 40 bet:20; 2s 7h Jd 5c
bet:0    river 0 to 0 of 20: Ann 20, Bob 10, Eve 0; 2s 7h Jd 5c Qs
bet:0    river 0 to 0 of 10: Bob 10, Eve 0, Ann 20 bet:0; 2s 7h Jd 5c Qs
"""
"""One hand. Each line has an answer, then the form that asked for it: street, allowed bets, chips, players, board."""


def test_form_has_the_bets_stacks_and_board_of_each_turn() -> None:
    table = EnovaTable("50 40 9 0 30", "As Ad, 3d 9s, Kh Kd, -, 2c 7d", "2s 7h Jd 5c Qs")
    for line in TURNS.splitlines():
        answer, _, words = line.partition(" ")
        form = table.ask()
        assert describe_form(form) == words.strip()
        assert cards_of(form["your_hand"].values()) == table.hand.seats[table.seat].cards
        table.play(answer)
    assert [table.events_sent_to(seat)[-2:] for seat in range(5)] == [
        ["hand_ended"], ["hand_ended"], ["folded", "hand_ended"], [], ["won_chips", "hand_ended"],
    ]  # fmt: skip
    winners = table.requests_to(0)[-1][1]["winners"]
    assert {name: winner["chips_received"] for name, winner in winners.items()} == {"Eve": "91"}


def describe_form(form: dict[str, Any]) -> str:
    players = [
        " ".join([player["name"], player["chips"], *map(":".join, map(dict.values, acts.values()))])
        for player in form["active_players"].values()
        for acts in [player.get("actions_this_round", {})]
    ]
    bets = f"{form['minimum_bet']} to {form['maximum_bet']} of {form['your_chips']}"
    board = " ".join(cards_of(form.get("community_cards", {}).values()))
    return f"{form['betting_phase']} {bets}: {', '.join(players)}{'; ' if board else ''}{board}"


FORM_HEADERS = {"Content-Type": "application/x-www-form-urlencoded"}
BROWSER_HEADERS = {**FORM_HEADERS, "Accept": "text/html,*/*"}


class Registration:
    def __init__(self, registry: EnovaRegistry, client: httpx.AsyncClient) -> None:
        self.registry, self.client = registry, client

    async def post(self, body: str | bytes, headers: dict[str, str] = FORM_HEADERS) -> tuple[int, str]:
        response = await self.client.post("/tournament/register", content=body, headers=headers)
        return response.status_code, response.text

    @property
    def names(self) -> list[str]:
        return [bot.name for bot in self.registry.registered]


@pytest.fixture
async def registration(tmp_path: Path) -> AsyncIterator[Registration]:
    registry = EnovaRegistry(tmp_path / "bots.json")
    listener = listen("127.0.0.1", 0)
    async with (
        serving_on(enova_app(registry), listener),
        httpx.AsyncClient(base_url=address_of(listener), trust_env=False, timeout=60.0) as client,
    ):
        yield Registration(registry, client)


async def test_curl_command_of_the_rule_book_works_until_registration_closes(registration: Registration) -> None:
    welcome = (200, "Welcome to the party!")
    for host in ("localhost", "tournament.example"):
        headers = {**FORM_HEADERS, "Host": host}  # Registration works under any host name.
        assert await registration.post("hostname=localhost:3001&name=Bot%20Awesome", headers) == welcome
    assert registration.names == ["Bot Awesome"]
    assert registration.registry.registered[0].address.name == "localhost:3001"
    mistyped_fields = {"nmae": "Bob", "hostname": "localhost:3001", "name": "Bot Awesome"}
    response = await registration.client.post("/tournament/register", data=mistyped_fields)
    assert (response.status_code, response.text) == welcome
    assert response.headers["warnings"] == 'the key "nmae" is ignored: known keys are hostname, name'
    registration.registry.is_open = False
    for body in ("hostname=localhost:3001&name=Bob", ""):
        assert await registration.post(body) == (404, "No active tournaments.")


async def test_missing_or_wrong_fields_are_named(registration: Registration) -> None:
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
        f"hostname=127.0.0.1:{registration.client.base_url.port}&name=Bob": "is where this server itself listens",
    }.items():
        status, text = await registration.post(body)
        assert status == 400, body
        assert words in text, body
    assert (await registration.post(b"name=" + b"x" * 9000))[0] == 413
    assert (await registration.post(b"name=\xff\xfe"))[0] == 400
    assert not registration.names


async def test_name_and_address_can_be_registered_only_once(registration: Registration) -> None:
    assert (await registration.post("hostname=127.0.0.1:3001&name=Bob+[x]"))[0] == 200
    for similar_name in ("bob+(X)", "B0b+[x]", "Bob++[x]!"):
        status, text = await registration.post(f"hostname=127.0.0.1:3002&name={similar_name}")
        assert (status, "is taken" in text) == (409, True)
    answer = await registration.post("hostname=http://127.0.0.1:3001/&name=Ann")
    assert answer == (409, '127.0.0.1:3001 is already registered, as "Bob [x]"')
    assert registration.names == ["Bob [x]"]


def local_bot(name: str, port: int, player: str = "") -> RegisteredBot:
    return RegisteredBot(name, Address(f"127.0.0.1:{port}", ("127.0.0.1",), port), player)


def register(registry: EnovaRegistry, hostname: str, name: str, client_address: str = "127.0.0.1") -> RegisteredBot:
    return asyncio.run(registry.register(hostname, name, client_address))


def test_at_most_64_bots_are_admitted(tmp_path: Path) -> None:
    registered = [local_bot(f"Bot {port}", port) for port in range(3000, 3000 + MAX_BOTS - 1)]
    save_registrations(tmp_path / "bots.json", registered)
    registry = EnovaRegistry(tmp_path / "bots.json")
    register(registry, "127.0.0.1:5000", "The last")
    with pytest.raises(RegistrationRefused, match="full"):
        register(registry, "127.0.0.1:5001", "One more")


def test_name_keeps_letters_digits_brackets_and_blanks() -> None:
    for name, accepted in (
        ("Bot Awesome (netid2)", "Bot Awesome (netid2)"),
        ("Señor Nin\u0303o 42 🤠\u202e", "Señor Niño 42"),
        ("1\ufe0f\u20e3 -\u0301 م\u200c", "1 م"),
        ("Z" + "\u0351" * 5 + "algo", "Z\u0351\u0351algo"),
        ("x" * 150, "x" * 100),
    ):
        assert accepted_name(name) == accepted
    for name in ("", "()[]_", "🤠", "\u200b", "\u3164"):
        with pytest.raises(ValueError, match="letters or digits"):
            accepted_name(name)


def test_host_is_looked_up_once_and_its_addresses_are_kept(tmp_path: Path) -> None:
    hosts: list[str] = []

    async def look_up(host: str) -> Sequence[str]:
        hosts.append(host)
        return ["10.0.0.7", "10.0.0.8"]

    registry = EnovaRegistry(tmp_path / "bots.json", ["10.0.0.0/8"], look_up=look_up)
    bot = register(registry, "bots.example:3000", "Bob", "10.1.1.1")
    assert bot.address == Address("bots.example:3000", ("10.0.0.7", "10.0.0.8"), 3000)
    assert hosts == ["bots.example"]


@pytest.mark.parametrize("address", ["127.0.0.9", "::ffff:127.0.0.1", "::1", network_address()])
def test_local_address_can_be_registered_only_locally(address: str, tmp_path: Path) -> None:
    registry = EnovaRegistry(tmp_path / "bots.json", ["0.0.0.0/0", "::/0"])
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(RegistrationRefused, match="an address of this server"):
        register(registry, f"{host}:3000", "Bob", "203.0.113.9")
    with pytest.raises(RegistrationRefused, match="an address of this server"):
        register(registry, "localhost:3000", "Bob", "203.0.113.9")
    register(registry, f"{host}:3000", "Bob", address)
    register(registry, "203.0.113.10:3000", "Ann", "203.0.113.9")


async def test_browser_gets_the_answer_in_a_page_without_scripts(registration: Registration) -> None:
    page = await registration.client.get("/tournament/register")
    assert (page.status_code, "<script" in page.text) == (200, False)
    assert page.headers["referrer-policy"] == "same-origin", (
        'under a stricter policy, browsers would send "Origin: null", which the server refuses'
    )
    for sheet in ("common/tokens", "pages/pages"):
        assert (await registration.client.get(f"/static/css/{sheet}.css")).status_code == 200
    status, text = await registration.post("hostname=localhost:3001&name=Bob+%5Bx%5D", BROWSER_HEADERS)
    assert (status, "Welcome to the party!" in text, "<li><bdi>Bob [x]</bdi></li>" in text) == (200, True, True)
    status, text = await registration.post("hostname=localhost:3002&name=Bob+%5Bx%5D", BROWSER_HEADERS)
    assert (status, "is taken" in text, 'value="localhost:3002"' in text) == (409, True, True)
    script_tag = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    status, text = await registration.post(f"hostname={script_tag}&name={script_tag}", BROWSER_HEADERS)
    assert (status, "<script" in text) == (400, False)
    assert registration.names == ["Bob [x]"]
    registration.registry.is_open = False
    assert "<form" not in (await registration.client.get("/tournament/register")).text


def test_registrations_survive_a_crash_or_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "bots.json"
    path.parent.mkdir()
    bob = register(EnovaRegistry(path), "127.0.0.1:3001", "Bob")
    path.with_suffix(".half").write_bytes(b'[{"na')
    reopened_registry = EnovaRegistry(path)
    assert [*reopened_registry.registered] == [bob]
    ann = register(reopened_registry, "127.0.0.1:3002", "Ann")
    assert EnovaRegistry(path).registered == (bob, ann)
    path.write_bytes(b'[{"name": 7}]')
    with pytest.raises(Refusal, match="is not a file of registrations"):
        EnovaRegistry(path)
    shutil.rmtree(path.parent)
    path.parent.write_bytes(b"")
    with pytest.raises(RegistrationRefused, match="try again"):
        register(reopened_registry, "127.0.0.1:3003", "Cyd")
    assert reopened_registry.registered == (bob, ann)


def test_bots_in_the_event_file_keep_their_players(tmp_path: Path) -> None:
    registry = EnovaRegistry(tmp_path / "bots.json")
    plans = [("Ada", "Bob!", 3001), ("Ben", "bob", 3002), ("Cyd", "Cyd", 3003)]
    entries = [EntryPlan(player, bot=bot, url=f"http://127.0.0.1:{port}") for player, bot, port in plans]
    _, (refusal,) = asyncio.run(registry.enter([*entries, entries[0]]))
    assert refusal.startswith("bob: The name")
    assert [(bot.name, bot.player) for bot in registry.registered] == [("Bob", "Ada"), ("Cyd", "Cyd")]


async def test_bot_that_is_not_ready_or_refuses_its_seat_is_out() -> None:
    def make_bot(path: str, reply: tuple[int, bytes]) -> EnovaServer:
        return EnovaServer(lambda called_path, _: reply if called_path == path else OK)

    bots = {
        "Fine": EnovaServer(lambda *_: (200, b"<h1>Padrino</h1>")),
        "Created": make_bot("/player/ready", (201, b"")),
        "Lost": make_bot("/player/ready", HANG_UP),
        "Unseated": make_bot("/player/seat", (500, b"oops")),
    }
    async with serving_bots(list(bots.values())):
        registered = [local_bot(name, bot.port) for name, bot in bots.items()]
        seated = await ready_check([*registered, local_bot("Gone", 9, "Ada")])
    assert seated.entrants == (Entrant(1, "Fine", "Fine"),)
    assert seated.addresses[1].name == bots["Fine"].host
    assert seated.unseated_reasons == {
        "Created": "/player/ready: answered with status 201 instead of 200",
        "Lost": "/player/ready: hung up without an answer",
        "Unseated": "/player/seat: answered with status 500 instead of 200",
        "Gone": "/player/ready: no connection to its server",
    }
    seat = ("/player/seat", {"game_table_identifier": "game_table_1"})
    assert bots["Fine"].calls == [("/player/ready", {}), seat]
    assert (READY_REQUEST.method, seat_request(1).method) == ("GET", "POST")
    slow = EnovaServer(lambda *_: NO_ANSWER)
    async with serving_bots([slow]):
        seated = await ready_check([local_bot("Slow", slow.port)], seconds=0.2)
    assert seated.unseated_reasons == {"Slow": "/player/ready: no complete answer within 0.2 s"}


def test_resumed_tournament_finds_its_bots_addresses(tmp_path: Path) -> None:
    registered = [local_bot("A", 1), local_bot("B", 2)]
    save_registrations(tmp_path / "bots.json", registered)
    entrants = [Entrant(1, "B"), Entrant(2, "C")]
    seated = bots_of_resumed_tournament(entrants, EnovaRegistry(tmp_path / "bots.json").registered)
    assert seated.entrants == tuple(entrants)
    assert seated.addresses == {1: registered[1].address}
    assert list(seated.unseated_reasons) == ["C"]


async def test_tournament_begins_once_all_bots_are_ready(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls = 0

    def answer_from_the_third_call(*_: object) -> tuple[int, bytes]:
        nonlocal calls
        calls += 1
        return OK if calls > 2 else (503, b"")

    bots = {"One": EnovaServer(lambda *_: OK), "Two": EnovaServer(answer_from_the_third_call)}
    async with serving_bots([*bots.values()]), contextlib.AsyncExitStack() as exit_stack, asyncio.timeout(60):
        entries = tuple(EntryPlan(name, bot=name, url=f"http://{bot.host}") for name, bot in bots.items())
        plan = EveningPlan(
            name="Any", date=date.min, entries=entries, data=tmp_path, contest="enova", start="bots", register_port=0
        )
        plan.journal.parent.mkdir(parents=True)
        entered_bots = await wait_for_entrants(plan, begin_journal(tmp_path / "none"), "token", exit_stack)
    assert [entrant.name for entrant in entered_bots.entrants] == ["One", "Two"]
    printed = capsys.readouterr().out
    assert printed.count("waiting for Two; then the tournament begins by itself") == 1
    assert "all bots of the event file are ready: registration is closed" in printed
