"""Before a contest starts, the server enters bots, checks them in, looks up their hosts, and may play a trial deal."""

import asyncio
import contextlib
import re
import socket
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server.app.evening.boxed_bots import BotEntry
from server.app.evening.card_room import CardRoom, begin_recording
from server.app.evening.check_in import RECONNECT_BURST, RECONNECT_SECONDS, CheckInDesk
from server.app.evening.deal_bots import DealBots
from server.app.evening.deal_memory import MEGABYTE, RESERVE_BYTES, DealMemory
from server.app.evening.entries import enter_all
from server.app.evening.http_bots import ProbedBot, find_bots
from server.app.evening.trial_deal import TrialDeal
from server.app.host_lookup import MAX_LOOKUPS, MAX_PER_CLIENT, MAX_WAITING, HostLookup
from server.app.sparring.sides import Side
from server.bots.transports.http import Address, HostRefused
from server.config.event_file import read_event
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.errors import Refusal
from server.game.events import BotDisconnected, ControlSet, Entrant, Event
from server.game.formats import as_deals
from server.journal.bus import Bus
from server.journal.journal import read_journal
from server.registration.register import Registration, RegistrationRefused
from server.submissions.folder_rules import digest_of
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bots.http_servers import answer_with, make_response, serve_bot
from tests.end_to_end.killed_evening import deterministic_events
from tests.support.bots.starters import write_starter
from tests.support.bots.submission import write_bot
from tests.support.idle_loop import settle
from tests.support.ports import free_ports


def test_version_comes_from_the_event_file_or_the_bots_digest(tmp_path: Path) -> None:
    event_text, digests = 'name = "Friday"\ndate = 2026-11-21\n', set()
    for name in ("bob", "dan", "ada"):
        write_bot(tmp_path / name, f"Bot of {name}")
        event_text += f'[[entries]]\nplayer = "{name}"\nfolder = "{name}"\n'
    (tmp_path / "dan" / "Dockerfile").unlink()
    (tmp_path / "event.toml").write_text(f'{event_text}version = "1.2 beta"\n')
    for comment in ("", "# better\n"):
        with (tmp_path / "bob" / "bot.py").open("a") as code:
            code.write(comment)
        digests.add(digest := digest_of(tmp_path / "bob")[:8])
        entrants = enter_all(read_event(tmp_path / "event.toml"), tmp_path / "work").entrants
        assert [entrant.version or "" for entrant in entrants] == [digest, "", "1.2 beta"]
    assert len(digests) == 2


LOCALHOST = "127.0.0.1"
ADA = Registration("Ada", secret="a secret")  # noqa: S106 (the secret of a bot in a test)


def open_desk(*ports: int) -> tuple[CheckInDesk, asyncio.Queue[Event]]:
    """Opens a check-in desk for a tournament with one bot. Returns the desk and a queue of the tournament's events."""
    entrants, events, bus = [Entrant(1, ADA.name)], asyncio.Queue[Event](), Bus(None, lambda: 0.0)
    bus.listeners.append(events.put_nowait)
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=bytes(32), bus=bus)
    return CheckInDesk(entrants, director, QuickDrawDialect, LOCALHOST, {1: ADA.secret}, ports=ports), events


async def test_only_the_latest_port_of_a_bot_is_open() -> None:
    desk, events = open_desk()
    for _ in range(2):
        first_check_in, latest_check_in = [await desk.check_in(ADA, LOCALHOST) for _ in range(2)]
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(LOCALHOST, first_check_in.port)
        _, writer = await asyncio.open_connection(LOCALHOST, latest_check_in.port)
        await desk.all_connected.wait()
        writer.close()
        while not isinstance(await events.get(), BotDisconnected):
            pass
        assert not desk.all_connected.is_set()
    desk.close()


async def test_bot_is_told_to_try_again_while_no_port_is_free() -> None:
    with socket.create_server((LOCALHOST, 0)) as occupied:
        port = occupied.getsockname()[1]
        desk, _ = open_desk(port)
        with pytest.raises(RegistrationRefused, match=r"no port is free for Ada: .*; try again") as refusal:
            await desk.check_in(ADA, LOCALHOST)
    assert refusal.value.status == 503
    assert (await desk.check_in(ADA, LOCALHOST)).port == port
    desk.close()


