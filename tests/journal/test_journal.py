"""Entries are on disk before anybody sees them. A journal is valid after a crash, and refused if altered."""

import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from server.game.events import ChatSent, Event
from server.journal.bus import Bus  # `Bus`: a log of events, which writes them to a journal
from server.journal.journal import Entry, Journal, JournalDamaged, JournalFollower, discard_journal, read_journal
from tests.game.random_hands import RULES, random_hand
from tests.support.games.recordings import seal, write  # `seal` adds valid checksums to lines

NONSENSE_PIECES = (b"\x00", b'"', b"{", b"}", b"[", b"9" * 30, b"null", b"\xed\xa0\x80", b"\\u")


@pytest.fixture
def journal_path(tmp_path: Path) -> Path:
    events = enumerate([*hand_events(), ChatSent(1, "Señor “Fold”\n\t\u2028 🤠")], 1)
    return write(tmp_path / "show.journal", [Entry(number, 10 * number, event) for number, event in events])


def hand_events() -> list[Event]:
    return [*random_hand(random.Random(4), RULES["quick-draw"])[1]]


def chat(number: int) -> ChatSent:
    return ChatSent(number, "howdy")


def test_open_journal_has_one_writer_and_is_not_replaced(journal_path: Path) -> None:
    content = journal_path.read_bytes()
    with pytest.raises(FileExistsError):
        Journal(journal_path)
    assert journal_path.read_bytes() == content
    assert journal_path.stat().st_mode & 0o777 == 0o600, "only the owner of a journal may read its hole cards"
    journal, _ = Journal.resume(journal_path)
    for attempt in (Journal.resume, discard_journal):
        with pytest.raises(BlockingIOError, match="another process"):
            attempt(journal_path)
    journal.close()
    Journal.resume(journal_path)[0].close()
    discard_journal(journal_path)
    assert not journal_path.exists()


def test_entries_are_written_then_synced_and_only_then_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "show.journal"
    synced: list[int] = []
    bus, real_fdatasync = Bus(Journal(path), lambda: 0.0), os.fdatasync

    def check_and_sync(file: int) -> None:
        assert read_journal(path).entries[-1].event == chat(len(synced))
        assert len(bus.entries) == len(synced), "an entry must not be seen before it is synced"
        real_fdatasync(file)
        synced.append(file)

    monkeypatch.setattr(os, "fdatasync", check_and_sync)
    for number in range(20):
        bus.publish(chat(number))
        assert len(bus.entries) == len(synced) == number + 1
    bus.close()


def test_entries_whose_sync_fails_are_removed_from_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "other.journal"
    bus = Bus(Journal(path), lambda: 0.0)
    bus.publish(chat(1))
    content = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError(5, "the disk is gone")

    with monkeypatch.context() as patches:
        patches.setattr(os, "fdatasync", fail)
        with pytest.raises(OSError, match="the disk is gone"):
            bus.publish(ChatSent(1, "lost"))
    assert (path.read_bytes(), len(bus.entries)) == (content, 1)
    bus.publish(chat(2))
    bus.close()
    assert [entry.event for entry in read_journal(path).entries] == [chat(1), chat(2)]


@contextmanager
def limit_file_size(size: int) -> Iterator[None]:
    """Lets no file grow beyond `size` bytes. A write beyond this limit is cut short, and the next write fails."""
    resource = pytest.importorskip("resource", reason="Windows cannot limit the files of a process")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("free_bytes", [0, 1, 50, 51, 200])
def test_full_disk_is_reported_and_keeps_the_file_valid(tmp_path: Path, free_bytes: int) -> None:
    path = tmp_path / "show.journal"
    bus = Bus(Journal(path), lambda: 0.0)
    bus.publish(chat(1))
    with limit_file_size(path.stat().st_size + free_bytes):
        for _ in range(3):
            with pytest.raises(OSError, match=r"No space|too large|no room"):
                bus.publish(*hand_events())
            assert [entry.event for entry in read_journal(path).entries] == [chat(1)]
            assert len(bus.entries) == 1
    bus.publish(*hand_events())
    bus.close()
    recording = read_journal(path)
    assert recording.torn_bytes == 0  # The last line is not half-written.
    assert [entry.event for entry in recording.entries] == [chat(1), *hand_events()], "writing must succeed again"
    with limit_file_size(10), pytest.raises(OSError, match=r"too large|no room"):
        Journal(tmp_path / "other.journal")
    assert not (tmp_path / "other.journal").exists(), "a journal whose header does not fit must be removed"


def test_journal_cut_at_any_byte_is_resumed_from_its_last_complete_line(journal_path: Path) -> None:
    entries, content = read_journal(journal_path).entries, journal_path.read_bytes()
    for length in range(len(content.rsplit(b"\n", 4)[0]) + 1, len(content) + 1):
        journal_path.write_bytes(content[:length])
        recording, complete_lines = read_journal(journal_path), content[:length].rpartition(b"\n")[0] + b"\n"
        assert recording.entries == entries[: complete_lines.count(b"\n") - 1]
        assert recording.torn_bytes == length - len(complete_lines)
        journal, resumed = Journal.resume(journal_path)
        journal.close()
        assert resumed == recording
        assert journal_path.read_bytes() == complete_lines


