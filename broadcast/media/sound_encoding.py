"""Makes strangers' sounds safe: decodes them, refuses those longer than 5 s, fades both ends, sets the loudness and
re-encodes. Runs in the process `broadcast.media.worker`, which has limited memory and time.
"""

import math
import re
import warnings
from io import BytesIO

import numpy as np
import soundfile
from msgspec import Struct

from broadcast.media import sound_extraction
from broadcast.media.file_kinds import SoundFindings, true_kind
from broadcast.media.loudness_meter import Samples, gain_factor, integrated_lufs, true_peak_db

with warnings.catch_warnings():  # Python warns of string escapes in pydub, and of a module that pydub imports
    warnings.simplefilter("ignore")
    from pydub import AudioSegment

MAX_SECONDS = 5.0
MP3_PADDING_SAMPLES = 2 * 1152
"""An MP3 may exceed the maximum length by this many samples, because encoders add padding: 52 ms at 44.1 kHz."""
DECODED_SECONDS = 5.3
"""How many seconds of a file are decoded: enough to notice that a sound is too long."""
MAX_BYTES_BEFORE_WAV = 4096
"""At most this many bytes before a WAV are skipped. Careless programs put other data before a WAV."""
_WAV_HEADER = re.compile(rb"(RIFF|RF64|BW64)....WAVE", re.DOTALL)
MAX_SAMPLE_BYTES = 192_000 * 8 * 2 * 6
"""At most this many bytes of samples are read from a WAV: more than 5.3 s at the highest accepted quality."""
MIN_SAMPLES = 4 * 1152
"""A file that looks like another kind of file, such as a picture, counts as an MP3 only if at least this many MP3
samples are found in it. Some pictures contain a few such samples by chance.
"""
FADE_MS = 50
TARGET_LUFS = -16.0
PEAK_DB = -1.5
OUTPUT_RATES = (44_100, 48_000)
HEADROOM = 4.0
"""Until the loudness is set, samples may be at most this many times as large as full scale."""
WAVE_PEAKS = 160
FORMATS = {"WAV": "WAV", "WAVEX": "WAV", "MP3": "MP3"}


class BadSound(ValueError):
    """A sound cannot be played. The message tells its author why, such as "it is silent"."""


class _Decoded(Struct, frozen=True):
    """The first 5.3 s of a file. `max_samples` is the most samples that a sound may have. `note` says which part of the
    file was left out.
    """

    kind: str
    samples: Samples
    rate: int
    max_samples: float
    note: str = ""


def make_win_sound(content: bytes) -> bytes:
    """Converts a file to stereo Ogg Vorbis: at most 5 s, faded, at about -16 LUFS, with peaks below -1.5 dB.

    Raises BadSound.
    """
    decoded = _decode(content)
    if len(decoded.samples) > decoded.max_samples:
        raise BadSound(f"it is longer than {MAX_SECONDS:g} seconds")
    samples, rate = _trim_and_fade(decoded.samples, decoded.rate)
    loudness = integrated_lufs(samples, rate)
    if loudness == -math.inf:
        raise BadSound("it is too quiet or too short to be heard" if samples.any() else "it is silent")
    gain_db = min(TARGET_LUFS - loudness, PEAK_DB - true_peak_db(samples))
    return _encode_vorbis(samples, rate, gain_db)


def sound_findings(content: bytes, played: bytes) -> SoundFindings:
    """Returns the findings about a sound, and about `played`, which `make_win_sound` has made from it. Raises
    BadSound.
    """
    played_samples, played_rate = soundfile.read(BytesIO(played), dtype="float64", always_2d=True)
    decoded = _decode(content)
    samples, rate, channels = decoded.samples, decoded.rate, decoded.samples.shape[1]
    # Browsers play a mono sound on both sides, so its loudness is measured on both sides.
    original = np.repeat(samples, 2, axis=1) if channels == 1 else samples
    parts = np.array_split(np.abs(samples).max(axis=1), min(WAVE_PEAKS, len(samples)))
    return SoundFindings(
        decoded.kind,
        len(samples) / rate,
        rate,
        channels,
        integrated_lufs(original, rate),
        true_peak_db(original),
        integrated_lufs(played_samples, played_rate),
        true_peak_db(played_samples),
        tuple(min(100, round(100 * float(part.max()))) for part in parts),
        decoded.note,
    )


