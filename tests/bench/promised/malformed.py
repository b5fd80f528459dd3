"""Gives malformed input to all code that reads strangers' input. Most of this code must then still accept valid input.

Each public function except `alter` returns how many inputs broke the code: the code crashed, stalled, answered with 5xx
or not at all, refused input without a reason, or refused valid input. Parsers of hand histories have their own tests.
"""

import random
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx
from fastapi import FastAPI

from broadcast.archive.database import stamp_of
from broadcast.archive.indexing import summarise_recording
from broadcast.archive.worker import make_film
from broadcast.film.film import open_film
from broadcast.media.images import make_avatar
from broadcast.media.sound_encoding import make_win_sound
from broadcast.web.serve import serving
from server.bots.dialects.http_calls import HttpDialect
from server.bots.dialects.messages import BotMessage, DecisionMessage
from server.bots.http_bot import HttpBot
from server.bots.transports.http import HttpConnection
from server.config.event_file import read_event
from server.contests.arena.dialect import ArenaDialect, player_ids
from server.contests.arena.rules import ARENA
from server.contests.enova.dialect import EnovaDialect
from server.contests.enova.rules import ENOVA
from server.contests.enova.venue.registry import EnovaRegistry, enova_app
from server.contests.upac.dialect import UpacDialect
from server.errors import EventFaults
from server.game.betting import resolve
from server.game.decisions import Call
from server.game.view import View
from server.registration.register import register_router
from server.submissions.submissions_reader import read_submissions
from server.text.strict_json import JsonObject
from tests.bots.http_servers import Caller, make_response, serve_bot
from tests.bots.tcp_client import CALL, CHAT, HOST, TcpClient, connect_client
from tests.bots.views import entrants_of, table_view
from tests.desk.desk_server import DeskServer, accept_registration, ask, contest_events, make_headers
from tests.game.table import deal
from tests.journal.test_journal import mutate_lines
from tests.support.bots.submission import write_bot
from tests.support.games.recordings import seal, small_contest, write
from tests.support.idle_loop import settle
from tests.support.source_files import ROOT

MAX_READING_SECONDS, MAX_FAULT_CHARACTERS = 5.0, 400
"""How long it may take to read a recording, and how many characters a refusal may have."""
PIECES_TO_INSERT = (b'"', b"{", b"}", b"\\", b"[", b"]", b",", b":", b"\n", b"\\u", b"\xf0\x9f", b"\0")


def alter(dice: random.Random, *texts: bytes) -> bytes:
    """Returns one of `texts` after one to four changes, such as bytes that are cut out, inserted or repeated."""
    text = bytearray(dice.choice(texts))
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(text) + 1)
        match dice.randrange(5):
            case 0:
                text[at : at + dice.randint(1, 9)] = b""
            case 1:
                text[at:at] = dice.choice(PIECES_TO_INSERT)
            case 2:
                text[at : at + 1] = bytes([dice.randrange(256)])
            case 3:
                text[at:at] = bytes(text[: dice.randrange(len(text) + 1)])
            case _:
                del text[at:]
    return bytes(text)


async def quick_draw(input_count: int, dice: random.Random) -> int:
    broken, client = 0, await connect_client()
    for number in range(input_count):
        if number % 200 == 199 or not client.bot.connected:
            client.bot.hang_up()
            client.close()
            client = await connect_client()
        answer = client.ask()
        await _read_until(client, lambda received: b'"request_action"' in received)
        await client.say(alter(dice, CALL, CHAT) + CALL)
        await _read_until(client, lambda _: answer.done())  # noqa: B023
        answer.cancel()
        broken += not answer.done() or answer.cancelled() or bool(answer.result().fault)
    client.bot.hang_up()
    client.close()
    return broken


async def _read_until(client: TcpClient, is_enough: Callable[[bytes], bool]) -> None:
    """Reads until `is_enough` accepts the bytes, but for at most 2 s of the fake clock. A bot has 3 s to answer."""
    received = b""
    for _ in range(40):
        await settle()
        with suppress(BlockingIOError):
            received += client.connection.recv(65536)
        if is_enough(received):
            return
        client.clock.advance(0.05)


def upac(input_count: int, dice: random.Random) -> int:
    """Gives the parser a damaged line and then a valid call, in two pieces that are divided at a random place."""
    broken, dialect = 0, UpacDialect()
    for _ in range(input_count):
        line = alter(dice, b"C\n", b"R6\n", b"F\n", b"R99999999\n") + b"\nC\n"
        cut = dice.randrange(len(line))
        message = dialect.receive(line[:cut]) + dialect.receive(line[cut:])
        broken += message[-1:] != [BotMessage(b"C", DecisionMessage(Call()))]
    return broken


async def arena_answers(input_count: int, dice: random.Random) -> int:
    view, dialect = table_view(deal("2000 2000 2000", rules=ARENA)), ArenaDialect(player_ids(entrants_of(3)))
    return await _try_calls(input_count, dice, dialect, view, {"action": "call", "amount": 20})


async def enova_answers(input_count: int, dice: random.Random) -> int:
    """Damages the answer of a bot that is asked to post the blind."""
    view = table_view(deal("200 200 200", rules=ENOVA))
    return await _try_calls(input_count, dice, EnovaDialect(), view, {"action": "blind", "amount": "1"})


async def _try_calls(input_count: int, dice: random.Random, dialect: HttpDialect, view: View, good: JsonObject) -> int:
    """Answers the server's requests, alternately with malformed and good answers, each on a new connection."""
    reply, broken = b"", 0

    async def answer(caller: Caller) -> None:
        await caller.read_request()
        await caller.say(reply)

    async with serve_bot(answer) as host:
        bot = HttpBot(1, dialect, HttpConnection(host.address), lambda _: None)
        for _ in range(input_count):
            reply = alter(dice, make_response(good))
            await bot.ask(view, partial(resolve, view.hand))
            reply = make_response(good)
            broken += bool((await bot.ask(view, partial(resolve, view.hand))).fault)
        await bot.close()
    return broken


