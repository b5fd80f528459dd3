"""Hostile folders are refused: with pipes, devices, links, unprintable names, or too many or too large files."""

import os
import socket
from pathlib import Path

import pytest

from server.submissions.folder_scan import MAX_ENTRIES
from tests.submissions.conftest import Read

MB = 1 << 20


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
    for name in ("bot_config.json", "Dockerfile", "mugshot.png"):
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
    (bot / "\x1b[2Jgone").write_text("")
    Path(os.fsdecode(bytes(bot) + b"/\xff\xfe")).write_text("")
    (bot / "line\nend").write_text("")
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


def test_folders_have_a_depth_limit(read: Read, bot: Path) -> None:
    deep = bot.joinpath(*["d" * 20] * 60)
    deep.mkdir(parents=True)
    (fault,) = read(bot)[0].faults
    assert "is more than 24 folders deep. Flatten the folders." in fault


def test_file_of_a_terabyte_is_not_read(read: Read, bot: Path) -> None:
    with (bot / "bot_config.json").open("ab") as file:
        file.truncate(1 << 40)
    faults = read(bot)[0].faults
    assert faults[0].startswith("It has 1048576.0 MB")
    assert faults[1] == "bot_config.json can't be read: it is larger than 64 KiB; submit a file of a few lines."


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
