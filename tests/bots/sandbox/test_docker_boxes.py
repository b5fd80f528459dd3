"""Docker alone: builds, removal of leftovers, networks, and bots that write to their own files."""

import asyncio
import os
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import docker
import pytest

from server.bots.sandbox.docker import image as docker_image
from server.bots.sandbox.docker import network as docker_network
from server.bots.sandbox.docker.engine import LABEL, look_at_image
from server.bots.sandbox.docker.network import close_network, hold_network
from server.bots.sandbox.docker.runner import open_docker
from server.bots.sandbox.runner import CannotRun, Limits
from tests.bots.sandbox.boxed_bots import ended, log_of, opened, put_in, registered, surroundings
from tests.support.submission import write_bot

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_host")]

SLOW = "FROM python:3.11-slim\nRUN sleep 60\n"
WRITES_AT_HOME = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
VOLUME /notes
CMD echo x > here && echo y > /notes/there && cat here && exec python bot.py folds
"""
BY_NAME = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
RUN python -c "from pathlib import Path; \\
    p = Path('bot.py'); p.write_text(p.read_text().replace('129.21.10.4', 'TOURNAMENT_HOST'))"
CMD ["python", "bot.py", "folds"]
"""


def test_progress_is_reported_line_by_line(tmp_path: Path) -> None:
    async def story() -> list[str]:
        lines: list[str] = []
        async with opened("docker", tmp_path) as runner:
            await runner.build("Talker", write_bot(tmp_path / "bot"), lines.append)
        return lines

    lines = asyncio.run(story())
    assert lines[0] == "Step 1/6 : FROM python:3.11-slim"
    assert any(line.startswith("Successfully built") for line in lines)


def test_what_dockerignore_names_is_not_in_the_image(tmp_path: Path) -> None:
    ignoring = "FROM python:3.11-slim\nWORKDIR /bot\nCOPY . .\nRUN cat secret.txt\n"
    folder = write_bot(tmp_path / "bot", dockerfile=ignoring)
    (folder / "secret.txt").write_text("hush")
    (folder / ".dockerignore").write_text("# not for you\n*.txt\n")

    async def story() -> None:
        async with opened("docker", tmp_path) as runner:
            with pytest.raises(CannotRun, match=r"secret\.txt: No such file"):
                await runner.build("Ignorer", folder, lambda _: None)

    asyncio.run(story())


def test_a_build_that_prints_without_end_is_ended(tmp_path: Path) -> None:
    folder = write_bot(
        tmp_path / "bot", dockerfile="FROM python:3.11-slim\nRUN python -c \"while 1: print('x' * 9999, end='')\"\n"
    )

    async def story() -> None:
        async with opened("docker", tmp_path) as runner:
            with pytest.raises(CannotRun, match="prints more than 8 MB"):
                await runner.build("Talker", folder, lambda _: None)

    asyncio.run(story())


def test_no_bot_can_be_built_upon_by_its_name(tmp_path: Path) -> None:
    """Another contestant's Dockerfile would have the bot's code by it."""

    async def story() -> str:
        async with opened("docker", tmp_path) as runner:
            return await runner.build("Billy", write_bot(tmp_path / "bot"), lambda _: None)

    image = asyncio.run(story())
    with closing(_engine()) as engine:
        assert look_at_image(engine, image)["RepoTags"] == []


def test_an_image_that_was_just_built_is_left_to_another_program_that_is_about_to_start_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> list[bool]:
        folder = write_bot(tmp_path / "bot")
        async with opened("docker", tmp_path) as runner:
            first = await runner.build("Twice", folder, lambda _: None)
            (folder / "news.txt").write_text("new")
            await runner.build("Twice", folder, lambda _: None)
            left = [_is_there(first)]
            monkeypatch.setattr(docker_image, "KEPT_SECONDS", -60.0)
            (folder / "news.txt").write_text("newer")
            await runner.build("Twice", folder, lambda _: None)
            return [*left, _is_there(first)]

    assert asyncio.run(story()) == [True, False]


def _is_there(image: str) -> bool:
    with closing(_engine()) as engine:
        return image in {each["Id"] for each in engine.images(all=True)}


