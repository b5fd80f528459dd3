"""In Docker, 200 boxes (sandboxes) run at once. Connections, buffers and disk are limited. Leftovers are removed."""

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
from server.bots.sandbox.docker.relay_program import MAX_CONNECTIONS
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW
from tests.bots.sandbox.boxed_bots import (
    TIMEOUT_SECONDS,
    box_environment,
    find_leftovers,
    list_own_addresses,
    measure_think_ms,
    open_engine,
    open_runner,
    own_label_filter,
    read_log,
    register_bot,
    seat_bot,
    start_bot,
    wait_for_end,
)
from tests.bots.views import first_turn_view, resolve_action
from tests.support.bots.submission import HOST, write_bot

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_host")]

MANY_BOTS = 200
FEWER_BOTS = 40
"""More than 31 bots, because Docker has addresses for only 31 bots if each bot has its own Docker network."""
UNHURRIED_RULES = structs.replace(QUICK_DRAW, think_ms=round(1000 * TIMEOUT_SECONDS))
MAX_BUFFERED_BYTES = {"entered": 1 << 18, "handed over": 1 << 18, "relayed": 3 << 20}
"""The most bytes of a flood that the kernel may buffer, for each way in which a bot may reach the server."""
GREEDY_PROGRAM = f"""\
import socket
connections = [socket.create_connection(("{HOST}", 5000)) for _ in range(40)]
print(sum(connection.recv(1) == b"" for connection in connections[{MAX_CONNECTIONS}:]), "were refused")
"""
FLOOD_PROGRAM = f"""\
import socket
sent, connection = 0, socket.create_connection(("{HOST}", 5000), 3)
try:
    while True:
        sent += connection.send(bytes(1 << 16))
except TimeoutError:
    print(sent)
"""


async def test_only_leftovers_of_the_same_tournament_are_removed(tmp_path: Path) -> None:
    """A runner that is never closed stands for a tournament that was killed."""
    own, foreign = tmp_path / "own", tmp_path / "foreign"
    async with open_runner("docker", foreign) as foreign_runner:
        foreign_box = await start_bot(foreign_runner, foreign, "never")
        leftover_box = await start_bot(await docker_runner.open_docker(box_environment(own)), own, "never")
        assert _count_containers(own) == 2
        async with open_runner("docker", own):
            assert _count_containers(own) == 0
            assert _count_containers(foreign) == 2
        assert (await wait_for_end(leftover_box)).startswith(("was ended by SIGKILL", "Docker can no longer see it"))
        await leftover_box.stop()
        await foreign_box.stop()


async def test_two_hundred_bots_in_boxes_play_at_once(tmp_path: Path) -> None:
    async with open_runner("docker", tmp_path) as runner:
        built = await runner.build("folds", write_bot(tmp_path / "folds", "Folds", "folds"), lambda _: None)
        logs = [tmp_path / f"{number}.log" for number in range(MANY_BOTS)]
        boxes = await asyncio.gather(*(runner.start(log.stem, built, log) for log in logs))
        connections = [await seat_bot(box) for box in boxes]
        bots = [Bot(1, QuickDrawDialect(), connection, lambda _: None) for connection in connections]
        answers = await asyncio.gather(*(bot.ask(first_turn_view(UNHURRIED_RULES), resolve_action) for bot in bots))
        assert Counter(answer.fault for answer in answers) == {"": MANY_BOTS}
        assert _count_containers(tmp_path) == 2 * MANY_BOTS
        assert not [log for log in logs if "Traceback" in log.read_text()]
    assert find_leftovers(tmp_path) == []


async def test_box_that_we_cannot_enter_reaches_only_its_ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root can enter a box and open the server's sockets in it. For other users, a container opens them."""
    monkeypatch.setattr(docker_network, "HOLDER_START_SECONDS", 0.0)  # as if no process of the box could be found
    with socket.create_server(("0.0.0.0", 0)) as listener:  # noqa: S104
        closed_to_bot = [f"{address}:{listener.getsockname()[1]}" for address in ("127.0.0.1", *list_own_addresses())]
        open_to_bot = [f"{address}:5000" for address in ("127.0.0.1", HOST, "TOURNAMENT_HOST")]
        bot_folder = write_bot(tmp_path / "network", "Network", "network", arguments=[*open_to_bot, *closed_to_bot])
        async with open_runner("docker", tmp_path) as runner:
            built = await runner.build("network", bot_folder, lambda _: None)
            logs = [tmp_path / f"{number}.log" for number in range(FEWER_BOTS)]
            boxes = await asyncio.gather(*(runner.start(log.stem, built, log) for log in logs))
            with open_engine() as engine:
                containers = engine.containers(filters=own_label_filter(tmp_path))
                modes = [container["HostConfig"]["NetworkMode"].partition(":")[0] for container in containers]
                assert Counter(modes) == {"none": FEWER_BOTS, "container": FEWER_BOTS}
                assert engine.networks(filters=own_label_filter(tmp_path)) == []
            for box in boxes:
                for _ in open_to_bot:  # The bot first connects to each of these addresses without sending anything.
                    with pytest.raises(AssertionError, match="hung up"):
                        await register_bot(box)
                assert await register_bot(box) == "Network"
    for log in logs:
        lines = log.read_text().splitlines()
        assert [line.partition(" ")[2] for line in lines if line.startswith("reached")] == open_to_bot
        assert "knocked everywhere" in lines
    assert find_leftovers(tmp_path) == []