def test_journal_with_a_flipped_bit_or_other_line_ending_is_refused(journal_path: Path) -> None:
    content, rng = journal_path.read_bytes(), random.Random(8)
    for ending in (b"\r", b"\r\n", b"\n\n"):
        journal_path.write_bytes(content.replace(b"\n", ending, 3))
        with pytest.raises(JournalDamaged, match=r"line [12]"):
            read_journal(journal_path)
    for _ in range(500):
        index = rng.randrange(len(content) - 1)
        altered = bytearray(content)
        altered[index] ^= 1 << rng.randrange(8)
        journal_path.write_bytes(altered)
        line = content[:index].count(b"\n") + 1
        with pytest.raises(JournalDamaged, match=f"line ({line}|{line + 1}): "):
            read_journal(journal_path)
    with pytest.raises(JournalDamaged, match="line"):
        Journal.resume(journal_path)
    assert journal_path.read_bytes() == altered, "a refused journal must not be changed"


@pytest.mark.parametrize("valid_checksums", [False, True])
def test_damaged_journal_never_crashes_its_reader(journal_path: Path, valid_checksums: bool) -> None:
    entries, rng = read_journal(journal_path).entries, random.Random(16)
    lines = journal_path.read_bytes().split(b"\n")[:-1]
    for _ in range(800):
        altered = mutate_lines(rng, [line[:-34] + b"}" for line in lines] if valid_checksums else lines)
        journal_path.write_bytes(seal(*altered) if valid_checksums else b"\n".join(altered))
        refusal, entries_read = "", list[Entry]()
        try:
            entries_read = read_journal(journal_path).entries
        except JournalDamaged as damage:
            refusal = str(damage)
        assert valid_checksums or entries_read == entries[: len(entries_read)], "only the last lines may be missing"
        assert refusal.startswith("line ") or "not a journal" in refusal or not refusal


def mutate_lines(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """Returns a copy of the lines with a few random changes of bytes and of whole lines."""
    lines = list(lines)
    for _ in range(rng.randint(1, 3)):
        index, other_index = rng.randrange(len(lines)), rng.randrange(len(lines))
        line = bytearray(lines[index])
        byte = rng.randrange(len(line) + 1)
        match rng.randrange(7):
            case 0 if line:
                line[min(byte, len(line) - 1)] = rng.randrange(256)
            case 1:
                del line[byte:]
            case 2:
                line[byte:byte] = rng.choice(NONSENSE_PIECES)
            case 3:
                line[byte:byte] = line[rng.randrange(len(line) + 1) :]
            case 4:
                lines[other_index] = lines[index]
            case 5:
                lines[index], lines[other_index] = lines[other_index], lines[index]
                continue
            case _ if len(lines) > 1:
                del lines[index]
                continue
        lines[index] = bytes(line)
    return lines


def test_follower_does_not_wait_for_a_missing_entry(journal_path: Path) -> None:
    entries, altered = read_journal(journal_path).entries, bytearray(journal_path.read_bytes())
    live_path = journal_path.with_name("live.jsonl")
    with closing(Journal(live_path)) as journal, closing(JournalFollower(live_path)) as follower:
        journal.append(entries[:5])
        assert follower.read(3) == entries[:3]
        assert follower.read(3) == []
        journal.append(entries[5:])
        assert follower.read(len(entries)) == entries[3:]
        with pytest.raises(JournalDamaged, match="ends before entry"):
            follower.read(len(entries) + 1)
    altered[len(altered) // 2] ^= 1
    journal_path.write_bytes(altered)
    with closing(JournalFollower(journal_path)) as follower, pytest.raises(JournalDamaged, match="altered"):
        follower.read(len(entries))


def test_entries_keep_their_number_after_others_are_forgotten(tmp_path: Path) -> None:
    clock_times, path = iter([50.0, 50.0, 51.5, 53.25]), tmp_path / "log.jsonl"
    bus = Bus(Journal(path), lambda: next(clock_times))
    bus.publish(chat(1))
    bus.publish(chat(2), chat(3))
    bus.forget()
    assert bus.entries == []
    assert [entry.seq for entry in bus.publish(chat(4))] == [4]
    bus.close()
    expected = [Entry(seq, at_ms, chat(seq)) for seq, at_ms in enumerate((0, 1500, 1500, 3250), 1)]
    assert read_journal(path).entries == expected


async def test_follower_gets_every_entry_after_its_start() -> None:
    async def collect(bus: Bus, after: int) -> list[Entry]:
        return [entry async for entry in bus.follow(after)]

    rng, bus = random.Random(2), Bus(None, lambda: 100.0)
    followers: list[tuple[int, asyncio.Task[list[Entry]]]] = []
    while len(bus.entries) < 500:
        bus.publish(*map(chat, range(rng.randint(0, 3))))
        if rng.random() < 0.3:
            after = rng.randint(0, len(bus.entries) + 5)
            followers.append((after, asyncio.create_task(collect(bus, after))))
        for _ in range(rng.randint(0, 2)):
            await asyncio.sleep(0)
    bus.close()
    late_followers = [(after, asyncio.create_task(collect(bus, after))) for after in (0, 2, len(bus.entries))]
    results = [(after, await following) for after, following in (*followers, *late_followers)]
    last_seq = max(entries[-1].seq for _, entries in results if entries)
    assert len(results) > 50
    assert all([entry.seq for entry in entries] == list(range(after + 1, last_seq + 1)) for after, entries in results)
