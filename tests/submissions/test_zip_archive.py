"""No file of a hostile archive is written outside its folder or fills the disk, and good bots are still read."""

import contextlib
import random
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from server.submissions.folder_scan import BOT_BYTES, MAX_ENTRIES
from server.submissions.submission import Submission
from server.submissions.zip_archive import BadArchive, UnpackBudget, unpack
from tests.submissions.conftest import Read

MB = 1 << 20

Add = Callable[[zipfile.ZipFile], object]
Sent = Callable[..., list[Submission]]


@pytest.fixture
def sent(read: Read, bot: Path, tmp_path: Path) -> Sent:
    """`sent(add)` reads an archive with the bot in a folder "abe", to which `add` may add files."""

    def found(add: Add) -> list[Submission]:
        archive = tmp_path / "alice.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            add(file)
            for path in bot.iterdir():
                file.write(path, f"abe/{path.name}")
        before = {path for path in tmp_path.rglob("*") if "work" not in path.parts}
        submissions = read(archive)
        assert {path for path in tmp_path.rglob("*") if "work" not in path.parts} == before
        return submissions

    return found


def entry(name: str, kind: int = 0, mode: int = 0o644) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = (kind | mode) << 16
    return made


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("abe/../../../evil", 'The archive would write "abe/../../../evil" outside its folder. Create it again.'),
        ("abe/a\x1b]0;x\x07", 'The name "abe/a?]0;x?" is too long, too deep or can\'t be shown. Rename it.'),
        ("abe/" + "x" * 300, "is too long, too deep or can't be shown. Rename it."),
        ("abe/BOT.py", '"abe/BOT.py" and "abe/bot.py" are the same file on some computers. Rename one.'),
        ("abe/bot.py", '"abe/bot.py" is in the archive twice. Create the archive again.'),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_hostile_file_name_is_a_fault_of_its_bot(sent: Sent, name: str, fault: str) -> None:
    (found,) = sent(lambda file: file.writestr(name, "evil, and longer than nothing"))
    assert found.name == "Honest Abe"
    assert len(found.faults) == 1
    assert fault in found.faults[0].replace('"abe/bot.py" and "abe/BOT.py"', '"abe/BOT.py" and "abe/bot.py"')


@pytest.mark.parametrize("name", ["/etc/evil", "..\\evil", "C:/evil", "//host/evil"])
def test_unsafe_files_outside_every_bot_are_reported_separately(sent: Sent, name: str) -> None:
    found = sent(lambda file: file.writestr(name, "evil"))
    assert [(bot.name, bot.faults[:1]) for bot in found] == [
        ("Honest Abe", ()),
        ("", (f'The archive would write "{name}" outside its folder. Create it again.',)),
    ]


def test_links_and_devices_are_not_unpacked_and_executable_files_stay_executable(sent: Sent) -> None:
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK):
        (found,) = sent(lambda file, kind=kind: file.writestr(entry("abe/way-out", kind), "/etc/passwd"))
        assert found.faults[0].startswith(f'"abe/way-out" is {"a link" if kind == stat.S_IFLNK else "not a file"}.')
        assert not (found.folder / "way-out").exists()
    (found,) = sent(lambda file: file.writestr(entry("abe/start.sh", stat.S_IFREG, 0o755), "#!/bin/sh\n"))
    assert found.faults == ()
    assert (found.folder / "start.sh").stat().st_mode & 0o777 == 0o755
    assert (found.folder / "bot.py").stat().st_mode & 0o111 == 0


def test_false_size_of_a_file_does_no_harm(bot: Path, tmp_path: Path) -> None:
    archive = tmp_path / "lies.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Dockerfile", b"FROM x\n" + bytes(30 * MB))
    raw = bytearray(archive.read_bytes())
    for mark, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        where = raw.index(mark) + at
        raw[where : where + 4] = struct.pack("<I", 100)
    archive.write_bytes(raw)
    faults = unpack(archive, tmp_path / "into", UnpackBudget())
    assert sum(path.stat().st_size for path in (tmp_path / "into").rglob("*")) <= BOT_BYTES
    assert faults == {"": ['"Dockerfile" is damaged in the archive. Create the archive again.']}


