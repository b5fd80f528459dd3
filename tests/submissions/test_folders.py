"""Submissions are read from folders and archives of one bot, a player or all players; hostile folders are refused."""

import os
import shutil
import socket
from pathlib import Path

import pytest

from server.paths import ASSETS
from server.submissions.folder_scan import MAX_ENTRIES
from server.submissions.submission import Submission
from server.submissions.submissions_reader import read_submissions
from tests.submissions.conftest import Read
from tests.support.bots.submission import write_bot, write_player

MB = 1 << 20


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
    assert (abe.warnings, abe.notes) == ((), ())
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


@pytest.mark.parametrize("other", ["HONEST  ABE", "H0nest \u0410be"])
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
    assert not [(bot.faults, bot.warnings, bot.notes) for bot in found if bot.faults or bot.warnings or bot.notes]


def test_pipe_or_socket_is_a_fault_and_never_opened(read: Read, bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(bot / "pipe")
    monkeypatch.chdir(bot)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("plug")
        (found,) = read(bot)
    assert sorted(found.faults) == [
        '"pipe" is not a file (a pipe, socket or device). Remove it.',
        '"plug" is not a file (a pipe, socket or device). Remove it.',
    ]
    for name in ("bot_config.json", "Dockerfile", "mugshot.png"):  # reading one of these would never end
        (bot / name).unlink()
        os.mkfifo(bot / name)
        assert f'"{name}" is not a file (a pipe, socket or device). Remove it.' in read(bot)[0].faults


def test_links_out_of_the_folder_are_refused_and_links_inside_allowed(read: Read, bot: Path, tmp_path: Path) -> None:
    (bot / "inside.py").symlink_to("bot.py")
    (bot / "loop").symlink_to("loop")
    (bot / "itself").symlink_to(".", target_is_directory=True)
    assert read(bot)[0].faults == ()
    (bot / "all").symlink_to("/", target_is_directory=True)
    (bot / "passwords").symlink_to("/etc/passwd")
    assert sorted(read(bot)[0].faults) == [
        '"all" is a link that leads out of the folder. Put the file itself there.',
        '"passwords" is a link that leads out of the folder. Put the file itself there.',
    ]
    (tmp_path / "all" / "carl").mkdir(parents=True)
    (tmp_path / "all" / "bob").symlink_to(bot, target_is_directory=True)
    assert [found.faults[0].partition(".")[0] for found in read(tmp_path / "all")] == ["It is a link"]


def test_unprintable_names_are_a_fault_and_are_not_printed(read: Read, bot: Path) -> None:
    for name in (b"\x1b[2Jgone", b"\xff\xfe", b"line\nend"):
        Path(os.fsdecode(bytes(bot) + b"/" + name)).write_text("")
    faults = read(bot)[0].faults
    assert len(faults) == 3
    assert all(fault.isprintable() and fault.encode() for fault in faults)


def test_too_many_files_are_refused_early(read: Read, bot: Path) -> None:
    (bot / "many").mkdir()
    seed = bot / "many" / "0"
    seed.write_text("")
    for number in range(1, 20_000):
        os.link(seed, bot / "many" / str(number))
    (found,) = read(bot)
    assert found.name == "Honest Abe"
    assert found.faults == (f"It holds more than {MAX_ENTRIES} files and folders. Remove what the bot does not need.",)


def test_too_deep_a_folder_and_a_file_of_a_terabyte_are_faults_and_not_read(read: Read, bot: Path) -> None:
    with (bot / "bot_config.json").open("ab") as file:
        file.truncate(1 << 40)
    size, config = read(bot)[0].faults
    assert size.startswith("It has 1048576.0 MB")
    assert config == "bot_config.json can't be read: it is larger than 64 KiB; submit a file of a few lines."
    bot.joinpath(*["d" * 20] * 60).mkdir(parents=True)
    assert any("is more than 24 folders deep. Flatten the folders." in fault for fault in read(bot)[0].faults)


@pytest.mark.parametrize(
    ("sizes", "weights", "faults"),
    [
        ({"core": 9}, 0, []),
        ({"core": 9, "venv/torch.so": 3}, 0, [
            "It has 12.0 MB; at most 10.0 MB are allowed, besides the one folder of weights",
            'Most of it: "core" (9.0 MB), "venv" (3.0 MB), "yeehaw.wav" (21 kB).',
        ]),
        *(({f"{name}/net.bin": 50}, 50, []) for name in ("weights", "model", "Models", "src/weights")),
        ({"weights/net.bin": 50, "models/net.bin": 20}, 50, ['Most of it: "models" (20.0 MB)']),
        ({"weights/net.bin": 300}, 300, [
            'The weights in "weights" have 300.0 MB; at most 256.0 MB are allowed',
        ]),
    ],
)  # fmt: skip
def test_bot_may_have_ten_megabytes_and_one_folder_of_weights(
    read: Read, bot: Path, sizes: dict[str, int], weights: int, faults: list[str]
) -> None:
    for name, megabytes in sizes.items():
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        with (bot / name).open("wb") as file:
            file.truncate(megabytes * MB)
    (found,) = read(bot)
    assert len(found.faults) == bool(faults)
    assert all(part in found.faults[0] for part in faults)
    assert found.weights_bytes == weights * MB
