"""Bubblewrap alone: when a box may be entered, and what is said when one cannot be made."""

import asyncio
import platform
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.command import Box, box_command
from server.bots.sandbox.bubblewrap.dockerfile import Recipe
from server.bots.sandbox.bubblewrap.seccomp import syscall_filter
from server.bots.sandbox.bubblewrap.start import WaitingBox, bubblewrap_fault, start_waiting
from server.bots.sandbox.runner import Limits
from tests.bots.sandbox.boxed_bots import opened, put_in, registered

pytestmark = pytest.mark.skipif(bool(bubblewrap_fault()), reason=bubblewrap_fault() or "bubblewrap is here")


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder anybody may look into, as bots do."""
    with tempfile.TemporaryDirectory(prefix="highnoon-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def _waiting(folder: Path, bot: Path) -> WaitingBox:
    """A box that waits; `bot` is what it is to show as the bot's folder."""
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    box = Box(Recipe("/bot", {}, ("true",), ()), bot, hosts, Limits())
    return start_waiting(partial(box_command, box), syscall_filter(platform.machine(), counted=False))


def test_a_box_is_entered_only_when_it_is_whole(shared: Path) -> None:
    """Who entered it before it had its network left it without one, and the bot never came."""
    for _ in range(5):
        box = _waiting(shared, shared)
        try:
            box.ready()
            assert "127.0.0.1" in Path(f"/proc/{box.init}/net/fib_trie").read_text()
        finally:
            box.give_up()


def test_a_box_that_cannot_be_made_says_why(shared: Path) -> None:
    box = _waiting(shared, shared / "nowhere")
    box.ready()
    assert "nowhere: No such file or directory" in box.give_up()


def test_a_bot_that_ended_before_it_registered_is_not_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened("light", tmp_path) as runner:
            await registered(await put_in(runner, tmp_path, "exits"))

    with pytest.raises(AssertionError, match=r"(?s)ended with status 3.*exits since"):
        asyncio.run(story())
