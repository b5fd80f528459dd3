"""Players submit bots as folders or archives. A hostile archive cannot fill the disk or write outside its folder."""

import contextlib
import os
import random
import re
import shutil
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from server.paths import ASSETS
from server.submissions.folder_rules import MAX_BOT_BYTES, MAX_ENTRIES
from server.submissions.submission import Submission
from server.submissions.submissions_reader import read_submissions
from server.submissions.zip_archive import BadArchive, UnpackBudget, unpack
from tests.submissions.conftest import Reader
from tests.support.archives import zip_of
from tests.support.bots.submission import write_bot, write_player

MB = 1 << 20
TOO_MANY_FILES = f"It holds more than {MAX_ENTRIES} files and folders. Remove what the bot does not need."
ReadArchive = Callable[..., list[Submission]]


def zip_folder(folder: Path) -> Path:
    """Replaces a folder with an archive of it, and returns the archive's path."""
    archive = Path(shutil.make_archive(str(folder), "zip", folder))
    shutil.rmtree(folder)
    return archive


def list_bots(submissions: list[Submission]) -> list[str]:
    """Checks that each label begins with its player's name, and that there is no fault. Returns labels and names."""
    for bot in submissions:
        assert (bot.faults, bot.label.partition("/")[0]) == ((), bot.player)
    return [f"{bot.label}: {bot.name}" for bot in submissions]


def test_folder_of_one_bot_is_read(read: Reader, bot: Path) -> None:
    (abe,) = read(bot)
    assert list_bots([abe]) == ["abe: Honest Abe"]
    assert (abe.avatar, abe.particle, abe.sound) == (bot / "mugshot.png", bot / "star.png", bot / "yeehaw.wav")
    assert (abe.warnings, abe.notes) == ((), ())
    assert abe.own_bytes == sum(path.stat().st_size for path in bot.iterdir())  # own_bytes leaves out model weights


def test_player_has_at_most_three_bots(read: Reader, tmp_path: Path) -> None:
    alice = read(write_player(tmp_path / "alice", "Abe", "Bart", "Cid"))
    assert list_bots(alice) == ["alice/bot-1: Abe", "alice/bot-2: Bart", "alice/bot-3: Cid"]
    for name in ("Abe", "Bart", "Cid", "Dan"):
        write_bot(tmp_path / "all" / name.lower(), name)
    assert [bot.player for bot in read(tmp_path / "all")] == ["abe", "bart", "cid", "dan"]
    four = read_submissions(tmp_path / "all", tmp_path / "work", player="Alice A.")
    assert {bot.faults for bot in four} == {("Alice A. has 4 bots here; at most 3 may be submitted.",)}


def test_archive_may_have_a_bot_a_player_or_a_whole_folder(read: Reader, tmp_path: Path) -> None:
    write_player(tmp_path / "all" / "alice", "Abe", "Bart")
    zip_folder(write_bot(tmp_path / "all" / "bob", "Bob"))
    zip_folder(tmp_path / "all" / "alice" / "bot-2")
    write_player(tmp_path / "all" / "carl" / "carl-main", "Cid", "Dan")
    zip_folder(tmp_path / "all" / "carl")
    (tmp_path / "all" / "README.md").write_text("who has paid")
    bots = ["alice/bot-1: Abe", "alice/bot-2: Bart", "bob: Bob", "carl/bot-1: Cid", "carl/bot-2: Dan"]
    assert list_bots(read(tmp_path / "all")) == bots
    archive = zip_folder(tmp_path / "all")
    assert list_bots(read(archive)) == bots
    assert list_bots(read(archive)) == bots, "a second reading must unpack the archives again"


def test_files_left_by_tools_are_ignored(read: Reader, tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "alice" / "abe", "Abe")
    for junk in ("__MACOSX", ".git"):
        (bot / junk).mkdir()
        (bot / junk / "large").write_bytes(bytes(11 << 20))
    (bot / ".DS_Store").write_text("")
    (tmp_path / "alice" / "__MACOSX").mkdir()
    assert list_bots(read(tmp_path / "alice")) == ["alice/abe: Abe"]
    assert list_bots(read(zip_folder(tmp_path / "alice"))) == ["alice/abe: Abe"]


