"""Docker boxes: leftovers are removed, 200 run at once, and a bot's connections, buffers and disk are limited."""

import asyncio
import shutil
import socket
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO

import pytest
from docker import APIClient
from msgspec import structs

from server.bots.bot import Bot
from server.bots.sandbox.docker import engine as docker_engine
from server.bots.sandbox.docker import network as docker_network
from server.bots.sandbox.docker import runner as docker_runner
from server.bots.sandbox.docker.engine import LABEL, connect_to_docker
from server.bots.sandbox.docker.network import close_network, create_network
from server.bots.sandbox.docker.relay_program import MAX_CONNECTIONS
from server.bots.sandbox.docker.runner import open_docker
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW
from tests.bots.sandbox.boxed_bots import (
    SECONDS,
    box_environment,
    find_leftovers,
    logged,
    open_engine,
    opened,
    own_addresses,
    put_in,
    registered,
    seated,
    think_ms,
    wait_for_end,
)
from tests.bots.views import asked_view, resolved
from tests.support.bots.submission import HOST, write_bot

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_host")]

MANY_BOTS = 200
FEWER_BOTS = 40
"""With a Docker network for each bot, there would be addresses for only 31 bots."""
UNHURRIED = structs.replace(QUICK_DRAW, think_ms=round(1000 * SECONDS))
GREEDY = f"""\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
CMD ["python", "-c", "import socket; lines = [socket.create_connection(('{HOST}', 5000)) for _ in range(40)]; \
    print(sum(line.recv(1) == b'' for line in lines[{MAX_CONNECTIONS}:]), 'were refused')"]
"""
TWIN = "FROM python:3.11-slim\nWORKDIR /bot\nCOPY . .\nCMD python -u twin.py\n"
MAX_BUFFERED_BYTES = {"entered": 1 << 18, "handed over": 1 << 18, "relayed": 3 << 20}
"""How many bytes the kernel may buffer, for each way in which the server's sockets get into a box."""
FLOOD = f"""\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
CMD ["python", "-c", "import socket\\nsent, line = 0, socket.create_connection(('{HOST}', 5000), 3)\\ntry:\\n \
    while 1: sent += line.send(bytes(1 << 16))\\nexcept TimeoutError: print(sent)"]
"""

LAST_WORDS = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
CMD ["python", "-uc", "import time; print('first'); time.sleep(1); exit('last')"]
"""


async def test_only_leftovers_of_the_same_tournament_are_removed(tmp_path: Path) -> None:
    """The tournament `ours` has two runners. The first one is never closed, as after `kill -9`."""
    ours, others = tmp_path / "ours", tmp_path / "others"
    async with opened("docker", others) as other:
        others_box = await put_in(other, others, "never")
        leftover_box = await put_in(await open_docker(box_environment(ours)), ours, "never")
        assert _count_containers(ours) == 2
        async with opened("docker", ours):
            assert _count_containers(ours) == 0
            assert _count_containers(others) == 2
        assert (await wait_for_end(leftover_box)).startswith(("was ended by SIGKILL", "Docker can no longer see it"))
        await leftover_box.stop()
        await others_box.stop()


async def test_two_hundred_bots_in_boxes_register_and_play_at_once_and_leave_nothing(tmp_path: Path) -> None:
    async with opened("docker", tmp_path) as runner:
        built = await runner.build("folds", write_bot(tmp_path / "folds", "Folds", "folds"), lambda _: None)
        logs = [tmp_path / f"{number}.log" for number in range(MANY_BOTS)]
        boxes = await asyncio.gather(*(runner.start(log.stem, built, log) for log in logs))
        bots = [Bot(number, QuickDrawDialect(), await seated(box), lambda _: None) for number, box in enumerate(boxes)]
        answers = await asyncio.gather(*(bot.ask(asked_view(UNHURRIED), resolved) for bot in bots))
        assert Counter(answer.fault for answer in answers) == {"": MANY_BOTS}
        assert _count_containers(tmp_path) == 2 * MANY_BOTS
        assert not [log for log in logs if "Traceback" in log.read_text()]
    assert find_leftovers(tmp_path) == []


async def test_boxes_without_entry_reach_only_their_own_ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root can enter a box. This test leaves no time for it, so a container opens the sockets instead."""
    monkeypatch.setattr(docker_network, "BEGIN_SECONDS", 0.0)
    with socket.create_server(("0.0.0.0", 0)) as ours:  # noqa: S104
        closed = [f"{address}:{ours.getsockname()[1]}" for address in ("127.0.0.1", *own_addresses())]
        own = [f"{address}:5000" for address in ("127.0.0.1", HOST, "TOURNAMENT_HOST")]
        files = write_bot(tmp_path / "network", "Network", "network", arguments=[*own, *closed])
        async with opened("docker", tmp_path) as runner:
            built = await runner.build("network", files, lambda _: None)
            logs = [tmp_path / f"{number}.log" for number in range(FEWER_BOTS)]
            boxes = await asyncio.gather(*(runner.start(log.stem, built, log) for log in logs))
            with open_engine() as engine:
                containers = engine.containers(filters=_own_label_filter(tmp_path))
                modes = Counter(each["HostConfig"]["NetworkMode"].partition(":")[0] for each in containers)
                assert modes == {"none": FEWER_BOTS, "container": FEWER_BOTS}
                assert engine.networks(filters=_own_label_filter(tmp_path)) == []
            for box in boxes:
                for _ in own:  # The bot first connects to port 5000 without sending anything.
                    with pytest.raises(AssertionError, match="hung up"):
                        await registered(box)
                assert await registered(box) == "Network"
    for log in logs:
        lines = log.read_text().splitlines()
        assert [line.partition(" ")[2] for line in lines if line.startswith("reached")] == own
        assert "knocked everywhere" in lines
    assert find_leftovers(tmp_path) == []


