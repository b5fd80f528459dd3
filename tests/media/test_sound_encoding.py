"""A contestant's sound is encoded as intended, and the project's own pictures and sounds are up to date."""

import re
import shutil
import struct
import subprocess
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import soundfile

from assets.make.__main__ import make
from assets.make.sounds.ticks import SOUNDS
from broadcast.media.loudness_meter import integrated_lufs, true_peak_db
from broadcast.media.sound_encoding import BadSound, make_win_sound, sound_findings
from tests.media.stranger_files import Samples, sound, tone

needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="FFmpeg is not installed: apt-get install ffmpeg")


def encode_and_read(file: bytes) -> tuple[Samples, int]:
    """Encodes a contestant's file. Returns the samples that are played, and their rate."""
    ogg = make_win_sound(file)
    assert ogg[:4] == b"OggS"
    return soundfile.read(BytesIO(ogg), always_2d=True)  # type: ignore[no-any-return]


def seconds_played(file: bytes) -> float:
    samples, rate = encode_and_read(file)
    return len(samples) / rate


def measure(file: bytes, folder: Path) -> tuple[float, float]:
    """Encodes a contestant's file. Returns the loudness in LUFS and the true peak in dB that ffmpeg measures."""
    path = folder / "encoded.ogg"
    path.write_bytes(make_win_sound(file))
    command = ["ffmpeg", "-hide_banner", "-nostats", "-i", str(path), "-af", "ebur128=peak=true", "-f", "null", "-"]
    summary = subprocess.run(command, capture_output=True, text=True, check=True).stderr.rpartition("Summary:")[2]
    loudness, peak = (re.findall(rf"{name}: +(\S+) ", summary)[0] for name in ("I", "Peak"))
    return float(loudness), float(peak)


@needs_ffmpeg
@pytest.mark.parametrize(
    ("samples", "rate"),
    [
        (tone(2, 0.01), 44_100),
        (tone(2, 0.9, 1000, 48_000), 48_000),
        (np.stack([tone(1, 0.5), tone(1, 0.02, 700)], axis=1), 44_100),
        (tone(2, 0.3, 300, 8_000), 8_000),
        (tone(2, 0.3, 300, 96_000), 96_000),
        (np.clip(tone(2, 9.0, 200), -1, 1), 44_100),
        (tone(2, 3.0, 200), 44_100),
    ],
    ids=["faint", "loud", "one side", "8 kHz", "96 kHz", "square", "beyond full scale"],
)
def test_all_sounds_come_out_about_equally_loud(samples: Samples, rate: int, tmp_path: Path) -> None:
    for kind in ("WAV", "MP3") if rate == 8_000 or samples.ndim == 2 else ("WAV",):
        loudness, peak = measure(sound(samples, kind, rate), tmp_path)
        assert loudness == pytest.approx(-16, abs=0.7), kind
        assert peak <= -1.5, kind
        assert encode_and_read(sound(samples, kind, rate))[1] in (44_100, 48_000)


@needs_ffmpeg
def test_sound_with_high_peaks_stays_quieter(tmp_path: Path) -> None:
    clicks = np.zeros(44_100)
    clicks[::8820], clicks[1::8820] = 1.0, -1.0
    loudness, peak = measure(sound(clicks), tmp_path)
    assert loudness < -17
    assert peak <= -1.5


@pytest.mark.parametrize("length", [0.02, 0.1, 0.3])
def test_very_short_sound_is_levelled_too(length: float) -> None:
    samples, rate = encode_and_read(sound(tone(length, 0.02)))
    assert len(samples) == pytest.approx(length * rate, abs=0.002 * rate)
    assert -24 < integrated_lufs(samples, rate) < -15 or true_peak_db(samples) > -2.5
    assert true_peak_db(samples) <= -1.5