def test_bombs_and_too_many_or_large_files_are_refused(sent: Sent) -> None:
    (found,) = sent(lambda file: file.writestr("abe/bomb", bytes(300 * MB)))
    assert found.faults[0].startswith("Unpacked, it has more than 10.0 MB; not all was unpacked.")
    assert found.name == "Honest Abe", "small files must be unpacked all the same"
    assert not (found.folder / "bomb").exists()
    (found,) = sent(lambda file: [file.writestr(f"abe/{number}", "") for number in range(MAX_ENTRIES + 10)])
    assert f"It holds more than {MAX_ENTRIES} files and folders. Remove what the bot does not need." in found.faults
    (found,) = sent(lambda file: [file.writestr(f"abe/{number}", bytes(MB)) for number in range(12)])
    assert found.faults[0].startswith("Unpacked, it has more than 10.0 MB")
    (found,) = sent(lambda file: file.writestr("abe/weights/net.bin", bytes(257 * MB)))
    assert found.faults[0].startswith("Unpacked, its weights have more than 256.0 MB")
    (found,) = sent(lambda file: file.writestr("abe/Weights/net.bin", bytes(40 * MB)))
    assert (found.faults, found.weights_bytes) == ((), 40 * MB)
    assert found.notes == ('"Weights" (40.0 MB) counts as the one folder of weights.',)


def test_archives_share_one_budget(tmp_path: Path) -> None:
    for number in range(3):
        with zipfile.ZipFile(tmp_path / f"{number}.zip", "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("Dockerfile", "FROM x\n")
            file.writestr("zeros", bytes(4 * MB))
    budget = UnpackBudget(9 * MB)
    faults = [unpack(tmp_path / f"{number}.zip", tmp_path / f"into-{number}", budget) for number in range(3)]
    assert faults[:2] == [{}, {}]
    assert faults[2]


def test_one_bad_bot_does_not_affect_the_others(read: Read, bot: Path, tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for player in ("alice", "bob"):
            for path in bot.iterdir():
                text = path.read_bytes().replace(b"Honest Abe", player.encode())
                file.writestr(f"{player}/abe/{path.name}", text)
        file.writestr("bob/abe/big", bytes(11 * MB))
    alice, bob = read(archive)
    assert (alice.name, alice.faults) == ("alice", ())
    assert bob.name == "bob"
    assert len(bob.faults) == 1


def test_encrypted_archive_is_refused(sent: Sent, read: Read, tmp_path: Path) -> None:
    sent(lambda file: None)
    archive = tmp_path / "alice.zip"
    parts = archive.read_bytes().split(b"PK\1\2")
    flagged = [part[:4] + bytes([part[4] | 1]) + part[5:] for part in parts[1:]]
    archive.write_bytes(b"PK\1\2".join([parts[0], *flagged]))
    faults = {fault for bot in read(archive) for fault in bot.faults}
    assert "It is protected by a password. Create the archive without one." in faults


def test_unusual_compression_is_refused(bot: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_LZMA) as file:
        file.writestr("bot.py", bytes(MB))
    faults = unpack(tmp_path / "x.zip", tmp_path / "into", UnpackBudget())
    assert faults == {"": ["It is compressed in an unusual way. Create it with a common zip program."]}


def test_damaged_archives_and_archives_with_a_huge_directory_are_not_read(sent: Sent, tmp_path: Path) -> None:
    sent(lambda file: None)
    whole = (tmp_path / "alice.zip").read_bytes()
    tails = [struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *sizes, 0, 0) for sizes in ((65535, 65535, 5 * MB), (1, 1, 50))]
    damaged = [whole[:cut] for cut in (0, 1, 30, 200, -10, -30)]
    huge = [bytes(6 * MB) + tails[0], bytes(100) + b"PK\6\7" + bytes(16) + tails[1]]
    for number, raw in enumerate([*damaged, *huge]):
        (tmp_path / "x.zip").write_bytes(raw)
        why = "far too many files" if raw in huge else "damaged, or not a zip archive at all"
        with pytest.raises(BadArchive, match=why):
            unpack(tmp_path / "x.zip", tmp_path / f"into-{number}", UnpackBudget())


def test_corrupted_archive_is_refused_or_has_faults(bot: Path, tmp_path: Path) -> None:
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in bot.iterdir():
            file.write(path, path.name)
    whole, dice = archive.read_bytes(), random.Random(5)
    table = whole.index(b"PK\1\2")
    for number in range(300):
        raw = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            raw[dice.randrange(table, len(raw))] = dice.randrange(256)
        archive.write_bytes(raw)
        with contextlib.suppress(BadArchive):
            faults = unpack(archive, tmp_path / f"into-{number}", UnpackBudget())
            assert all(fault.isprintable() and fault.encode() for sentences in faults.values() for fault in sentences)
    assert {path.name for path in tmp_path.iterdir()} <= {"abe", "x.zip", *(f"into-{number}" for number in range(300))}