async def test_reconnects_before_the_first_hand_are_limited() -> None:
    (port,) = free_ports(1)
    desk, events = open_desk(port)
    assert list((await desk.open_ports()).values()) == [port]
    start_seconds, reconnects = time.monotonic(), 0
    for _ in range(5 * RECONNECT_BURST):
        with contextlib.suppress(ConnectionRefusedError):
            _, writer = await asyncio.open_connection(LOCALHOST, port)
            writer.close()
            while not isinstance(await events.get(), BotDisconnected):
                pass
            reconnects += 1
    desk.close()
    assert RECONNECT_BURST <= reconnects <= RECONNECT_BURST + 1 + (time.monotonic() - start_seconds) / RECONNECT_SECONDS


FOREIGN_REASON = "is not in a network that is allowed here (127.0.0.0/8, ::1/128, 192.168.1.0/24)"
NO_HOST_REASON = "should be a host, or a host and a port such as 10.0.0.7:5000"


async def test_host_without_a_server_is_reported() -> None:
    for answer_call, health in (
        (answer_with(make_response(b"fine\n\x1b[31m  thanks")), "fine ?[31m thanks"),
        (answer_with(make_response(b"x" * 4000)), "x" * 100),
        (answer_with(make_response(b"no such thing", status="404 Not Found")), ""),
        (answer_with(b"", times=0), ""),  # The server closes each connection at once.
    ):
        async with serve_bot(answer_call) as host:
            (bot,) = await find_bots([f"http://{host.address.name}"], (), 60.0)
        assert bot.address is not None
        assert (bot.why, bot.health) == ("", health)
    (bot,) = await find_bots([f"http://{host.address.name}"], (), 60.0)  # The last server has been stopped.
    assert bot.why == f"nothing listens at http://{host.address.name}"
    assert bot.address is not None, "the address must be kept, because the bot may still start"


def test_hosts_outside_the_allowed_networks_are_never_called() -> None:
    reasons = {
        "http://10.0.0.1:5000": FOREIGN_REASON,
        "http://169.254.169.254:80": FOREIGN_REASON,
        "https://localhost:5000": NO_HOST_REASON,
        "http://localhost:5000/latest/meta": NO_HOST_REASON,
    }
    bots = asyncio.run(find_bots([*reasons], ("192.168.1.0/24",)))
    assert bots == [ProbedBot(why=f"{url} {reason}") for url, reason in reasons.items()]


# -- lookups of strangers' host names

NETWORKS = ("10.0.0.0/8",)