def test_a_build_has_a_time_limit_and_leaves_nothing_running(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened("docker", tmp_path, Limits(build_seconds=1.0)) as runner:
            with pytest.raises(CannotRun, match="longer than 1 s"):
                await runner.build("Slowpoke", write_bot(tmp_path / "slow", dockerfile=SLOW), lambda _: None)

    asyncio.run(story())
    with closing(_engine()) as engine:
        for _ in range(100):  # The daemon clears up when it notices.
            slow = [container for container in engine.containers() if "sleep 60" in container["Command"]]
            if not slow:
                break
            with suppress(docker.errors.NotFound):  # It has just been cleared up.
                engine.wait(slow[0]["Id"], timeout=30)
        assert not slow


def test_leftovers_of_the_same_tournament_are_cleared_away_and_nobody_elses(tmp_path: Path) -> None:
    """As after kill -9: nobody closed the first runner before the second is opened."""

    async def story() -> None:
        ours, others = tmp_path / "ours", tmp_path / "others"
        async with opened("docker", others) as other:
            kept = await put_in(other, others, "never")
            left = await put_in(await open_docker(surroundings(ours)), ours, "never")
            assert _count(ours) == 2
            async with opened("docker", ours):
                assert _count(ours) == 0
                assert _count(others) == 2
            assert (await ended(left)).startswith(("was ended by SIGKILL", "Docker lost sight"))
            await left.stop()
            await kept.stop()

    asyncio.run(story())


def test_where_boxes_cannot_be_entered_each_bot_has_a_network_of_its_own(tmp_path: Path) -> None:
    async def story() -> None:
        runner = await open_docker(surroundings(tmp_path), enter=False)
        try:
            box = await put_in(runner, tmp_path, "folds", dockerfile=BY_NAME)
            assert box.box == "docker, strict, own network"
            assert "0.0.0.0" in runner.notes[0]  # noqa: S104
            assert await registered(box) == "Folds"
        finally:
            await runner.close()

    asyncio.run(story())
    assert not _networks(tmp_path)


def test_a_box_is_entered_though_the_engine_names_no_process_of_it_at_first(tmp_path: Path) -> None:
    with closing(_engine()) as engine:
        asked: list[object] = []
        look = engine.inspect_container

        def with_no_process_at_first(container: Any) -> Any:
            asked.append(container)
            state = look(container)
            return state if len(asked) > 1 else {**state, "State": {**state["State"], "Pid": 0}}

        engine.inspect_container = with_no_process_at_first  # type: ignore[method-assign]
        network = hold_network(engine, "Late", surroundings(tmp_path))
        close_network(engine, network)
        assert network.mode.split(":")[0] == "container"
        assert len(asked) >= 2, "Docker may name it even later by itself"


def test_a_box_that_could_not_be_entered_changes_nothing_for_the_next_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> list[str]:
        async with opened("docker", tmp_path) as runner:
            boxes = [await put_in(runner, tmp_path, "folds")]
            with monkeypatch.context() as never:
                never.setattr(docker_network, "_BEGIN_SECONDS", 0.0)
                boxes.append(await put_in(runner, tmp_path, "folds"))
            boxes.append(await put_in(runner, tmp_path, "folds"))
            return [box.box for box in boxes]

    assert asyncio.run(story()) == ["docker, strict", "docker, strict, own network", "docker, strict"]


def test_a_bot_that_writes_to_its_own_files_runs_relaxed(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened("docker", tmp_path) as runner:
            strict = await put_in(runner, tmp_path, "folds", dockerfile=WRITES_AT_HOME)
            assert (await ended(strict)).startswith("ended with status")
            relaxed = await put_in(runner, tmp_path, "folds", dockerfile=WRITES_AT_HOME, strict=False)
            assert (strict.box, relaxed.box) == ("docker, strict", "docker, relaxed"), runner.notes
            assert await registered(relaxed) == "Folds"

    asyncio.run(story())
    assert log_of(tmp_path, "folds").read_text().startswith("x\n")


def test_a_relaxed_bot_has_a_disk_with_an_end(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened("docker", tmp_path) as runner:
            box = await put_in(runner, tmp_path, "disk", strict=False)
            assert await ended(box) == "wrote more than the 64 MB it may (-9)"

    asyncio.run(story())
    written = [int(line.split()[1]) for line in log_of(tmp_path, "disk").read_text().splitlines() if "wrote" in line]
    assert max(written) <= 64 << 20


def _engine() -> docker.APIClient:
    return docker.APIClient(base_url=os.environ["DOCKER_HOST"], version="auto")


def _count(folder: Path) -> int:
    """Containers of the tournament of `folder`: a holder and a bot for each box."""
    with closing(_engine()) as engine:
        return len(engine.containers(all=True, filters={"label": f"{LABEL}={surroundings(folder).label}"}))


def _networks(folder: Path) -> int:
    with closing(_engine()) as engine:
        return len(engine.networks(filters={"label": f"{LABEL}={surroundings(folder).label}"}))
