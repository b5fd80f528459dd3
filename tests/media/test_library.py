"""The media library never refuses a bot. It uses all usable files of the bot, and says why other files are unusable."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import soundfile

from broadcast.media.library import ENVIRONMENT, MAX_BYTES, MediaLibrary, PreparedMedia
from broadcast.media.worker import REFUSED_STATUS
from tests.media.stranger_files import picture, pictures, sound, stripes, tone
from tests.support.programs.disks import DISK_BYTES, small_disk
from tests.support.source_files import ROOT

__all__ = ["small_disk"]
Prepare = Callable[..., PreparedMedia]


@pytest.fixture
def library(tmp_path: Path) -> MediaLibrary:
    return MediaLibrary(tmp_path / "media")


@pytest.fixture
def prepare(library: MediaLibrary, tmp_path: Path) -> Prepare:
    """Returns a function: `prepare(avatar=content)` writes a file and returns the media made from it."""

    def write_and_prepare(**contents: bytes) -> PreparedMedia:
        files = {kind: tmp_path / f"original.{kind}" for kind in contents}
        for kind, path in files.items():
            path.write_bytes(contents[kind])
        return library.prepare(**files)

    return write_and_prepare


def test_media_have_names_and_missing_media_get_defaults(library: MediaLibrary, prepare: Prepare) -> None:
    prepared = prepare(avatar=picture(stripes(90, 60)), particle=picture(stripes(9, 9)), sound=sound(tone(1)))
    assert prepared.faults == ()
    assert set(os.listdir(library.folder)) == {prepared.avatar, prepared.particle, prepared.sound}
    for name, suffix in ((prepared.avatar, "webp"), (prepared.particle, "webp"), (prepared.sound, "ogg")):
        assert re.fullmatch(rf"[0-9a-f]{{16}}\.{suffix}", name)
    decoded, rate = soundfile.read(library.folder / prepared.sound)
    assert library.sound_ms(prepared.sound) == pytest.approx(1000 * len(decoded) / rate, abs=1)
    assert library.prepare() == PreparedMedia("", "", "", ())  # no avatar, particle, sound or fault
    assert library.sound_ms("") == 0


def test_bad_file_does_not_affect_the_others(library: MediaLibrary, prepare: Prepare) -> None:
    prepared = prepare(avatar=picture(stripes(90, 60)), particle=b"GIF89a", sound=b"#!/bin/sh\n")
    assert prepared.avatar
    assert (prepared.particle, prepared.sound) == ("", "")
    gif_fault, sound_fault = prepared.faults
    assert gif_fault == "particle: it is a GIF picture, but damaged from the start"
    assert sound_fault == "sound: it is not a WAV or MP3 file"
    assert os.listdir(library.folder) == [prepared.avatar]


def test_equal_files_are_prepared_once_unless_damaged(library: MediaLibrary, prepare: Prepare) -> None:
    originals = {"avatar": picture(stripes(90, 60)), "sound": sound(tone(0.3))}
    media = prepare(**originals)
    files, sound_ms = {path: path.read_bytes() for path in library.folder.iterdir()}, library.sound_ms(media.sound)
    inodes, sizes = [path.stat().st_ino for path in files], {path: len(content) for path, content in files.items()}
    assert prepare(**originals) == media
    assert [path.stat().st_ino for path in files] == inodes
    for damage in range(3):
        for path, content in files.items():
            path.write_bytes((b"", content[:-9], bytes(len(content)))[damage])
        assert prepare(**originals) == media
        assert {path: len(path.read_bytes()) for path in library.folder.iterdir()} == sizes
        assert library.sound_ms(media.sound) == sound_ms


def test_bundled_files_are_stored_unchanged_and_stored_again_when_damaged(library: MediaLibrary) -> None:
    star = ROOT / "assets" / "particles" / "default.webp"
    name = library.add_own_file(star)  # `star` is one of the program's own files.
    assert name.endswith(".webp")
    for damage in (None, b""):
        if damage is not None:
            (library.folder / name).write_bytes(damage)
        assert library.add_own_file(star) == name
        assert (library.folder / name).read_bytes() == star.read_bytes()


def test_file_that_is_missing_too_large_or_irregular_is_reported(library: MediaLibrary, tmp_path: Path) -> None:
    (tmp_path / "huge.png").write_bytes(bytes(MAX_BYTES + 1))
    os.mkfifo(tmp_path / "pipe.mp3")
    assert library.prepare(tmp_path / "huge.png", tmp_path / "nothing.png", tmp_path / "pipe.mp3").faults == (
        "avatar: the file can't be read: it is larger than 10 MB",
        "particle: the file can't be read: there is no such file",
        "sound: the file can't be read: there is no such file",
    )


def test_large_files_stay_within_the_decoders_limits(prepare: Prepare) -> None:
    names = ("JPEG of 48 megapixels", "progressive JPEG of 24 megapixels", "PNG with a text that unpacks to 200 MB")
    assert [prepare(avatar=pictures()[name][0]).faults for name in names] == [()] * 3


def test_slow_decoding_is_stopped(tmp_path: Path) -> None:
    library = MediaLibrary(tmp_path / "media", seconds=0.01)
    (tmp_path / "mugshot.png").write_bytes(picture(stripes(9, 9)))
    assert library.prepare(tmp_path / "mugshot.png").faults == ("avatar: it takes more than 0.01 seconds to read",)


@pytest.mark.parametrize(
    ("attack", "status", "fault"),
    [
        ("bytearray(2 << 30)", REFUSED_STATUS, "it takes too much memory to read"),
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, ""),
        ("ctypes.string_at(0)", -signal.SIGSEGV, ""),
        ("os.write(os.open('stolen', os.O_CREAT | os.O_WRONLY), b'x')", 1, "File too large"),
        ("[0 for _ in iter(int, 1)]", -signal.SIGKILL, ""),
    ],
    ids=["memory", "killed", "broken", "writes a file", "for ever"],
)
def test_decoder_that_is_hijacked_or_crashes_does_no_harm(attack: str, status: int, fault: str, tmp_path: Path) -> None:
    program = (
        "import ctypes, os, signal, sys; from broadcast.media import worker; worker.CPU_SECONDS = 1; "
        f"sys.exit(worker.main('avatar', convert=lambda content: (os.write(2, b'attacks'), {attack})))"
    )
    command, env = [sys.executable, "-B", "-c", program], {**ENVIRONMENT, "PYTHONPATH": str(ROOT)}
    child = subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False, cwd=tmp_path, env=env)
    assert (child.returncode, child.stdout, child.stderr[:7]) == (status, b"", b"attacks")
    assert fault in child.stderr.decode()


def test_killed_decoder_is_reported(prepare: Prepare, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_python = tmp_path / "python"
    fake_python.write_text("#!/bin/sh\nkill -9 $$\n")
    fake_python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(fake_python))
    fault = "avatar: it takes too much memory or time to read, or crashes the decoder"
    assert prepare(avatar=picture(stripes(9, 9))) == PreparedMedia(faults=(fault,))


def test_server_loads_no_decoder() -> None:
    program = "import sys, broadcast.media.library; print({'PIL', 'pydub', 'numpy', 'soundfile'} & set(sys.modules))"
    server = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert server.stdout.strip() == "set()"


def test_full_disk_leaves_no_half_written_file(small_disk: Path, tmp_path: Path) -> None:
    (tmp_path / "large.webp").write_bytes(bytes(2 * DISK_BYTES))
    library = MediaLibrary(small_disk / "media")
    with pytest.raises(OSError, match="No space left"):
        library.add_own_file(tmp_path / "large.webp")
    assert not list(library.folder.iterdir())


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_examined_picture_is_stored_like_a_prepared_one(library: MediaLibrary, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "original"
    path.write_bytes(picture(stripes(1200, 300), kind))
    media, findings, _ = library.examine(avatar=path, particle=path)
    assert findings
    assert (findings.width, findings.height, findings.format) == (1200, 300, kind)
    assert (findings.picture[:4], findings.picture[8:12]) == (b"RIFF", b"WEBP")
    assert len(findings.picture) < 50_000
    files = {file: file.read_bytes() for file in library.folder.iterdir()}
    for file in files:
        file.unlink()
    assert library.prepare(avatar=path, particle=path) == media
    assert files == {file: file.read_bytes() for file in library.folder.iterdir()}


def test_findings_of_a_sound_have_its_loudness_as_sent_and_as_played(library: MediaLibrary, tmp_path: Path) -> None:
    (tmp_path / "original").write_bytes(sound(tone(2.0, 0.01)))
    _, _, findings = library.examine(sound=tmp_path / "original")
    assert findings
    assert (findings.format, findings.rate, findings.channels) == ("WAV", 44_100, 1)
    assert findings.seconds == pytest.approx(2.0)
    assert findings.came_lufs < -35  # `came_lufs`: the loudness before levelling
    assert findings.played_lufs == pytest.approx(-16, abs=0.7)
    assert findings.came_peak_db == pytest.approx(-40, abs=0.2)
    assert findings.played_peak_db <= -1.5
    assert findings.wave == (1,) * 160  # `wave` has the peaks over time, from 0 to 100.
