"""The transcript of a practice game: every message to and from the bot, for its author only, within a budget."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx
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
from tests.practice.test_own_pages import once, wait_for_games
from tests.practice.test_tcp_games import SampleBot, register
from tests.support.disks import small_disk
from tests.support.program import Running, serving_program

__all__ = ["small_disk"]
PRIVATE = "<b>the number is 1234</b>"
WRONG = '{"command": "take_action", "action": "raise", "raise_amount": "' + PRIVATE + '"}'


class TalkingBot(SampleBot):
    """A sample bot that keeps the bytes it has sent and received."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.sent: list[str] = []
        self.raw = ""

    def listen(self) -> list[dict[str, Any]]:
        received = self.socket.recv(4096).decode()
        self.raw += received
        return [json.loads(line) for line in received.split("\n") if line]

    def say(self, text: str) -> None:
        self.sent.append(text)
        self.socket.sendall(text.encode())

    def send(self, **message: Any) -> None:
        self.say(json.dumps(message))


Played = tuple[Running, Path, str, TalkingBot]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A server, its data, the address of a bot's page, and the bot, which has played a game and sent a secret."""
    data = tmp_path_factory.mktemp("practice")
    with serving_program("practice", "--speed", "0", "--data", str(data)) as program:
        reply = register(program, name="Tess <b>", test_game_size=2, test_hand_count=2)
        bot = TalkingBot(reply["port_number"])
        bot.listen()
        bot.say(WRONG)
        bot.play(2, action="call")
        while received := bot.socket.recv(4096).decode():
            bot.raw += received
        bot.socket.close()
        wait_for_games(reply["own_url"], 1)
        yield program, data, reply["own_url"], bot


def game_of(address: str) -> dict[str, Any]:
    """The first game hand by hand, once its transcript is written."""
    return once(f"{address}/1?json", lambda game: any(hand["messages"] for hand in game["hands"]))


def test_transcript_has_every_message_in_both_directions_in_order(played: Played) -> None:
    _, _, address, bot = played
    lines = [line for hand in game_of(address)["hands"] for line in hand["messages"]]
    assert "".join(line["text"] for line in lines if line["way"] == "<") == "".join(bot.sent)
    assert "".join(line["text"] for line in lines if line["way"] == ">") == bot.raw
    assert lines == sorted(lines, key=lambda line: line["at_ms"])
    assert (lines[1]["way"], lines[1]["text"]) == ("<", WRONG)


def test_hand_has_its_own_messages_decisions_and_faults(played: Played) -> None:
    hands = game_of(played[2])["hands"]
    for hand in hands:
        requests = [line for line in hand["messages"] if '"request_action"' in line["text"]]
        assert len(requests) == len(hand["decisions"])
    (fault,) = hands[0]["faults"]
    assert fault["sent"] == [WRONG]
    assert not any(hand["faults"] for hand in hands[1:])


def test_only_its_author_sees_a_transcript(played: Played) -> None:
    program, data, address, _ = played
    game_of(address)
    (recording,) = (data / "recordings" / "practice").glob("*.jsonl")
    assert PRIVATE not in recording.read_text()
    for page in ("/practice", "/recordings", f"/recordings/practice/{recording.stem}"):
        answer = httpx.get(f"{program.base}{page}", timeout=60.0)
        assert "1234" not in answer.text
    (transcript,) = (data / "practice-pages" / "transcripts").iterdir()
    assert transcript.stat().st_mode & 0o077 == 0
    for path in (transcript.name, f"practice-pages/transcripts/{transcript.name}"):
        assert httpx.get(f"{program.base}/{path}", timeout=60.0).status_code == 404
        assert httpx.get(f"{program.base}/recordings/{path}", timeout=60.0).status_code == 404


def test_pages_show_names_and_messages_as_plain_text(played: Played) -> None:
    game_of(played[2])
    for address in (played[2], f"{played[2]}/1"):
        page = httpx.get(address, timeout=60.0).text
        assert "&lt;b&gt;the number is 1234&lt;/b&gt;" in page
        assert not [text for text in (PRIVATE, "Tess <b>") if text in page]


# -- the budget ------------------------------------------------------------------------------------


def test_flood_costs_no_more_than_the_budget(tmp_path: Path) -> None:
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


def test_flooding_bot_leaves_a_bounded_transcript(played: Played) -> None:
    program, data, _, _ = played
    reply = register(program, name="Flood", test_game_size=2, test_hand_count=1)
    bot = SampleBot(reply["port_number"])
    bot.socket.setblocking(False)
    sent = 0
    for _ in range(200):
        try:
            sent += bot.socket.send(b"\xff\x1b[2J{}" * 4096)
        except BlockingIOError:
            break
    bot.socket.settimeout(60.0)
    bot.socket.shutdown(socket.SHUT_WR)
    assert sent > 1 << 16
    game = once(f"{reply['own_url']}/1?json", lambda game: any(hand["messages"] for hand in game["hands"]))
    bot.socket.close()
    lines = [line for hand in game["hands"] for line in hand["messages"]]
    assert all(len(line["text"]) <= MAX_MESSAGE for line in lines)
    assert sum(len(line["text"]) for line in lines if line["way"] == "<") <= MAX_BYTES
    assert "\x1b" not in json.dumps([line["text"] for line in lines], ensure_ascii=False)
    assert all(path.stat().st_size < 2 * MAX_BYTES for path in (data / "practice-pages" / "transcripts").iterdir())


def test_transcript_is_removed_with_its_recording_and_a_damaged_one_is_ignored(tmp_path: Path) -> None:
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


def test_full_disk_costs_the_transcript_and_nothing_else(
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
    assert "a transcript is missing" in caplog.text
    assert read_transcript(path) == Transcript((messages.transcript().lines[0],)), "the earlier one is undamaged"
