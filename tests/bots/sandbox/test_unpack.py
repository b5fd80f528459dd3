"""The result of a build comes from a stranger: a hostile archive is refused."""

import io
import os
import tarfile
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.unpack import Strange, TooMuch, unpack
from server.bots.sandbox.runner import Limits

LIMITS = Limits(disk_bytes=100_000, disk_files=20)
Member = tuple[str, bytes, str | bytes]
"""A name, a type of tar entry, and its link target or content."""


@pytest.mark.parametrize(
    ("members", "left"),
    [
        ([], {}),
        ([("./a", tarfile.DIRTYPE, b""), ("./a/b", tarfile.REGTYPE, b"x")], {"a": None, "a/b": b"x"}),
        ([("a", tarfile.SYMTYPE, "/etc/passwd")], {"a": "/etc/passwd"}),
        ([("a", tarfile.REGTYPE, b"x"), ("b", tarfile.LNKTYPE, "a")], {"a": b"x", "b": b"x"}),
        ([("a", tarfile.FIFOTYPE, b""), ("b", tarfile.CHRTYPE, b"")], {}),
        ([("n" * 200, tarfile.REGTYPE, b"x")], {"n" * 200: b"x"}),
    ],
)
def test_folders_files_and_links_are_unpacked(
    members: list[Member], left: dict[str, str | bytes | None], tmp_path: Path
) -> None:
    _unpack(_packed(members), tmp_path)
    there = {str(path.relative_to(tmp_path / "into")): path for path in (tmp_path / "into").rglob("*")}
    assert {name: _content(path) for name, path in there.items()} == left


@pytest.mark.parametrize(
    "members",
    [
        [("../outside", tarfile.REGTYPE, b"x")],
        [("a/../../outside", tarfile.REGTYPE, b"x")],
        [("/tmp/outside", tarfile.REGTYPE, b"x")],  # noqa: S108 (nothing is written there)
        [("a", tarfile.SYMTYPE, ".."), ("a/outside", tarfile.REGTYPE, b"x")],
        [("a", tarfile.SYMTYPE, ".."), ("a/outside", tarfile.DIRTYPE, b"")],
        [("a", tarfile.SYMTYPE, "/etc"), ("b", tarfile.LNKTYPE, "a/passwd")],
        [("b", tarfile.LNKTYPE, "../../../../../../etc/passwd")],
        [("n" * 100_000, tarfile.REGTYPE, b"x")],
        [("n" * 300, tarfile.REGTYPE, b"x")],
        [("/".join(["d" * 200] * 30), tarfile.REGTYPE, b"x")],
        [("a", tarfile.REGTYPE, b"x"), ("a", tarfile.REGTYPE, b"y")],
        [("a", tarfile.REGTYPE, b"x"), ("a/b", tarfile.REGTYPE, b"y")],
        [("a/b", tarfile.REGTYPE, b"x")],
        [(".", tarfile.REGTYPE, b"x")],
        [("a", tarfile.SYMTYPE, "")],
        [("a", tarfile.SYMTYPE, "x" * 5000)],
        [("a", tarfile.SYMTYPE, "a"), ("a/b", tarfile.REGTYPE, b"x")],
        [("a", tarfile.DIRTYPE, b""), ("b", tarfile.LNKTYPE, "a")],
        [("b", tarfile.LNKTYPE, "a")],
    ],
)
def test_entries_outside_the_folder_and_impossible_ones_are_refused(members: list[Member], tmp_path: Path) -> None:
    with pytest.raises(Strange):
        _unpack(_packed(members), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["into"]


@pytest.mark.parametrize(
    "headers",
    [{"path": "a\0b"}, {"GNU.sparse.map": "0,x", "GNU.sparse.size": "-1"}],
)
def test_meaningless_headers_are_refused(headers: dict[str, str], tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        entry = tarfile.TarInfo("a")
        entry.pax_headers, entry.size = headers, 1
        tar.addfile(entry, io.BytesIO(b"x"))
    with pytest.raises((Strange, tarfile.TarError)):
        _unpack(packed.getvalue(), tmp_path)


def test_negative_size_does_not_raise_the_limit(tmp_path: Path) -> None:
    folder = tarfile.TarInfo("a")
    folder.type, folder.size = tarfile.DIRTYPE, -(10**9)
    with pytest.raises((Strange, tarfile.TarError)):
        _unpack(folder.tobuf(tarfile.GNU_FORMAT) + _packed([("b", tarfile.REGTYPE, b"x")]), tmp_path)
    assert not (tmp_path / "into" / "b").exists()


@pytest.mark.parametrize(
    "members",
    [
        [("a", tarfile.REGTYPE, b"x" * 100_001)],
        [("a", tarfile.REGTYPE, b"x" * 60_000), ("b", tarfile.REGTYPE, b"x" * 60_000)],
        [(str(number), tarfile.REGTYPE, b"") for number in range(30)],
    ],
)
def test_no_more_is_unpacked_than_the_limits_allow(members: list[Member], tmp_path: Path) -> None:
    with pytest.raises(TooMuch):
        _unpack(_packed(members), tmp_path)


def test_endless_stream_is_not_read_forever(tmp_path: Path) -> None:
    with pytest.raises(TooMuch):
        _unpack(bytes(1_000_000), tmp_path)


def test_truncated_or_meaningless_stream_is_refused(tmp_path: Path) -> None:
    whole = _packed([("a", tarfile.REGTYPE, b"x" * 5000)])
    for number, content in enumerate((whole[:3000], b"howdy" * 200)):
        with pytest.raises(tarfile.TarError):
            _unpack(content, tmp_path / str(number))


def _unpack(content: bytes, folder: Path) -> None:
    """As from a box, through a pipe."""
    folder.mkdir(exist_ok=True)
    out, into = os.pipe()
    writer = threading.Thread(target=_write, args=(into, content))
    writer.start()
    try:
        unpack(out, folder / "into", LIMITS)
    finally:
        writer.join()


def _write(into: int, content: bytes) -> None:
    with open(into, "wb", buffering=0) as pipe:
        try:
            pipe.write(content)
        except BrokenPipeError:
            return


def _packed(members: Iterable[Member]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, kind, content in members:
            entry = tarfile.TarInfo(name)
            entry.type = kind
            if isinstance(content, str):
                entry.linkname = content
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _content(path: Path) -> str | bytes | None:
    if path.is_symlink():
        return os.readlink(path)
    return path.read_bytes() if path.is_file() else None
