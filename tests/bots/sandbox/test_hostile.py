"""Hostile bots in real boxes of both kinds: each is contained, and no other bot is disturbed."""

import asyncio
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Literal

import pytest
from msgspec import Struct

from server.bots.choose_sandbox import RunnerKind
from server.bots.sandbox.bubblewrap.runner import open_bubblewrap
from server.bots.sandbox.runner import CannotRun, Limits, Running, Surroundings
from tests.bots.sandbox.boxed_bots import ended, log_of, logged, opened, put_in, registered, seated, think_ms
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.event_loop import in_event_loop
from tests.support.submission import HOST, write_bot

MEGABYTE = 1 << 20
TOO_MUCH = "used more memory than the 100 MB it may"


class Siege(Struct, frozen=True):
    """How several hostile bots ended, and how fast an honest one played beside them."""

    alone_ms: float
    besieged_ms: float
    """The honest bot's time for an answer, alone and beside them."""
    memory: str
    stubborn: str
    """How these two ended, in words."""
    spun_seconds: float
    seconds: float
    """The processor time of one bot with four processes, and the time that passed."""
    folder: Path

    def log(self, behaviour: str) -> Path:
        return log_of(self.folder, behaviour)


@pytest.fixture(scope="module")
def siege(kind: RunnerKind, tmp_path_factory: pytest.TempPathFactory) -> Siege:
    """An honest bot beside six hostile ones."""
    folder = tmp_path_factory.mktemp("siege")

    async def story() -> Siege:
        loop = asyncio.get_running_loop()
        async with opened(kind, folder) as runner:
            honest = await seated(await put_in(runner, folder, "honest"))
            alone = await think_ms(honest, 10)
            memory = await put_in(runner, folder, "memory")
            for behaviour in ("forks", "disk"):
                assert await registered(await put_in(runner, folder, behaviour)) == behaviour.title()
            await registered(stubborn := await put_in(runner, folder, "stubborn"))
            await put_in(runner, folder, "flood")
            spins = await seated(processor := await put_in(runner, folder, "affinity"))
            began, before = loop.time(), (await processor.usage()).cpu_seconds
            besieged = await think_ms(honest, 10)
            while (spun := (await processor.usage()).cpu_seconds - before) < 0.4:
                await think_ms(spins, 5)
            seconds = loop.time() - began
            await processor.stop()
            await stubborn.stop()
            endings = await ended(memory), await ended(stubborn)
            return Siege(alone, besieged, *endings, spun, seconds, folder)

    return asyncio.run(story())


def test_hostile_bots_do_not_delay_the_others(siege: Siege) -> None:
    """A generous limit: ten times what a bot usually needs is far below its three seconds."""
    assert siege.besieged_ms <= 10 * siege.alone_ms + 500


def test_bot_that_takes_all_memory_is_killed_and_the_reason_is_given(siege: Siege) -> None:
    assert TOO_MUCH in siege.memory


def test_four_spinning_processes_of_a_bot_get_one_processor(siege: Siege, kind: RunnerKind) -> None:
    assert kind == "docker" or "no other processor" in siege.log("affinity").read_text()
    assert siege.spun_seconds < siege.seconds * 1.3


def test_fork_bomb_stays_below_64_processes(siege: Siege) -> None:
    forked = int(siege.log("forks").read_text().partition("forked ")[2].partition(":")[0])
    assert 0 < forked < 64


def test_bot_that_fills_the_disk_gets_16_megabytes(siege: Siege) -> None:
    written = [line.split() for line in siege.log("disk").read_text().splitlines() if line.startswith("wrote")]
    assert len(written) == 5
    assert {path.rstrip(":") for _, count, _, path, *_ in written if int(count)} == {"/tmp", "/dev/shm"}  # noqa: S108
    assert max(int(count) for _, count, *_ in written) <= 16 * MEGABYTE


def test_flooded_log_is_cut_in_the_middle_and_made_harmless(siege: Siege, kind: RunnerKind) -> None:
    log = siege.log("flood").read_bytes()
    assert MEGABYTE / 2 < len(log) <= MEGABYTE + 100
    assert b"\x1b" not in log
    assert b"\x07" not in log
    # Docker keeps the last megabyte, which a flood may have filled before a busy machine comes to read it.
    assert log.startswith(b"flood since") or kind == "docker"


def test_stubborn_bot_is_killed_with_its_children(siege: Siege) -> None:
    assert siege.stubborn == "was stopped (-9)"


@pytest.mark.parametrize("behaviour", ["mapped", "memfds", "unlinked", "tables", "sockets"])
@in_event_loop
async def test_memory_and_disk_of_no_process_are_limited(
    behaviour: str, kind: RunnerKind | Literal["uncounted"], tmp_path: Path
) -> None:
    """The bot is refused more and plays on, or is killed: bubblewrap refuses no sockets and no page tables."""
    counted = kind != "docker" and behaviour in ("tables", "sockets")
    async with opened(kind, tmp_path) as runner:
        box = await put_in(runner, tmp_path, behaviour)
        # It keeps what it holds, so where that is counted it is killed, even if it began to play before a look.
        became = await (ended(box) if counted else _comes_or_ends(box))
        assert re.match(f".*{TOO_MUCH}" if counted else f"it plays on|.*{TOO_MUCH}", became)
    lines = [line.split() for line in logged(tmp_path, behaviour)]
    most = 500 if kind == "uncounted" else 100  # without control groups it takes more between two looks
    assert max((int(words[1]) for words in lines if words[0] == "holds"), default=0) <= most * MEGABYTE


