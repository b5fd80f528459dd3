"""Submissions are read from a folder of one bot, of a player or of all players, and from archives of these."""

import shutil
from pathlib import Path

import pytest

from server.paths import ASSETS
from server.submissions.read import read_submissions
from server.submissions.submission import Submission
from tests.submissions.conftest import Read
from tests.support.submission import write_bot, write_player


def zip_folder(folder: Path) -> Path:
    archive = Path(shutil.make_archive(str(folder), "zip", folder))
    shutil.rmtree(folder)
    return archive


def owners(found: list[Submission]) -> list[tuple[str, str, str]]:
    assert not [fault for bot in found for fault in bot.faults]
    return [(bot.player, bot.label, bot.name) for bot in found]


def test_folder_of_one_bot_is_read(read: Read, bot: Path) -> None:
    (abe,) = read(bot)
    assert owners([abe]) == [("abe", "abe", "Honest Abe")]
    assert (abe.avatar, abe.particle, abe.sound) == (bot / "mugshot.png", bot / "star.png", bot / "yeehaw.wav")
    assert (abe.mends, abe.notes) == ((), ())
    assert abe.own_bytes == sum(path.stat().st_size for path in bot.iterdir())


def test_player_has_at_most_three_bots_side_by_side(read: Read, tmp_path: Path) -> None:
    three = read(write_player(tmp_path / "alice", "Abe", "Bart", "Cid"))
    assert owners(three) == [("alice", f"alice/bot-{at}", name) for at, name in enumerate(("Abe", "Bart", "Cid"), 1)]
    for name in ("Abe", "Bart", "Cid", "Dan"):
        write_bot(tmp_path / "all" / name.lower(), name)
    assert [bot.player for bot in read(tmp_path / "all")] == ["abe", "bart", "cid", "dan"]
    found = read_submissions(tmp_path / "all", tmp_path / "work", player="Alice A.")
    assert {bot.faults for bot in found} == {("Alice A. has 4 bots here; at most 3 may be submitted.",)}


def test_bots_players_and_whole_folders_can_be_archives(read: Read, tmp_path: Path) -> None:
    write_player(tmp_path / "all" / "alice", "Abe", "Bart")
    zip_folder(write_bot(tmp_path / "all" / "bob", "Bob"))
    zip_folder(tmp_path / "all" / "alice" / "bot-2")
    write_player(tmp_path / "all" / "carl" / "carl-main", "Cid", "Dan")
    zip_folder(tmp_path / "all" / "carl")
    (tmp_path / "all" / "README.md").write_text("who has paid")
    expected = [
        ("alice", "alice/bot-1", "Abe"),
        ("alice", "alice/bot-2", "Bart"),
        ("bob", "bob", "Bob"),
        ("carl", "carl/bot-1", "Cid"),
        ("carl", "carl/bot-2", "Dan"),
    ]
    assert owners(read(tmp_path / "all")) == expected
    archive = zip_folder(tmp_path / "all")
    assert owners(read(archive)) == expected
    assert owners(read(archive)) == expected, "a second reading must unpack the archives again"


def test_files_left_by_tools_are_ignored(read: Read, tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "alice" / "abe", "Abe")
    for junk in ("__MACOSX", ".git"):
        (bot / junk).mkdir()
        (bot / junk / "large").write_bytes(bytes(11 << 20))
    (bot / ".DS_Store").write_text("")
    (tmp_path / "alice" / "__MACOSX").mkdir()
    assert owners(read(tmp_path / "alice")) == [("alice", "alice/abe", "Abe")]
    assert owners(read(zip_folder(tmp_path / "alice"))) == [("alice", "alice/abe", "Abe")]


@pytest.mark.parametrize("other", ["Honest Abe", "HONEST  ABE", "Honest\u00a0Abe", "H0nest \u0410be"])
def test_two_names_that_look_alike_are_a_fault_of_both_bots(read: Read, tmp_path: Path, other: str) -> None:
    write_player(tmp_path / "all" / "alice", "Honest Abe", "Bart")
    write_bot(tmp_path / "all" / "bob", other)
    abe, bart, bob = read(tmp_path / "all")
    assert bart.faults == ()
    assert abe.faults == (f'"Honest Abe" looks like "{other}" of bob. One of them needs another name.',)
    assert bob.faults == (f'"{other}" looks like "Honest Abe" of alice/bot-1. One of them needs another name.',)


def test_player_without_a_bot_is_reported(read: Read, tmp_path: Path) -> None:
    write_player(tmp_path / "all" / "alice", "Abe")
    (tmp_path / "all" / "bob" / "notes").mkdir(parents=True)
    (tmp_path / "all" / "carl.zip").write_bytes(b"PK and nothing else")
    (tmp_path / "all" / "dora.7z").write_bytes(b"7z")
    alice, bob, carl, dora = read(tmp_path / "all")
    assert alice.faults == ()
    assert [bot.faults[0].partition(".")[0] for bot in (bob, carl, dora)] == [
        "There is no bot in here",
        "The archive is damaged, or not a zip archive at all",
        "Only folders and zip archives are read",
    ]


def test_starters_of_quick_draw_have_no_fault(read: Read) -> None:
    found = read(ASSETS / "starters/quick-draw")
    assert [bot.name for bot in found] == ["C++ Starter", "Java Starter", "JavaScript Starter", "Python Starter"]
    assert not [(bot.faults, bot.mends, bot.notes) for bot in found if bot.faults or bot.mends or bot.notes]
