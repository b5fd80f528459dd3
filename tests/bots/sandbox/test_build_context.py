"""Only regular files of a bot's folder go into the bot's build, within limits, and no files from elsewhere."""

import os
import socket
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from server.bots.sandbox.docker import build_context as context
from server.bots.sandbox.docker.build_context import archives_among, build_context, kept_paths
from server.bots.sandbox.runner import CannotRun


def _pack(folder: Path) -> None:
    with build_context(folder, kept_paths(folder), "FROM scratch\n"):
        pass


def _make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


@pytest.mark.parametrize("make", [os.mkfifo, _make_socket, lambda path: os.mknod(path, 0o60600, os.makedev(7, 200))])
def test_folder_with_anything_but_files_folders_and_links_is_refused(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    try:
        make(tmp_path / "odd")
    except PermissionError:
        pytest.skip("only root can make devices")
    with pytest.raises(CannotRun, match="'odd' in its folder is neither a file nor a folder nor a link"):
        _pack(tmp_path)


def test_folder_with_too_many_bytes_or_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "weights").open("wb") as file:
        file.truncate(5 << 30)
    with pytest.raises(CannotRun, match="more than 2048 MB"):
        _pack(tmp_path)
    monkeypatch.setattr(context, "MAX_FILES", 20)
    for number in range(20):
        (tmp_path / str(number)).touch()
    with pytest.raises(CannotRun, match="more than 20 files"):
        kept_paths(tmp_path)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_dockerignore_that_is_not_a_regular_file_is_not_read(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / ".dockerignore")
    assert kept_paths(tmp_path) == [".dockerignore"]


def test_archives_that_add_would_unpack_are_recognised_by_their_content(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "plain.bin", "w") as tar:
        tar.addfile(tarfile.TarInfo("x"))
    (tmp_path / "in").mkdir()
    with tarfile.open(tmp_path / "in" / "small.dat", "w:xz") as tar:
        tar.addfile(tarfile.TarInfo("x"))
    (tmp_path / "bot.py").write_text("print()")
    found = [
        archives_among(tmp_path, [source])
        for source in ("./plain.bin", "*.bin", "in/*", "/in/small.dat", "bot.py", ".")
    ]
    assert found == [True, True, True, True, False, False]