async def registration(input_count: int, dice: random.Random) -> int:
    app = FastAPI(openapi_url=None)
    app.include_router(register_router(accept_registration))
    good_body = b'{"name": "Billy the Kid", "test_game_size": 4, "test_hand_count": 12}'
    return await _try_bodies(input_count, dice, app, "/register", good_body)


async def enova_registration(input_count: int, dice: random.Random) -> int:
    with tempfile.TemporaryDirectory() as name:
        app = enova_app(EnovaRegistry(Path(name) / "bots.json"))
        good_body = b"hostname=127.0.0.1:3001&name=Bot%20Awesome"
        return await _try_bodies(input_count, dice, app, "/tournament/register", good_body)


async def _try_bodies(input_count: int, dice: random.Random, app: FastAPI, path: str, good_body: bytes) -> int:
    broken, content_type = 0, "application/json" if good_body.startswith(b"{") else "application/x-www-form-urlencoded"
    async with serving(app, HOST, 0) as base, httpx.AsyncClient(base_url=base, timeout=10) as web:
        for _ in range(input_count):
            response = await web.post(path, content=alter(dice, good_body), headers={"Content-Type": content_type})
            broken += response.is_server_error
            broken += not (await web.post(path, content=good_body, headers={"Content-Type": content_type})).is_success
    return broken


def desk(input_count: int, dice: random.Random) -> int:
    good_body, broken = b'{"control": "held", "value": true, "operator": "Ann", "bot": 0}', 0  # `held`: the show waits
    with tempfile.TemporaryDirectory() as media, DeskServer(Path(media), contest_events()) as server:
        headers = make_headers(server, "control", content_type="application/json")
        for _ in range(input_count):
            broken += ask(server, "POST", "/api/desk/set", headers, alter(dice, good_body) or b" ").is_server_error
            broken += not ask(server, "POST", "/api/desk/set", headers, good_body).is_success
    return broken


def recordings(input_count: int, dice: random.Random) -> int:
    """Damages recordings. Most then get valid checksums. The archive must make films (replays) or say why it cannot."""
    broken = 0
    with tempfile.TemporaryDirectory() as name:
        two_hands = small_contest()[:150]
        path = write(Path(name) / "damaged.jsonl", two_hands)
        lines = path.read_bytes().split(b"\n")[:-1]
        lines_without_sums = [line.rpartition(b',"sum":')[0] + b"}" for line in lines]
        for number in range(input_count):
            changed_lines = mutate_lines(dice, lines_without_sums if number % 4 else lines)
            path.write_bytes(seal(*changed_lines) if number % 4 else b"\n".join(changed_lines))
            started_at = time.perf_counter()
            broken += not _is_filmed_or_refused(path)
            broken += time.perf_counter() - started_at > MAX_READING_SECONDS
    return broken


def _is_filmed_or_refused(path: Path) -> bool:
    """Whether the archive can make a film of the recording, or says in one short line why not."""
    summary = summarise_recording(path, path.stem)
    assert summary is not None, "the archive must find the file"
    film = path.with_suffix(".film")
    fault = summary.fault if summary.state != "shown" else make_film(path, film, 1)  # `shown`: readable
    if fault:
        return "\n" not in fault and len(fault) < MAX_FAULT_CHARACTERS
    return summary.state != "shown" or bool(open_film(film, stamp_of(path)))  # `stamp_of`: the file's size and time


def event_files(input_count: int, dice: random.Random) -> int:
    good_file = (ROOT / "assets" / "event.toml").read_bytes() + b'\n[[entries]]\nplayer = "Ada"\nfolder = "ada"\n'
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "event.toml"
        (path.parent / "ada").mkdir()

        def read(content: bytes) -> bool:
            path.write_bytes(content)
            return bool(read_event(path))

        return _try_contents(input_count, dice, good_file, read, EventFaults)


def archives(input_count: int, dice: random.Random) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_bot(folder / "bots" / "abe")
        good_archive = Path(shutil.make_archive(name + "/good", "zip", folder / "bots")).read_bytes()

        def read(content: bytes) -> bool:
            shutil.rmtree(folder / "work", ignore_errors=True)
            (folder / "alice.zip").write_bytes(content)
            return not any(found.faults for found in read_submissions(folder / "alice.zip", folder / "work"))

        return _try_contents(input_count, dice, good_archive, read)


def pictures(input_count: int, dice: random.Random) -> int:
    return _try_contents(input_count, dice, _file_of_bot("mugshot.png"), make_avatar, ValueError)


def sound_effects(input_count: int, dice: random.Random) -> int:
    return _try_contents(input_count, dice, _file_of_bot("yeehaw.wav"), make_win_sound, ValueError)


def _file_of_bot(file: str) -> bytes:
    with tempfile.TemporaryDirectory() as name:
        return (write_bot(Path(name) / "abe", has_particle_and_sound=True) / file).read_bytes()


def _try_contents(
    input_count: int, dice: random.Random, good_file: bytes, read: Callable[[bytes], object], *refusals: type[Exception]
) -> int:
    """Gives damaged files to `read`, which must accept them or raise one of `refusals` with a message.

    At the end, `read` must accept the good file.
    """
    broken = 0
    for _ in range(input_count):
        try:
            read(alter(dice, good_file))
        except refusals as refusal:
            broken += not 0 < len(str(refusal)) < 10_000
        except Exception as crash:
            print(f"{type(crash).__name__}: {crash}")
            broken += 1
    return broken + (not read(good_file))