def _decode(content: bytes) -> _Decoded:
    """Finds the sound in a file and decodes it: a WAV, or otherwise the frames of an MP3. Raises BadSound."""
    if start := _WAV_HEADER.search(content[: MAX_BYTES_BEFORE_WAV + 12]):
        return _decode_wav(content[start.start() :])
    stream = sound_extraction.extract_mp3(content, DECODED_SECONDS)
    kind = true_kind(content)
    if not stream or (kind and stream.samples < MIN_SAMPLES):
        looks_like_mp3 = content[:3] == b"ID3" or (content[:1] == b"\xff" and content[1:2] >= b"\xe0")
        unknown = "there is no sound in it" if looks_like_mp3 else "it is not a WAV or MP3 file"
        raise BadSound(f"it is {kind}, not a WAV or MP3 file" if kind else unknown)
    return _decode_mp3(stream)


def _decode_wav(content: bytes) -> _Decoded:
    wave = sound_extraction.extract_wav(content, MAX_SAMPLE_BYTES)
    if wave.codec == sound_extraction.MP3_CODEC and (
        stream := sound_extraction.extract_mp3(wave.samples, DECODED_SECONDS)
    ):
        return _decode_mp3(stream)
    if wave.codec >= 0 and wave.codec not in sound_extraction.CODECS:
        raise BadSound(f"it is a WAV with a codec that few programs know (number {wave.codec}); save it as PCM")
    if wave.codec >= 0 and not wave.samples:
        raise BadSound("there is no sound in it")
    samples, rate = _read_samples(wave.content, "WAV")
    return _Decoded("WAV", samples, rate, MAX_SECONDS * rate)


def _decode_mp3(stream: sound_extraction.Mp3) -> _Decoded:
    samples, rate = _read_samples(stream.content, "MP3")
    note = f"it joins MP3s of two kinds; only {stream.samples / rate:.1f} seconds are played"
    return _Decoded(
        "MP3",
        samples[: stream.samples],
        rate,
        MAX_SECONDS * rate + MP3_PADDING_SAMPLES,
        note if stream.other_frames else "",
    )


def _read_samples(content: bytes, kind: str) -> tuple[Samples, int]:
    try:
        with soundfile.SoundFile(BytesIO(content)) as file:
            if FORMATS.get(file.format) != kind:
                raise BadSound(f"it starts like a {kind} file but is not one")
            if file.channels > 2:
                raise BadSound(f"it has {file.channels} channels; one or two are accepted")
            if not 8_000 <= file.samplerate <= 192_000:
                raise BadSound(f"it has {file.samplerate} samples a second; 8000 to 192000 are accepted")
            samples = file.read(int(DECODED_SECONDS * file.samplerate), dtype="float64", always_2d=True)
            rate = int(file.samplerate)
    except soundfile.LibsndfileError:
        raise BadSound(f"it is damaged, or not a {kind} file at all") from None
    if not len(samples):
        raise BadSound("there is no sound in it")
    return np.nan_to_num(np.clip(samples, -HEADROOM, HEADROOM)), rate


def _trim_and_fade(samples: Samples, rate: int) -> tuple[Samples, int]:
    """Cuts to 5 s, fades both ends, and converts to two channels at 44.1 or 48 kHz. Returns samples and rate."""
    whole = np.asarray(samples / HEADROOM * (2**31 - 1), "<i4")
    clip = AudioSegment(whole.tobytes(), sample_width=4, frame_rate=rate, channels=samples.shape[1])
    if rate not in OUTPUT_RATES:
        clip = clip.set_frame_rate(OUTPUT_RATES[0] if OUTPUT_RATES[0] % rate == 0 else OUTPUT_RATES[1])
    clip = clip.set_channels(2)[: int(MAX_SECONDS * 1000)]
    fade_ms = min(FADE_MS, len(clip) // 2)
    if fade_ms:  # pydub treats a fade of 0 ms as endless
        clip = clip.fade_in(fade_ms).fade_out(fade_ms)
    cut = np.frombuffer(clip.raw_data, "<i4").reshape(-1, 2)
    return cut.astype(np.float64) * (HEADROOM / (2**31 - 1)), clip.frame_rate


def _encode_vorbis(samples: Samples, rate: int, gain_db: float) -> bytes:
    """Encodes the samples. Encoding can raise peaks, so this measures the result and makes it quieter if necessary."""
    for _ in range(4):
        file = BytesIO()
        louder = samples * gain_factor(gain_db)
        soundfile.write(file, louder, rate, format="OGG", subtype="VORBIS", compression_level=0.5)
        file.seek(0)
        encoded, _ = soundfile.read(file, dtype="float64", always_2d=True)
        excess_db = true_peak_db(encoded) - PEAK_DB
        if excess_db <= 0:
            break
        gain_db -= excess_db + 0.05
    return file.getvalue()
