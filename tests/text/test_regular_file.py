"""A stranger's file is read only up to a limit, and only if it is a regular file. A refusal says why."""

import os
import socket
import threading
from pathlib import Path

import pytest

from server.text.regular_file import open_regular, read_at_most, read_regular, regular_files


@pytest.mark.parametrize(("limit", "size"), [(1 << 20, "1 MiB"), (10**7, "10 MB"), (65_536, "64 KiB"), (7, "7 bytes")])
def test_file_up_to_the_limit_is_read_and_a_larger_file_refused(tmp_path: Path, limit: int, size: str) -> None:
    (tmp_path / "file").write_bytes(bytes(limit))
    assert read_at_most(tmp_path / "file", limit) == bytes(limit)
    (tmp_path / "file").write_bytes(bytes(limit + 1))
    with pytest.raises(OSError, match="larger") as refused:
        read_at_most(tmp_path / "file", limit)
    assert refused.value.strerror == f"it is larger than {size}"


def make_strange_files(folder: Path) -> list[Path]:
    """Makes files that are not regular, and links to such files or to nothing. Returns the paths of all."""
    os.mkfifo(folder / "pipe.x")
    (folder / "folder.x").mkdir()
    (folder / "dangling.x").symlink_to("nothing")
    (folder / "loop.x").symlink_to("loop.x")
    (folder / "zero.x").symlink_to("/dev/zero")
    (folder / "null.x").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "socket.x"))
    return sorted(folder.iterdir())


def test_file_that_is_not_regular_is_refused_at_once(tmp_path: Path) -> None:
    for path in [*make_strange_files(tmp_path), tmp_path / "nothing"]:
        with pytest.raises(FileNotFoundError) as refused:
            read_at_most(path, 10)
        assert refused.value.strerror == "there is no such file"
        with pytest.raises(OSError, match=r"."):
            open_regular(path)


def test_folder_shows_only_regular_files_and_links_that_stay_in_it(tmp_path: Path) -> None:
    make_strange_files(tmp_path)
    (tmp_path / "below").mkdir()
    for name in ("a.x", "b.y", "below/c.x"):
        (tmp_path / name).touch()
    (tmp_path / "in.x").symlink_to("below/c.x")
    (tmp_path / "out.x").symlink_to(__file__)
    (tmp_path / "elsewhere").symlink_to(Path(__file__).parent)
    assert sorted(path.name for path in regular_files(tmp_path, ".x")) == ["a.x", "in.x"]
    assert [path.name for path in regular_files(tmp_path / "below", ".x", inside=tmp_path)] == ["c.x"]
    assert not list(regular_files(tmp_path / "elsewhere", ".py", inside=tmp_path))
    assert not list(regular_files(tmp_path / "nowhere", ".x"))


def test_reading_a_growing_file_ends(tmp_path: Path) -> None:
    path, stop = tmp_path / "file", threading.Event()
    path.write_bytes(bytes(1000))

    def grow() -> None:
        with path.open("ab") as file:
            while not stop.is_set():
                file.write(bytes(1 << 16))

    growing = threading.Thread(target=grow)
    growing.start()
    try:
        sizes = [path.stat().st_size, len(read_regular(path)), path.stat().st_size]
    finally:
        stop.set()
        growing.join()
    assert sizes == sorted(sizes)