@pytest.mark.parametrize("similar_name", ["HONEST  ABE", "H0nest \u0410be"])
def test_two_names_that_look_alike_are_a_fault_of_both_bots(read: Reader, tmp_path: Path, similar_name: str) -> None:
    write_player(tmp_path / "all" / "alice", "Honest Abe", "Bart")
    write_bot(tmp_path / "all" / "bob", similar_name)
    abe, bart, bob = read(tmp_path / "all")
    assert bart.faults == ()
    assert abe.faults == (f'"Honest Abe" looks like "{similar_name}" of bob. One of them needs another name.',)
    assert bob.faults == (f'"{similar_name}" looks like "Honest Abe" of alice/bot-1. One of them needs another name.',)


def test_player_without_a_bot_is_reported(read: Reader, tmp_path: Path) -> None:
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


def test_starters_of_quick_draw_have_no_fault(read: Reader) -> None:
    starters = read(ASSETS / "starters/quick-draw")
    assert [bot.name for bot in starters] == ["C++ Starter", "Java Starter", "JavaScript Starter", "Python Starter"]
    assert {(bot.faults, bot.warnings, bot.notes) for bot in starters} == {((), (), ())}


def test_pipe_or_socket_is_a_fault_and_never_opened(read: Reader, bot: Path) -> None:
    os.mknod(bot / "plug", stat.S_IFSOCK)
    assert read(bot)[0].faults == ('"plug" is not a file (a pipe, socket or device). Remove it.',)
    for name in ("pipe", "bot_config.json", "Dockerfile", "mugshot.png"):  # Reading one of these pipes would never end.
        (bot / name).unlink(missing_ok=True)
        os.mkfifo(bot / name)
        assert f'"{name}" is not a file (a pipe, socket or device). Remove it.' in read(bot)[0].faults


def test_links_may_not_lead_out_of_the_folder(read: Reader, bot: Path, tmp_path: Path) -> None:
    (bot / "inside.py").symlink_to("bot.py")
    (bot / "loop").symlink_to("loop")
    (bot / "itself").symlink_to(".", target_is_directory=True)
    assert read(bot)[0].faults == ()
    (bot / "all").symlink_to("/", target_is_directory=True)
    (bot / "passwords").symlink_to("/etc/passwd")
    reason = "is a link that leads out of the folder. Put the file itself there."
    assert sorted(read(bot)[0].faults) == [f'"all" {reason}', f'"passwords" {reason}']
    (tmp_path / "all" / "carl").mkdir(parents=True)
    (tmp_path / "all" / "bob").symlink_to(bot, target_is_directory=True)
    assert [submission.faults[0].partition(".")[0] for submission in read(tmp_path / "all")] == ["It is a link"]


def test_unprintable_names_are_a_fault_and_are_not_printed(read: Reader, bot: Path) -> None:
    for name in (b"\x1b[2Jgone", b"\xff\xfe", b"line\nend"):
        Path(os.fsdecode(bytes(bot) + b"/" + name)).write_text("")
    faults = read(bot)[0].faults
    assert len(faults) == 3
    assert all(fault.isprintable() and fault.encode() for fault in faults)


def test_too_many_files_are_refused_early(read: Reader, bot: Path) -> None:
    (bot / "many").mkdir()
    first_file = bot / "many" / "0"
    first_file.write_text("")
    for number in range(1, 20_000):
        os.link(first_file, bot / "many" / str(number))
    (submission,) = read(bot)
    assert submission.name == "Honest Abe"
    assert submission.faults == (TOO_MANY_FILES,)


def test_deep_folders_and_huge_files_are_not_read(read: Reader, bot: Path) -> None:
    with (bot / "bot_config.json").open("ab") as file:
        file.truncate(1 << 40)
    size_fault, config_fault = read(bot)[0].faults
    assert size_fault.startswith("It has 1048576.0 MB")
    assert config_fault == "bot_config.json can't be read: it is larger than 64 KiB; submit a file of a few lines."
    bot.joinpath(*["d" * 20] * 60).mkdir(parents=True)
    assert any("is more than 24 folders deep. Flatten the folders." in fault for fault in read(bot)[0].faults)