async def test_box_in_a_virtual_machine_is_reached_by_a_relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS, Docker runs in a virtual machine. There, bots reach only HOST, the address in their code."""
    monkeypatch.setattr(docker_runner, "LINUX", False)
    async with open_runner("docker", tmp_path) as runner:
        box = await start_bot(runner, tmp_path, "folds")
        connection = await seat_bot(box)
        assert await measure_think_ms(connection, 5) < 1_000
        connection.close()
        honest_box = await start_bot(runner, tmp_path, "honest")
        assert await register_bot(honest_box) == "Honest"
        await honest_box.stop()
        assert (await wait_for_end(honest_box)).startswith("was stopped")
        greedy_box = await start_bot(runner, tmp_path, "greedy", program=GREEDY_PROGRAM)
        assert await wait_for_end(greedy_box) == "ended by itself (0)"
        assert read_log(tmp_path, "greedy") == ["8 were refused"]
    assert find_leftovers(tmp_path) == []


@pytest.mark.parametrize("access", ["entered", "handed over", "relayed"])
async def test_kernel_buffers_little_of_a_flood(access: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's buffer at our end of a connection uses our memory, not the bot's."""
    monkeypatch.setattr(docker_runner, "LINUX", access != "relayed")
    if access == "handed over":
        monkeypatch.setattr(docker_network, "HOLDER_START_SECONDS", 0.0)
    async with open_runner("docker", tmp_path) as runner:
        box = await start_bot(runner, tmp_path, "flood", program=FLOOD_PROGRAM)
        assert await wait_for_end(box) == "ended by itself (0)"
    (sent,) = read_log(tmp_path, "flood")
    assert 1 << 16 <= int(sent) < MAX_BUFFERED_BYTES[access]


async def test_instances_of_a_bot_cannot_tell_each_other_anything(tmp_path: Path) -> None:
    """All tables may have the same cards, so one instance could tell another which cards come next."""
    bot = write_bot(tmp_path / "twin", "Twin")
    shutil.copyfile(Path(__file__).parents[2] / "support" / "bots" / "twin.py", bot / "bot.py")
    async with open_runner("docker", tmp_path) as runner:
        built = await runner.build("twin", bot, lambda _: None)
        for number in range(3):
            await runner.start("twin", built, tmp_path / f"{number}.log")
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while "watches" not in (tmp_path / f"{number}.log").read_text():  # noqa: ASYNC110  no program notifies us
                    await asyncio.sleep(0.05)
    for number in range(3):
        assert (tmp_path / f"{number}.log").read_text() == "found:\nwatches\n"


async def test_disk_of_a_bot_that_may_write_is_limited(tmp_path: Path) -> None:
    async with open_runner("docker", tmp_path) as runner:
        box = await start_bot(runner, tmp_path, "disk", strict=False)
        assert await wait_for_end(box) == "wrote more than the 64 MB or 20000 files allowed (-9)"
        program = "import itertools\nfor number in itertools.count(): open(f'{number}', 'w').close()"
        box = await start_bot(runner, tmp_path, "files", program=program, strict=False)
        assert await wait_for_end(box) == "wrote more than the 64 MB or 20000 files allowed (-9)"
    assert max(int(line.split()[1]) for line in read_log(tmp_path, "disk") if "wrote" in line) <= 64 << 20


async def test_last_output_is_logged_if_docker_cuts_the_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk is busy, Docker sometimes ends the stream of a bot's output before the last output."""
    read_frames, streams = docker_engine.read_frames, list[IO[bytes]]()

    def end_first_stream_early(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        streams.append(stream)
        return islice(read_frames(stream), 1 if len(streams) == 1 else None)

    monkeypatch.setattr(docker_engine, "read_frames", end_first_stream_early)
    async with open_runner("docker", tmp_path) as runner:
        program = "import time\nprint('first')\ntime.sleep(1)\nraise SystemExit('last')\n"
        box = await start_bot(runner, tmp_path, "crash", program=program)
        assert await wait_for_end(box) == "ended with status 1 (1)"
    assert read_log(tmp_path, "crash") == ["first", "last"]


async def test_network_that_ends_at_once_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, killed_ids = docker_engine.connect_to_docker(), list[str]()

    def start(container: str) -> None:
        APIClient.start(engine, container)
        if not killed_ids:
            killed_ids.append(container)
            engine.kill(container)

    monkeypatch.setattr(engine, "start", start)
    network = await asyncio.to_thread(docker_network.create_network, engine, "bot", box_environment(tmp_path))
    docker_network.close_network(engine, network)
    assert [network.holder_id] != killed_ids  # `holder_id`: the container whose network the bot uses
    assert _count_containers(tmp_path) == 0


def _count_containers(folder: Path) -> int:
    """Counts the containers of the tournament in `folder`. A box has two: one for its network, one for its bot."""
    with open_engine() as engine:
        return len(engine.containers(all=True, filters=own_label_filter(folder)))