@pytest.mark.parametrize(("kind", "rate"), [("WAV", 44_100), ("MP3", 44_100), ("MP3", 16_000), ("MP3", 8_000)])
def test_sound_of_five_seconds_is_accepted_and_not_shortened(kind: str, rate: int) -> None:
    samples, played_rate = encode_and_read(sound(tone(5.0, rate=rate), kind, rate))
    assert len(samples) == pytest.approx(5 * played_rate, abs=2)


@pytest.mark.parametrize(("kind", "length"), [("WAV", 5.001), ("WAV", 5.05), ("MP3", 5.1), ("WAV", 30), ("MP3", 30)])
def test_sound_longer_than_five_seconds_is_refused(kind: str, length: float) -> None:
    with pytest.raises(BadSound, match="longer than 5 seconds"):
        make_win_sound(sound(tone(length), kind))


def test_only_a_click_under_a_millisecond_is_too_short() -> None:
    for samples in (44, 90):
        assert 0 < seconds_played(sound(np.full(samples, 0.5))) < 0.01
    for samples in (1, 10):
        with pytest.raises(BadSound, match="it is silent"):
            make_win_sound(sound(np.full(samples, 0.5)))


def test_sound_fades_in_and_out() -> None:
    samples, rate = encode_and_read(sound(tone(1, 0.5, 1000)))
    first, middle, last = (np.abs(part).max() for part in (samples[:220], samples[rate // 2 :][:220], samples[-220:]))
    assert max(first, last) < 0.2 * middle


def with_frame_count(mp3: bytes, frames: int) -> bytes:
    """Returns an MP3 whose header claims that the file has `frames` frames."""
    start = next(index for mark in (b"Xing", b"Info") if (index := mp3.find(mark)) >= 0) + 8
    return mp3[:start] + struct.pack(">I", frames) + mp3[start + 4 :]


def test_header_with_a_false_length_does_not_hide_a_long_sound() -> None:
    wav = sound(tone(20))
    start = wav.index(b"data") + 4
    short, endless = (wav[:start] + struct.pack("<I", size) + wav[start + 4 :] for size in (4 * 44_100, 0xFFFFFFFF))
    assert len(encode_and_read(short)[0]) == 44_100, "only one second may be played, as the header says"
    for file in (endless, with_frame_count(sound(tone(20), "MP3"), 100)):
        with pytest.raises(BadSound, match="longer than 5 seconds"):
            make_win_sound(file)
    sound_that_claims_2_6_seconds = with_frame_count(sound(tone(4), "MP3"), 100)
    assert seconds_played(sound_that_claims_2_6_seconds) == pytest.approx(4, abs=0.08)


def test_joined_or_truncated_files_are_played_as_far_as_they_go() -> None:
    assert seconds_played(sound(tone(2.4), "MP3") * 2) == pytest.approx(4.8, abs=0.16)
    with pytest.raises(BadSound, match="longer than 5 seconds"):
        make_win_sound(sound(tone(4.99), "MP3") * 2)
    for whole_file in (sound(tone(4)), sound(tone(4), "MP3")):
        assert 1.8 < seconds_played(whole_file[: len(whole_file) // 2]) < 2.2
    mp3 = sound(tone(1), "MP3")
    tagged_mp3 = b"ID3\x04\0\0\0\0\x02\0" + b"\xff\xfb" * 128 + mp3 + b"TAG" + bytes(125) + b"\xff\xe0" * 700 + mp3
    assert seconds_played(tagged_mp3) == pytest.approx(2, abs=0.16)
    id3_tag = b"ID3\x03\0\0\0\0\0\x1fTIT2\0\0\0\x15\0\0\0SECRET title of it.."
    assert b"SECRET" not in make_win_sound(id3_tag + mp3)
    mixed_mp3s = mp3 + sound(tone(1.0, rate=22_050), "MP3", 22_050)
    findings = sound_findings(mixed_mp3s, make_win_sound(mixed_mp3s))
    assert findings.note == "it joins MP3s of two kinds; only 1.0 seconds are played"
    assert findings.seconds == pytest.approx(1.0, abs=0.06)


def test_samples_that_are_not_numbers_become_silence() -> None:
    samples = tone(1)
    samples[1000:1100], samples[2000], samples[3000] = np.nan, np.inf, -1e30
    assert np.isfinite(encode_and_read(sound(samples))[0]).all()


@pytest.mark.parametrize("rate", [44_100, 48_000])
@pytest.mark.parametrize("hertz", [40, 100, 1000, 9000])
def test_loudness_is_what_pyloudnorm_measures(rate: int, hertz: float) -> None:
    import pyloudnorm  # noqa: PLC0415 (pyloudnorm imports SciPy, which takes a second)

    stereo = np.stack([tone(3, 0.3, hertz, rate), tone(3, 0.1, hertz, rate)], axis=1)
    expected = pyloudnorm.Meter(rate, filter_class="DeMan").integrated_loudness(stereo)
    assert integrated_lufs(stereo, rate) == pytest.approx(expected, abs=0.1)


def test_pauses_do_not_count_for_loudness_and_silence_has_no_loudness() -> None:
    with_pause: Samples = np.concatenate([tone(2), np.zeros(3 * 48_000), tone(2, 0.001)])[:, None]
    assert integrated_lufs(with_pause, 44_100) == pytest.approx(integrated_lufs(tone(2)[:, None], 44_100), abs=0.6)
    assert integrated_lufs(np.zeros((44_100, 2)), 44_100) == -np.inf
    assert true_peak_db(np.zeros((100, 1))) == -np.inf


def test_peak_between_two_samples_is_found() -> None:
    samples = np.sin(np.pi / 2 * np.arange(4000) + np.pi / 4)[:, None] * np.hanning(4000)[:, None]
    assert 20 * np.log10(np.abs(samples).max()) == pytest.approx(-3.01, abs=0.01)
    assert true_peak_db(samples) == pytest.approx(0, abs=0.05)


ASSETS = Path(__file__).parents[2] / "assets"
WINS = [ASSETS / "sounds" / "win.ogg", *sorted((ASSETS / "house").glob("*/sound.ogg"))]  # These play when a bot wins.
LOUDNESS = {ASSETS / "sounds" / f"{name}.ogg": level[1] for name, level in SOUNDS.items()} | dict.fromkeys(WINS, -16)
"""The loudness that each sound is meant to have, in LUFS."""


def test_pictures_and_sounds_are_what_their_scripts_make(tmp_path: Path) -> None:
    make(tmp_path)
    new_files = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    assets = (path for kind in ("webp", "ogg", "ico") for path in ASSETS.rglob(f"*.{kind}"))
    assert set(new_files) >= {path.relative_to(ASSETS) for path in assets if path.parent.name != "pictures"}
    stale_files = [str(path) for path, content in new_files.items() if (ASSETS / path).read_bytes() != content]
    assert not stale_files, "run: .venv/bin/python -m assets.make"
    assert sum(len(content) for path, content in new_files.items() if path.parent.name == "sounds") < 400_000


@pytest.mark.parametrize("path", LOUDNESS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sounds_have_their_intended_loudness_and_wins_are_short(path: Path) -> None:
    import pyloudnorm  # noqa: PLC0415 (pyloudnorm imports SciPy, which takes a second)

    samples, rate = soundfile.read(path, always_2d=True)
    # Adds silence, because pyloudnorm measures no sound shorter than 0.4 s.
    padded = np.pad(samples, ((0, max(0, round(0.4 * rate) - len(samples))), (0, 0)))
    lufs = pyloudnorm.Meter(rate, filter_class="DeMan").integrated_loudness(padded)
    assert lufs == pytest.approx(LOUDNESS[path], abs=0.5 if path in WINS else 1)
    assert true_peak_db(samples) <= -1.5
    assert path not in WINS or len(samples) / rate <= 4