class SlowResolver:
    """Looks up names, but answers only once `answered` is set."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.answered = asyncio.Event()

    async def __call__(self, host: str) -> Sequence[str]:
        self.names.append(host)
        await self.answered.wait()
        return ["10.0.0.9"]


@contextlib.asynccontextmanager
async def look_up_names(look_up: HostLookup, count: int) -> AsyncIterator[list[asyncio.Task[Address]]]:
    """Starts lookups of `count` names, each for a client with its own address. Yields the tasks of the lookups."""
    tasks = [asyncio.create_task(look_up(f"slow-{number}.example", f"10.1.0.{number}")) for number in range(count)]
    await settle()
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_ip_addresses_never_wait_and_host_names_beyond_the_limit_are_refused() -> None:
    resolver = SlowResolver()
    look_up = HostLookup(NETWORKS, resolver)
    async with look_up_names(look_up, MAX_WAITING) as tasks:
        assert len(resolver.names) == MAX_LOOKUPS
        assert (await look_up("http://10.0.0.7:3000", "10.1.0.1")).ip_addresses == ("10.0.0.7",)
        with pytest.raises(HostRefused, match="not in a network"):
            await look_up("[::1]:80", "10.1.0.1")
        assert len(resolver.names) == MAX_LOOKUPS
        with pytest.raises(RegistrationRefused, match="try again in a minute, or give an IP address") as refusal:
            await look_up("late.example", "10.2.0.1")
        assert refusal.value.status == 429
        resolver.answered.set()
        await asyncio.gather(*tasks)
        assert (await look_up("late.example", "10.2.0.1")).ip_addresses == ("10.0.0.9",)


async def test_client_with_too_many_lookups_does_not_delay_others() -> None:
    resolver = SlowResolver()
    look_up = HostLookup(NETWORKS, resolver)
    lookups = [asyncio.create_task(look_up(f"{number}.example", "10.1.0.1")) for number in range(MAX_PER_CLIENT)]
    await settle()
    with pytest.raises(RegistrationRefused, match="too many host names"):
        await look_up("more.example", "10.1.0.1")
    other_lookup = asyncio.create_task(look_up("bot.example", "10.1.0.2"))
    await settle()
    assert "bot.example" in resolver.names
    resolver.answered.set()
    await asyncio.gather(*lookups, other_lookup)


async def test_abandoned_lookup_keeps_its_slot_until_it_ends() -> None:
    resolver = SlowResolver()
    look_up = HostLookup(NETWORKS, resolver)
    async with look_up_names(look_up, MAX_LOOKUPS):
        pass
    async with look_up_names(look_up, 1) as [next_lookup]:
        assert len(resolver.names) == MAX_LOOKUPS
        resolver.answered.set()
        assert (await next_lookup).ip_addresses == ("10.0.0.9",)


async def test_lookups_do_not_use_the_event_loops_threads() -> None:
    loop = asyncio.get_running_loop()
    closed_executor = ThreadPoolExecutor(1)
    closed_executor.shutdown()
    loop.set_default_executor(closed_executor)
    assert (await HostLookup(("127.0.0.0/8", "::1/128"))("localhost:80")).port == 80


# -- contests of deals: in a deal, every table gets the same cards

NAMES = ("Ada", "Babbage", "Curry")
KEEPS_50_MB_AND_COUNTS_BOTS = """\
import contextlib, os
kept = b"x" * 50_000_000
with open({started_file!r}, "a+") as notes:
    print(os.getpid(), file=notes)
    notes.seek(0)
    running = 0
    for line in notes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(line), 0)
            running += 1
with open({running_file!r}, "a") as notes:
    print(running, file=notes)
