"""Files of transcripts stay within a budget, are removed with their recordings, and never stop a game."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from server.app.decisions.transcript import (
    LINE_BYTES,
    MAX_BYTES,
    MAX_MESSAGE,
    Messages,
    Transcript,
    keep_transcript,
    read_transcript,
)
from tests.support.disks import small_disk

__all__ = ["small_disk"]


def test_flood_of_messages_takes_no_more_than_the_budget(tmp_path: Path) -> None:
    messages = Messages(lambda: 0.0)
    flood, number = os.urandom(3 * MAX_MESSAGE), 4 * MAX_BYTES // MAX_MESSAGE
    for _ in range(number):
        messages.record(1, "<", flood)
    for _ in range(MAX_BYTES):
        messages.record(1, "<", b"")
    messages.record(2, ">", b"what the server sends is kept nevertheless")
    transcript = messages.transcript()
    *kept, last = transcript.lines
    assert last.text.startswith("what the server sends")
    assert len(kept) == MAX_BYTES // (MAX_MESSAGE + LINE_BYTES)
    assert {(line.text.encode() != flood, line.more) for line in kept} == {(True, 2 * MAX_MESSAGE)}
    assert transcript.left_out == number + MAX_BYTES - len(kept)
    path = tmp_path / "transcripts" / "game.transcript"
    (tmp_path / "game.jsonl").touch()
    keep_transcript(messages, path, tmp_path)
    assert path.stat().st_size < 2 * MAX_BYTES
    assert read_transcript(path) == transcript


def test_transcript_is_removed_with_its_recording_and_a_damaged_transcript_is_ignored(tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    ticks = count()
    for number in range(3):
        (tmp_path / f"game-{number}.jsonl").touch()
        messages = Messages(lambda: float(next(ticks)))
        messages.record(number, ">", b"hello")
        keep_transcript(messages, folder / f"game-{number}.transcript", tmp_path)
    (tmp_path / "game-1.jsonl").unlink()
    (folder / "game-1.half").touch()
    (tmp_path / "game-3.jsonl").touch()
    keep_transcript(Messages(lambda: 0.0), folder / "game-3.transcript", tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == [f"game-{number}.transcript" for number in (0, 2, 3)]
    assert read_transcript(folder / "game-1.transcript") is None
    kept = read_transcript(folder / "game-2.transcript")
    assert kept
    assert [(line.hand, line.text) for line in kept.lines] == [(2, "hello")]
    for damaged in (b"", b"\x78", b"x" * 5000):
        (folder / "game-2.transcript").write_bytes(damaged)
        assert read_transcript(folder / "game-2.transcript") is None


def test_only_the_transcript_is_lost_when_the_disk_is_full(
    small_disk: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    messages = Messages(lambda: 0.0)
    messages.record(1, "<", b"hello")
    path = small_disk / "game.transcript"
    (tmp_path / "game.jsonl").touch()
    keep_transcript(messages, path, tmp_path)
    with suppress(OSError), (small_disk / "full").open("wb", buffering=0) as filling:
        while True:
            filling.write(bytes(1 << 12))
    for _ in range(100):
        messages.record(1, "<", os.urandom(4096))
    keep_transcript(messages, path, tmp_path)
    assert "cannot write a transcript" in caplog.text
    assert read_transcript(path) == Transcript((messages.transcript().lines[0],)), (
        "the earlier transcript must be undamaged"
    )