@in_event_loop
async def test_bot_cannot_make_twenty_thousand_empty_files(kind: RunnerKind, tmp_path: Path) -> None:
    """Each would take a kilobyte of the machine's memory."""
    async with opened(kind, tmp_path) as runner:
        assert await registered(await put_in(runner, tmp_path, "empties")) == "Empties"
    lines = [line.split() for line in logged(tmp_path, "empties") if line.startswith("made")]
    assert len(lines) == 3
    assert 0 < max(int(words[1]) for words in lines) <= Limits().scratch_files


@in_event_loop
async def test_bot_reaches_its_own_two_ports_and_nothing_else(kind: RunnerKind, tmp_path: Path) -> None:
    with _services() as ports:
        mine = [f"{address}:{port}" for port in (5000, 5001) for address in ("127.0.0.1", HOST)]
        hosts = {"127.0.0.1", "0.0.0.0", *_addresses()}  # noqa: S104
        theirs = [f"{address}:{port}" for address in hosts for port in ports]
        async with opened(kind, tmp_path) as runner:
            box = await put_in(runner, tmp_path, "network", arguments=[*mine, *theirs])
            for _ in range(2):  # It has connected to port 5000 twice without sending anything.
                with pytest.raises(AssertionError, match="hung up"):
                    await registered(box)
            assert await registered(box) == "Network"
    lines = logged(tmp_path, "network")
    assert {line.partition(" ")[2] for line in lines if line.startswith("reached")} == set(mine)
    assert "knocked everywhere" in lines


@in_event_loop
async def test_bot_that_never_connects_can_be_stopped_and_one_that_exits_has_its_status(
    kind: RunnerKind, tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as runner:
        box = await put_in(runner, tmp_path, "never")
        assert not (await box.usage()).cpu_seconds > 60
        await box.stop()
        assert (await ended(box)).startswith("was stopped")
        assert box.register.fileno() == -1
        await box.stop()
        assert await ended(await put_in(runner, tmp_path, "exits")) == "ended with status 3 (3)"


@in_event_loop
async def test_broken_dockerfile_is_refused_with_the_reason(kind: RunnerKind, tmp_path: Path) -> None:
    docker = kind == "docker"
    lines = "FROM python:3.11-slim\nRUN echo no such luck && exit 9\n"
    reason = r"(?s)Luckless cannot be built: .*exit 9.*no such luck" if docker else "names no command"
    async with opened(kind, tmp_path) as runner:
        folder = write_bot(tmp_path / "broken", dockerfile=lines)
        with pytest.raises(CannotRun, match=reason):
            await runner.build("Luckless", folder, lambda _: None)


async def _comes_or_ends(box: Running) -> str:
    """What becomes of a bot that takes all it can before it registers."""
    coming, ending = asyncio.ensure_future(registered(box)), asyncio.ensure_future(ended(box))
    await asyncio.wait({coming, ending}, return_when=asyncio.FIRST_COMPLETED)
    if not ending.done():
        await coming
        ending.cancel()
        return "it plays on"
    with suppress(AssertionError):
        await coming
    return ending.result()


@contextmanager
def _services() -> Iterator[list[int]]:
    """Ports of this machine that listen: one on 127.0.0.1, one on all addresses."""
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server((host, 0))) for host in ("127.0.0.1", "0.0.0.0")]  # noqa: S104
        yield [listener.getsockname()[1] for listener in listeners]


def _addresses() -> set[str]:
    """This machine's other addresses, as the kernel lists them: not every machine can resolve its own name."""
    local = re.findall(r"-- (\S+)\n +/32 host LOCAL", Path("/proc/net/fib_trie").read_text(encoding="ascii"))
    return {*local, "172.17.0.1", "127.0.0.2"}


def test_limits_are_those_of_the_rule_book() -> None:
    """ "Memory limit: 100MB", "CPU limit: 1 core"."""
    assert (Limits().memory_bytes, Limits().cpus) == (100 * MEGABYTE, 1.0)


@NEEDS_BUBBLEWRAP
def test_no_bubblewrap_box_outlives_a_killed_program(tmp_path: Path) -> None:
    """Docker's boxes do; they are removed at the next start."""
    write_bot(tmp_path / "bot", behaviour="never")
    script = f"""
import asyncio
from pathlib import Path
from server.bots.sandbox.bubblewrap.runner import open_bubblewrap
from server.bots.sandbox.runner import Surroundings

async def story():
    runner = open_bubblewrap(Surroundings("{tmp_path.name}-killed"))
    built = await runner.build("never", Path("{tmp_path}/bot"), print)
    box = await runner.start("never", built, Path("{tmp_path}/log"))
    print(box._started.init, flush=True)
    await box.ended()

asyncio.run(story())
"""
    program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    with program.stdout:
        watched = os.pidfd_open(int(program.stdout.readline()))
        program.kill()
        program.wait()
    try:
        assert select.select([watched], [], [], 30.0)[0], "the box is still there"
    finally:
        os.close(watched)
    asyncio.run(open_bubblewrap(Surroundings(f"{tmp_path.name}-killed")).close())
    assert not list(Path(tempfile.gettempdir()).glob(f"highnoon-light-{tmp_path.name}-killed-*"))