"""


def test_memory_decides_how_many_tables_have_bots() -> None:
    for free_mb, bots, boxed_bots, unboxed_mb, table_count in (
        (4112, 6, 6, 0, 6),  # 3600 MB for 36 boxes (sandboxes), and 512 MB for the server
        (4111, 6, 6, 0, 5),
        (1112, 6, 6, 0, 1),
        (1712, 6, 0, 200, 6),
        (1312, 6, 2, 200, 2),
        (1112, 9, 9, 0, 1),  # A table of six seats needs memory for only six of the nine bots.
    ):
        memory = DealMemory(free_mb * MEGABYTE, 6, bots, boxed_bots, unboxed_mb * MEGABYTE)
        assert memory.tables_at_once() == table_count, (free_mb, bots, boxed_bots, unboxed_mb)
        assert ("start anew" in memory.describe()) == (table_count < 6)
    with pytest.raises(Refusal, match=r"may take 600 MB, but only 1,111 MB are free .* write seats = 5 in \[format\]"):
        DealMemory(1111 * MEGABYTE, 6, 6, 6).tables_at_once()
    with pytest.raises(Refusal, match=r"may take 200 MB, but only 400 MB .* need 512 MB: free some memory$"):
        DealMemory(400 * MEGABYTE, 2, 2, 2).tables_at_once()
    with pytest.raises(Refusal, match=r"may take 200 MB, but only 711 MB are free"):
        DealMemory(711 * MEGABYTE, 6, 6, 0, 200 * MEGABYTE).tables_at_once()


async def play_evening(folder: Path, commands: Sequence[str], free_bytes: int) -> Path:
    """Plays three deals as if `free_bytes` of memory were free. Each command starts a bot. Returns the recording."""
    entrants = [Entrant(bot, name) for bot, name in enumerate(NAMES, 1)]
    entries = [BotEntry(bot, NAMES[bot - 1], command=command) for bot, command in enumerate(commands, 1)]
    contest, recording = as_deals(QUICK_DRAW_FORMAT, 3), folder / "evening.jsonl"
    room = CardRoom(begin_recording(recording), entrants, contest_format=contest, seed=bytes(32), prizes_cents=())
    async with contextlib.AsyncExitStack() as closing:
        bots = DealBots(room, contest, entrants, entries, folder / "bots")
        await bots.start(None, closing, resumed=False, free_bytes=free_bytes)
        for control in ("started", "unseen"):  # "unseen" lets the table play on without a show.
            room.bus.publish(ControlSet(control, value=True, was=False))
        await room.director.run()
    room.bus.close()
    return recording


def test_tables_that_take_turns_for_lack_of_memory_have_the_same_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started_file, running_file = tmp_path / "started.txt", tmp_path / "running.txt"
    first_lines = KEEPS_50_MB_AND_COUNTS_BOTS.format(started_file=str(started_file), running_file=str(running_file))
    commands = [write_starter(tmp_path / name, first=first_lines) for name in NAMES]
    recording_together = asyncio.run(play_evening(tmp_path / "together", commands, RESERVE_BYTES + 5000 * MEGABYTE))
    output = capsys.readouterr().out
    measured = re.search(r"9 programs without boxes take about ([\d,]+) MB, as measured; 5,512 MB are free", output)
    assert measured, output
    assert 3 * 3 * 47 < int(measured[1]) < 3 * 3 * 100
    for notes in (started_file, running_file):
        notes.unlink()
    recording_in_turns = asyncio.run(play_evening(tmp_path / "in-turns", commands, RESERVE_BYTES + 310 * MEGABYTE))
    output = capsys.readouterr().out
    assert "So only 1 table can have bots at a time: all bots start anew at each table of each deal" in output
    assert "measured by a trial deal of " in output
    assert deterministic_events(recording_in_turns) == deterministic_events(recording_together)
    assert verify(read_journal(recording_in_turns).entries).deals == 3
    assert max(map(int, running_file.read_text().split())) == 3, "only one table may have bots at a time"
    tables_of_trial, tables = 1 + 3, 3 * 3
    assert len(started_file.read_text().split()) == (tables_of_trial + tables) * 3


async def play_trial(commands: list[str], seconds: float) -> TrialDeal:
    """Plays all tables of a trial deal, one by one, for at most `seconds`. Each command starts a bot."""
    sides = {bot: Side("command", command, f"Bot {bot}") for bot, command in enumerate(commands, 1)}
    entrants = [Entrant(bot, side.name) for bot, side in sides.items()]
    async with TrialDeal(as_deals(QUICK_DRAW_FORMAT, 60), entrants, sides, None, seconds=seconds) as trial:
        await trial.play_each_bot()
        await trial.play_all_tables(1)
    return trial


def test_trial_deal_of_slow_bots_is_broken_off(tmp_path: Path) -> None:
    command = write_starter(tmp_path / "slow", "import time\ntime.sleep(1000)")
    trial = asyncio.run(play_trial([command, command], 2.0))
    longest_time = "at most about 36 minutes if every bot used all of its time"
    assert trial.describe_time(60, 1) == f"60 deals: no table of the trial deal was over after 2.0 s, {longest_time}"


def test_trial_deal_names_bots_that_answer_wrongly_or_do_not_start(tmp_path: Path) -> None:
    dancing_bot = write_starter(tmp_path / "dances", 'return {"action": "dance", "raise_amount": 0}')
    trial = asyncio.run(play_trial([dancing_bot, "false {server}"], 60.0))
    assert trial.missing == {2: "Bot 2 ended with status 1"}
    (fault,) = trial.faults().values()
    assert "in the trial deal: malformed; " in fault
    assert "dance" in fault, "the fault must quote the bot's message, as `highnoon probe` does"