@pytest.mark.parametrize(("sizes", "weights_mb", "fault"), [
    ({"core": 9}, 0, ""),
    ({"core": 9, "venv/torch.so": 3}, 0,
     r"It has 12\.0 MB; at most 10\.0 MB are allowed, besides the one folder of weights.* "
     r'Most of it: "core" \(9\.0 MB\), "venv" \(3\.0 MB\), "yeehaw\.wav" \(21 kB\)\.'),
    *(({f"{name}/net.bin": 50}, 50, "") for name in ("weights", "model", "Models", "src/weights")),
    ({"weights/net.bin": 50, "models/net.bin": 20}, 50, r'Most of it: "models" \(20\.0 MB\)'),
    ({"weights/net.bin": 300}, 300, r'The weights in "weights" have 300\.0 MB; at most 256\.0 MB are allowed'),
])  # fmt: skip
def test_bot_may_have_ten_megabytes_and_one_folder_of_weights(
    read: Reader, bot: Path, sizes: dict[str, int], weights_mb: int, fault: str
) -> None:
    for name, megabytes in sizes.items():
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        with (bot / name).open("wb") as file:
            file.truncate(megabytes * MB)
    (submission,) = read(bot)
    assert len(submission.faults) == bool(fault)
    assert re.search(fault, "".join(submission.faults))
    assert submission.weights_bytes == weights_mb * MB


@pytest.fixture
def read_archive(read: Reader, bot: Path, tmp_path: Path) -> ReadArchive:
    """`read_archive(add)` reads an archive with a bot in its folder "abe". The function `add` may add more files."""

    def read_with(add: Callable[[zipfile.ZipFile], object]) -> list[Submission]:
        archive = tmp_path / "alice.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            add(file)
            for path in bot.iterdir():
                file.write(path, f"abe/{path.name}")
        paths_before = {path for path in tmp_path.rglob("*") if "work" not in path.parts}
        submissions = read(archive)
        assert {path for path in tmp_path.rglob("*") if "work" not in path.parts} == paths_before
        return submissions

    return read_with


def entry(name: str, file_type: int, mode: int = 0o644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (file_type | mode) << 16
    return info


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_hostile_file_name_is_a_fault_of_its_bot(read_archive: ReadArchive) -> None:
    for name, fault in (
        ("abe/../../../evil", 'The archive would write "abe/../../../evil" outside its folder. Create it again.'),
        ("abe/a\x1b]0;x\x07", 'The name "abe/a?]0;x?" is too long, too deep or can\'t be shown. Rename it.'),
        ("abe/" + "x" * 300, "is too long, too deep or can't be shown. Rename it."),
        ("abe/BOT.py", '"abe/BOT.py" and "abe/bot.py" are the same file on some computers. Rename one.'),
        ("abe/bot.py", '"abe/bot.py" is in the archive twice. Create the archive again.'),
    ):
        (submission,) = read_archive(lambda file, name=name: file.writestr(name, "evil, and longer than nothing"))
        assert submission.name == "Honest Abe"
        (reported,) = submission.faults
        assert fault in reported.replace('"abe/bot.py" and "abe/BOT.py"', '"abe/BOT.py" and "abe/bot.py"')


@pytest.mark.parametrize("name", ["/etc/evil", "..\\evil", "C:/evil", "//host/evil"])
def test_unsafe_files_outside_every_bot_are_reported_separately(read_archive: ReadArchive, name: str) -> None:
    submissions = read_archive(lambda file: file.writestr(name, "evil"))
    assert [(bot.name, bot.faults[:1]) for bot in submissions] == [
        ("Honest Abe", ()),
        ("", (f'The archive would write "{name}" outside its folder. Create it again.',)),
    ]


def test_links_and_devices_are_not_unpacked(read_archive: ReadArchive) -> None:
    for file_type in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK):
        way_out, what = entry("abe/way-out", file_type), "a link" if file_type == stat.S_IFLNK else "not a file"
        (submission,) = read_archive(lambda file, way_out=way_out: file.writestr(way_out, "/etc/passwd"))
        assert submission.faults[0].startswith(f'"abe/way-out" is {what}.')
        assert not (submission.folder / "way-out").exists()
    (submission,) = read_archive(lambda file: file.writestr(entry("abe/start.sh", stat.S_IFREG, 0o755), "#!/bin/sh\n"))
    assert submission.faults == ()
    assert (submission.folder / "start.sh").stat().st_mode & 0o777 == 0o755
    assert (submission.folder / "bot.py").stat().st_mode & 0o111 == 0


def test_false_size_of_a_file_does_no_harm(tmp_path: Path) -> None:
    content = bytearray(zip_of({"Dockerfile": b"FROM x\n" + bytes(30 * MB)}))
    for header, size_offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        struct.pack_into("<I", content, content.index(header) + size_offset, 100)
    (tmp_path / "x.zip").write_bytes(content)
    faults = unpack(tmp_path / "x.zip", tmp_path / "into", UnpackBudget())
    assert sum(path.stat().st_size for path in (tmp_path / "into").rglob("*")) <= MAX_BOT_BYTES
    assert faults == {"": ['"Dockerfile" is damaged in the archive. Create the archive again.']}