async def test_box_in_a_virtual_machine_is_reached_by_a_relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS, Docker runs in a virtual machine. The bot reaches its hard-coded address, and nothing else."""
    monkeypatch.setattr(docker_runner, "LINUX", False)
    async with opened("docker", tmp_path) as runner:
        box = await put_in(runner, tmp_path, "folds")
        talk = await seated(box)
        assert await think_ms(talk, 5) < 1_000
        talk.close()
        again = await put_in(runner, tmp_path, "honest")
        assert await registered(again) == "Honest"
        await again.stop()
        assert (await wait_for_end(again)).startswith("was stopped")
        greedy = await put_in(runner, tmp_path, "greedy", dockerfile=GREEDY)
        assert await wait_for_end(greedy) == "ended by itself (0)"
        assert logged(tmp_path, "greedy") == ["8 were refused"]
    assert find_leftovers(tmp_path) == []


@pytest.mark.parametrize("access", ["entered", "handed over", "relayed"])
async def test_kernel_buffers_little_of_a_flood(access: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the kernel buffers at our end of a connection counts as our memory, not as the bot's."""
    monkeypatch.setattr(docker_runner, "LINUX", access != "relayed")
    if access == "handed over":
        monkeypatch.setattr(docker_network, "BEGIN_SECONDS", 0.0)
    async with opened("docker", tmp_path) as runner:
        box = await put_in(runner, tmp_path, "flood", dockerfile=FLOOD)
        assert await wait_for_end(box) == "ended by itself (0)"
    (sent,) = logged(tmp_path, "flood")
    assert 1 << 16 <= int(sent) < MAX_BUFFERED_BYTES[access]


async def test_instances_of_a_bot_cannot_tell_each_other_anything(tmp_path: Path) -> None:
    """Where all tables have the same cards, an instance could otherwise tell another one which cards come next."""
    files = write_bot(tmp_path / "twin", "Twin", dockerfile=TWIN)
    shutil.copyfile(Path(__file__).parents[2] / "support" / "bots" / "twin.py", files / "twin.py")
    async with opened("docker", tmp_path) as runner:
        built = await runner.build("twin", files, lambda _: None)
        for number in range(3):
            await runner.start("twin", built, tmp_path / f"{number}.log")
            async with asyncio.timeout(SECONDS):
                while "watches" not in (tmp_path / f"{number}.log").read_text():  # noqa: ASYNC110  no program notifies us
                    await asyncio.sleep(0.05)
    for number in range(3):
        assert (tmp_path / f"{number}.log").read_text() == "found:\nwatches\n"


async def test_disk_of_a_relaxed_bot_is_limited(tmp_path: Path) -> None:
    async with opened("docker", tmp_path) as runner:
        box = await put_in(runner, tmp_path, "disk", strict=False)
        assert await wait_for_end(box) == "wrote more than the 64 MB allowed (-9)"
    assert max(int(line.split()[1]) for line in logged(tmp_path, "disk") if "wrote" in line) <= 64 << 20


async def test_last_output_is_logged_if_docker_ends_it_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk is busy, Docker sometimes ends the stream before the last output."""
    read_frames, streams = docker_engine.read_frames, list[IO[bytes]]()

    def end_first_stream_early(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        streams.append(stream)
        return islice(read_frames(stream), 1 if len(streams) == 1 else None)

    monkeypatch.setattr(docker_engine, "read_frames", end_first_stream_early)
    async with opened("docker", tmp_path) as runner:
        box = await put_in(runner, tmp_path, "crash", dockerfile=LAST_WORDS)
        assert await wait_for_end(box) == "ended with status 1 (1)"
    assert logged(tmp_path, "crash") == ["first", "last"]


async def test_network_that_ends_at_once_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, ended = connect_to_docker(), list[str]()

    def start(container: str) -> None:
        APIClient.start(engine, container)
        if not ended:
            ended.append(container)
            engine.kill(container)

    monkeypatch.setattr(engine, "start", start)
    network = await asyncio.to_thread(create_network, engine, "bot", box_environment(tmp_path))
    close_network(engine, network)
    assert [network.holder_id] != ended
    assert _count_containers(tmp_path) == 0


def _count_containers(folder: Path) -> int:
    """Returns how many containers the tournament in `folder` has. Each box has two, its holder and its bot."""
    with open_engine() as engine:
        return len(engine.containers(all=True, filters=_own_label_filter(folder)))


def _own_label_filter(folder: Path) -> dict[str, str]:
    return {"label": f"{LABEL}={box_environment(folder).label}"}
