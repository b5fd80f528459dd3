"""No more of a stranger's file is read than is wanted, and why it cannot be read is said in words."""

import os
from pathlib import Path

import pytest

from server.text.small_file import read_at_most


def test_a_file_of_just_so_many_bytes_is_read(tmp_path: Path) -> None:
    (tmp_path / "it").write_bytes(b"x" * 1024)
    assert read_at_most(tmp_path / "it", 1024) == b"x" * 1024


@pytest.mark.parametrize(
    ("most", "size"), [(1 << 20, "1 MiB"), (10_000_000, "10 MB"), (65_536, "64 KiB"), (7, "7 bytes")]
)
def test_a_file_of_one_byte_more_is_refused(tmp_path: Path, most: int, size: str) -> None:
    (tmp_path / "it").write_bytes(bytes(most + 1))
    with pytest.raises(OSError, match="larger") as refused:
        read_at_most(tmp_path / "it", most)
    assert refused.value.strerror == f"it is larger than {size}"


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "nothing"):
        with pytest.raises(FileNotFoundError) as refused:
            read_at_most(path, 10)
        assert refused.value.strerror == "there is no such file"