def test_archive_bombs_are_refused(read_archive: ReadArchive) -> None:
    (submission,) = read_archive(lambda file: file.writestr("abe/bomb", bytes(300 * MB)))
    assert submission.faults[0].startswith("Unpacked, it has more than 10.0 MB; not all was unpacked.")
    assert submission.name == "Honest Abe", "small files must be unpacked even beside a bomb"
    assert not (submission.folder / "bomb").exists()
    (submission,) = read_archive(lambda file: [file.writestr(f"abe/{each}", "") for each in range(MAX_ENTRIES + 10)])
    assert TOO_MANY_FILES in submission.faults
    (submission,) = read_archive(lambda file: [file.writestr(f"abe/{number}", bytes(MB)) for number in range(12)])
    assert submission.faults[0].startswith("Unpacked, it has more than 10.0 MB")
    (submission,) = read_archive(lambda file: file.writestr("abe/weights/net.bin", bytes(257 * MB)))
    assert submission.faults[0].startswith("Unpacked, its weights have more than 256.0 MB")
    (submission,) = read_archive(lambda file: file.writestr("abe/Weights/net.bin", bytes(40 * MB)))
    assert (submission.faults, submission.weights_bytes) == ((), 40 * MB)
    assert submission.notes == ('"Weights" (40.0 MB) counts as the one folder of weights.',)


def test_archives_share_one_budget_for_unpacking(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.zip").write_bytes(zip_of({"Dockerfile": "FROM x\n", "zeros": bytes(4 * MB)}))
    budget = UnpackBudget(9 * MB)
    faults = [unpack(tmp_path / f"{number}.zip", tmp_path / f"into-{number}", budget) for number in range(3)]
    assert faults[:2] == [{}, {}]
    assert faults[2]


def test_encrypted_or_unusually_compressed_archive_is_refused(tmp_path: Path) -> None:
    encrypted = bytearray(zip_of({"Dockerfile": "FROM x\n"}))
    encrypted[encrypted.index(b"PK\1\2") + 8] |= 1  # the flag of an encrypted file
    compressed = zip_of({"bot.py": bytes(MB)}, zipfile.ZIP_LZMA)
    for name, archive, fault in (
        ("encrypted", bytes(encrypted), "It is protected by a password. Create the archive without one."),
        ("LZMA", compressed, "It is compressed in an unusual way. Create it with a common zip program."),
    ):
        (tmp_path / "x.zip").write_bytes(archive)
        assert unpack(tmp_path / "x.zip", tmp_path / name, UnpackBudget()) == {"": [fault]}


def test_archive_with_a_damaged_or_huge_directory_is_not_read(bot: Path, tmp_path: Path) -> None:
    intact_archive = zip_of({path.name: path.read_bytes() for path in bot.iterdir()})
    tails = [struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *sizes, 0, 0) for sizes in ((65535, 65535, 5 * MB), (1, 1, 50))]
    damaged_archives = [intact_archive[:cut] for cut in (0, 1, 30, 200, -10, -30)]
    huge_archives = [bytes(6 * MB) + tails[0], bytes(100) + b"PK\6\7" + bytes(16) + tails[1]]
    for number, content in enumerate([*damaged_archives, *huge_archives]):
        (tmp_path / "x.zip").write_bytes(content)
        reason = "far too many files" if content in huge_archives else "damaged, or not a zip archive at all"
        with pytest.raises(BadArchive, match=reason):
            unpack(tmp_path / "x.zip", tmp_path / f"into-{number}", UnpackBudget())


def test_corrupted_archive_is_refused_or_has_faults(bot: Path, tmp_path: Path) -> None:
    intact_archive, dice = zip_of({path.name: path.read_bytes() for path in bot.iterdir()}), random.Random(5)
    archive, directory = tmp_path / "x.zip", intact_archive.index(b"PK\1\2")
    for number in range(300):
        content = bytearray(intact_archive)
        for _ in range(dice.randint(1, 4)):
            content[dice.randrange(directory, len(content))] = dice.randrange(256)
        archive.write_bytes(content)
        with contextlib.suppress(BadArchive):
            faults = unpack(archive, tmp_path / f"into-{number}", UnpackBudget())
            assert all(fault.isprintable() and fault.encode() for sentences in faults.values() for fault in sentences)
    assert {path.name for path in tmp_path.iterdir()} <= {"abe", "x.zip", *(f"into-{number}" for number in range(300))}
