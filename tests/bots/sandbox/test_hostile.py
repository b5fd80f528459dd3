"""Boxes of every kind contain hostile bots, which disturb no other bot."""

import asyncio
import re
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Literal

import pytest

from server.bots.choose_sandbox import RunnerKind
from server.bots.sandbox.runner import Limits, SocketBox
from tests.bots.sandbox.boxed_bots import (
    log_of,
    logged,
    opened,
    own_addresses,
    put_in,
    registered,
    seated,
    think_ms,
    wait_for_end,
)
from tests.support.bots.submission import HOST

MEGABYTE = 1 << 20
TOO_MUCH = "used more memory than the 100 MB allowed"


async def test_hostile_bots_stay_within_their_limits_and_delay_no_other_bot(kind: RunnerKind, tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    async with opened(kind, tmp_path) as runner:
        honest = await seated(await put_in(runner, tmp_path, "honest"))
        alone_ms = await think_ms(honest, 10)
        memory = await put_in(runner, tmp_path, "memory")
        for behaviour in ("forks", "disk", "empties"):
            assert await registered(await put_in(runner, tmp_path, behaviour)) == behaviour.title()
        await registered(stubborn := await put_in(runner, tmp_path, "stubborn"))
        await put_in(runner, tmp_path, "flood")
        spins = await seated(processor := await put_in(runner, tmp_path, "affinity"))
        started, before = loop.time(), (await processor.usage()).cpu_seconds
        assert await think_ms(honest, 10) <= 10 * alone_ms + 500, (
            "other bots must answer far faster than the 3 seconds of a turn allow"
        )
        while (spun := (await processor.usage()).cpu_seconds - before) < 0.4:
            await think_ms(spins, 5)
        assert spun < (loop.time() - started) * 1.3, "the bot's four processes must share one processor"
        await processor.stop()
        await stubborn.stop()
        assert TOO_MUCH in await wait_for_end(memory)
        assert await wait_for_end(stubborn) == "was stopped (-9)", "the bot must be killed, and so must its child"
    assert kind == "docker" or "no other processor" in log_of(tmp_path, "affinity").read_text()
    forked = int(log_of(tmp_path, "forks").read_text().partition("forked ")[2].partition(":")[0])
    assert 0 < forked < 64
    written = [line.split() for line in logged(tmp_path, "disk") if line.startswith("wrote")]
    assert len(written) == 5
    assert {path.rstrip(":") for _, count, _, path, *_ in written if int(count)} == {"/tmp", "/dev/shm"}  # noqa: S108
    assert max(int(count) for _, count, *_ in written) <= 16 * MEGABYTE
    made = [int(line.split()[1]) for line in logged(tmp_path, "empties") if line.startswith("made")]
    assert len(made) == 3
    assert 0 < max(made) <= Limits().scratch_files, "each empty file costs a kilobyte of the machine's memory"
    flood = log_of(tmp_path, "flood").read_bytes()
    assert MEGABYTE / 2 < len(flood) <= MEGABYTE + 100
    assert not {0x1B, 0x07} & {*flood}, "no escape sequence may reach a terminal"
    # Docker keeps only the last megabyte, and on a busy machine a flood may fill it before its beginning is read.
    assert flood.startswith(b"flood since") or kind == "docker"


@pytest.mark.parametrize("behaviour", ["mapped", "memfds", "unlinked", "tables", "sockets"])
async def test_memory_and_files_that_belong_to_no_process_are_limited(
    behaviour: str, kind: RunnerKind | Literal["uncounted"], tmp_path: Path
) -> None:
    """A bot that takes too much memory gets no more or is killed.

    For some kinds of memory, a bubblewrap box always kills the bot.
    """
    is_killed = kind != "docker" and behaviour in ("tables", "sockets")
    async with opened(kind, tmp_path) as runner:
        box = await put_in(runner, tmp_path, behaviour)
        # A bot that is always killed may start to play first.
        outcome = await (wait_for_end(box) if is_killed else _plays_or_ends(box))
        assert re.match(f".*{TOO_MUCH}" if is_killed else f"it plays on|.*{TOO_MUCH}", outcome)
    lines = [line.split() for line in logged(tmp_path, behaviour)]
    most = 500 if kind == "uncounted" else 100  # without control groups, a bot may take more between two measurements
    assert max((int(words[1]) for words in lines if words[0] == "holds"), default=0) <= most * MEGABYTE


async def test_bot_reaches_only_its_own_two_ports(kind: RunnerKind, tmp_path: Path) -> None:
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server((host, 0))) for host in ("127.0.0.1", "0.0.0.0")]  # noqa: S104
        ports = [listener.getsockname()[1] for listener in listeners]
        open_to_bot = [f"{address}:{port}" for port in (5000, 5001) for address in ("127.0.0.1", HOST)]
        hosts = {*own_addresses(), "127.0.0.1", "127.0.0.2", "0.0.0.0", "172.17.0.1"}  # noqa: S104
        closed_to_bot = [f"{address}:{port}" for address in hosts for port in ports]
        async with opened(kind, tmp_path) as runner:
            box = await put_in(runner, tmp_path, "network", arguments=[*open_to_bot, *closed_to_bot])
            for _ in range(2):  # The bot first connects to port 5000 twice without sending anything.
                with pytest.raises(AssertionError, match="hung up"):
                    await registered(box)
            assert await registered(box) == "Network"
    lines = logged(tmp_path, "network")
    assert {line.partition(" ")[2] for line in lines if line.startswith("reached")} == set(open_to_bot)
    assert "knocked everywhere" in lines


async def _plays_or_ends(box: SocketBox) -> str:
    """Lets a bot take all that it can get; returns "it plays on", or the reason why the bot ended."""
    registering, ending = asyncio.ensure_future(registered(box)), asyncio.ensure_future(wait_for_end(box))
    await asyncio.wait({registering, ending}, return_when=asyncio.FIRST_COMPLETED)
    if not ending.done():
        await registering
        ending.cancel()
        return "it plays on"
    with suppress(AssertionError):
        await registering
    return ending.result()
