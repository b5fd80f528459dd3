"""Hostile archives are refused, because the result of a build comes from a stranger."""

import io
import os
import tarfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.unpack import ArchiveTooLarge, BadEntry, unpack
from server.bots.sandbox.runner import Limits

LIMITS = Limits(disk_bytes=100_000, disk_files=20)
FILE, FOLDER, LINK, HARD_LINK = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
Member = tuple[str, bytes, str | bytes]
"""An entry of a tar archive: its name, its type, and its link target or content."""


@pytest.mark.parametrize(
    ("members", "kept"),
    [
        ([], {}),
        ([("./a", FOLDER, b""), ("./a/b", FILE, b"x")], {"a": None, "a/b": b"x"}),
        ([("a", LINK, "/etc/passwd")], {"a": "/etc/passwd"}),
        ([("a", FILE, b"x"), ("b", HARD_LINK, "a")], {"a": b"x", "b": b"x"}),
        ([("a", tarfile.FIFOTYPE, b""), ("b", tarfile.CHRTYPE, b"")], {}),
        ([("n" * 200, FILE, b"x")], {"n" * 200: b"x"}),
    ],
)
def test_folders_files_and_links_are_unpacked(members: list[Member], kept: dict[str, object], tmp_path: Path) -> None:
    _unpack(_pack(members), tmp_path)
    found: dict[str, object] = {}
    for path in (tmp_path / "into").rglob("*"):
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[path.relative_to(tmp_path / "into").as_posix()] = content
    assert found == kept


@pytest.mark.parametrize(
    "members",
    [
        [("../outside", FILE, b"x")],
        [("/tmp/outside", FILE, b"x")],  # noqa: S108 (nothing is written there)
        [("a", LINK, ".."), ("a/outside", FILE, b"x")],
        [("a", LINK, "/etc"), ("b", HARD_LINK, "a/passwd")],
        [("b", HARD_LINK, "../../../../../../etc/passwd")],
        [("n" * 100_000, FILE, b"x")],
        [("/".join(["d" * 200] * 30), FILE, b"x")],
        [("a", FILE, b"x"), ("a", FILE, b"y")],
        [("a", FILE, b"x"), ("a/b", FILE, b"y")],
        [("a/b", FILE, b"x")],
        [("a", LINK, "")],
        [("a", LINK, "x" * 5000)],
        [("a", FOLDER, b""), ("b", HARD_LINK, "a")],
    ],
)
def test_archive_with_invalid_entries_or_entries_outside_is_refused(members: list[Member], tmp_path: Path) -> None:
    with pytest.raises(BadEntry):
        _unpack(_pack(members), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["into"]


@pytest.mark.parametrize("headers", [{"path": "a\0b"}, {"GNU.sparse.map": "0,x", "GNU.sparse.size": "-1"}])
def test_truncated_or_corrupt_archive_is_refused(headers: dict[str, str], tmp_path: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        entry = tarfile.TarInfo("a")
        entry.pax_headers, entry.size = headers, 1
        tar.addfile(entry, io.BytesIO(b"x"))
    with pytest.raises((BadEntry, tarfile.TarError)):
        _unpack(archive.getvalue(), tmp_path)
    for number, content in enumerate((_pack([("a", FILE, b"x" * 5000)])[:3000], b"howdy" * 200)):
        with pytest.raises(tarfile.TarError):
            _unpack(content, tmp_path / str(number))


def test_entry_of_negative_size_does_not_raise_the_limit(tmp_path: Path) -> None:
    folder = tarfile.TarInfo("a")
    folder.type, folder.size = FOLDER, -(10**9)
    with pytest.raises((BadEntry, tarfile.TarError)):
        _unpack(folder.tobuf(tarfile.GNU_FORMAT) + _pack([("b", FILE, b"x")]), tmp_path)
    assert not (tmp_path / "into" / "b").exists()


def test_unpacking_stops_at_the_limits_and_reads_no_further(tmp_path: Path) -> None:
    large = [("a", FILE, b"x" * 100_001)]
    several = [(name, FILE, b"x" * 60_000) for name in "ab"]
    many = [(str(number), FILE, b"") for number in range(30)]
    for number, content in enumerate((_pack(large), _pack(several), _pack(many), bytes(1_000_000))):
        with pytest.raises(ArchiveTooLarge):
            _unpack(content, tmp_path / str(number))


def _unpack(content: bytes, folder: Path) -> None:
    """Unpacks `content` from a pipe, as a runner does."""
    folder.mkdir(exist_ok=True)
    out, into = os.pipe()

    def write() -> None:
        with open(into, "wb", buffering=0) as pipe, suppress(BrokenPipeError):
            pipe.write(content)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        unpack(out, folder / "into", LIMITS)
    finally:
        writer.join()


def _pack(members: Iterable[Member]) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, kind, content in members:
            entry = tarfile.TarInfo(name)
            entry.type = kind
            if isinstance(content, str):
                entry.linkname = content
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return archive.getvalue()
