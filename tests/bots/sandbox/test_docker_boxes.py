"""Docker boxes only: leftovers, networks, and the disk of relaxed bots."""

from pathlib import Path

import pytest

from server.bots.sandbox.docker import network as docker_network
from server.bots.sandbox.docker.engine import LABEL
from server.bots.sandbox.docker.runner import open_docker
from tests.bots.sandbox.boxed_bots import box_environment, ended, logged, opened, put_in, registered
from tests.bots.sandbox.docker_engine import find_leftovers, open_engine
from tests.support.event_loop import in_event_loop

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_host")]

BY_NAME = """\
FROM python:3.11-slim
WORKDIR /bot
COPY . .
RUN python -c "from pathlib import Path; \\
    p = Path('bot.py'); p.write_text(p.read_text().replace('129.21.10.4', 'TOURNAMENT_HOST'))"
CMD ["python", "bot.py", "folds"]
"""


@in_event_loop
async def test_only_leftovers_of_the_same_tournament_are_removed(tmp_path: Path) -> None:
    """As after `kill -9`, the first runner is still open when the second opens."""
    ours, others = tmp_path / "ours", tmp_path / "others"
    async with opened("docker", others) as other:
        kept = await put_in(other, others, "never")
        abandoned = await put_in(await open_docker(box_environment(ours)), ours, "never")
        assert _count(ours) == 2
        async with opened("docker", ours):
            assert _count(ours) == 0
            assert _count(others) == 2
        assert (await ended(abandoned)).startswith(("was ended by SIGKILL", "Docker lost sight"))
        await abandoned.stop()
        await kept.stop()


@in_event_loop
async def test_box_that_cannot_be_entered_gets_its_own_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened("docker", tmp_path) as runner:
        boxes = [await put_in(runner, tmp_path, "folds")]
        with monkeypatch.context() as never:
            never.setattr(docker_network, "BEGIN_SECONDS", 0.0)
            boxes.append(await put_in(runner, tmp_path, "folds", dockerfile=BY_NAME))
        assert "0.0.0.0" in runner.notes[0]  # noqa: S104
        assert await registered(boxes[1]) == "Folds"
        boxes.append(await put_in(runner, tmp_path, "folds"))
        assert [box.box for box in boxes] == ["docker, strict", "docker, strict, own network", "docker, strict"]
    assert find_leftovers(tmp_path) == []


@in_event_loop
async def test_disk_of_a_relaxed_bot_is_limited(tmp_path: Path) -> None:
    async with opened("docker", tmp_path) as runner:
        box = await put_in(runner, tmp_path, "disk", strict=False)
        assert await ended(box) == "wrote more than the 64 MB allowed (-9)"
    assert max(int(line.split()[1]) for line in logged(tmp_path, "disk") if "wrote" in line) <= 64 << 20


def _count(folder: Path) -> int:
    """The number of containers of the tournament of `folder`: a holder and a bot for each box."""
    with open_engine() as engine:
        return len(engine.containers(all=True, filters={"label": f"{LABEL}={box_environment(folder).label}"}))
