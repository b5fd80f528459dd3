"""When the disk fills up during an evening, terminal and desk say so, and the game waits until there is room."""

import os
from contextlib import ExitStack
from pathlib import Path

from server.game.events import ActionTaken, ControlSet
from server.verify.recording import verify
from tests.end_to_end.evening import NAMES, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.viewers import Operator, Viewer

TROUBLE = "the disk is full: the game waits until there is room"
FULL = "the journal cannot be written: No space left on device"


def fill(disk: Path) -> Path:
    """Fills the disk with a file, which each further call makes larger; returns the file's path."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return ballast


def test_full_disk_is_shown_and_the_game_continues_once_there_is_room(tmp_path: Path, small_disk: Path) -> None:
    names = NAMES[:6]
    folder = write_evening(tmp_path, secrets_of(names))
    os.symlink(small_disk, folder.data)
    with ExitStack() as closing:
        closing.enter_context(RemoteBots(folder.register, secrets_of(names), wild=0.0))
        # Slow enough for the desk to notice the full disk.
        terminal = closing.enter_context(tournament(folder, "--speed", "20"))
        with Operator(terminal.address) as ann, Viewer(folder.base) as viewer:
            ann.sees(lambda desk: desk["status"]["hands_shown"] >= 1)
            ballast = fill(small_disk)
            desk = ann.sees(lambda desk: desk["trouble"])
            assert desk["trouble"] == TROUBLE
            assert desk["lights"][0] == {"of": "engine", "colour": "red", "words": TROUBLE, "bot": 0, "log": ""}
            # A small write may still fit, and the archive frees space when it gives up its unfinished index.
            assert any(fill(small_disk) and ann.set("sound", bool(turn % 2)) == FULL for turn in range(100))
            before = len(folder.entries)
            ballast.unlink()
            ann.sees(lambda desk: not desk["trouble"] and desk["status"]["hands_shown"] >= 2)
            ann.set("stage_end", True)
            terminal.wait_for_output("the show has ended")
            assert terminal.interrupt() == 0, terminal.text
    assert viewer.troubles[:2] == [TROUBLE, ""]
    assert len(folder.entries) > before
    assert verify(folder.entries).finished
    assert not [event for event in folder.events if isinstance(event, ActionTaken) and event.fault]
    controls = [event.control for event in folder.events if isinstance(event, ControlSet) and event.control != "sound"]
    assert controls == ["started", "stage_end"]
