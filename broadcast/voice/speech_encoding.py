"""Prepares a spoken sentence for air: trims silence at both ends, sets the loudness, and encodes the sound as Ogg
Vorbis. The loudness is -16 LUFS for captions and -19 LUFS for bots' thoughts.
"""

import math
from io import BytesIO

import numpy as np
import soundfile

from broadcast.media.loudness_meter import Samples, gain_factor, integrated_lufs, true_peak_db
from broadcast.voice.speaker import NoSpeech

TARGET_LUFS = -16.0
THOUGHT_LUFS = -19.0
"""The loudness of bots' thoughts, which are quieter than captions."""
PEAK_DB = -1.5
MAX_SECONDS = 20
_SILENCE_LEVEL = gain_factor(-50)
_EDGE_SECONDS = 0.02


def trim_silence(wav: bytes) -> tuple[Samples, int]:
    """Returns the first 20 s of a WAV, and the sample rate. The sound has one channel, and no silence at its ends.

    Raises NoSpeech.
    """
    try:
        with soundfile.SoundFile(BytesIO(wav)) as file:
            rate = int(file.samplerate)
            samples = np.nan_to_num(np.clip(file.read(MAX_SECONDS * rate, dtype="float64", always_2d=True), -1, 1))
    except soundfile.LibsndfileError:
        raise NoSpeech("its output is not a WAV") from None
    if not 8_000 <= rate <= 48_000:
        raise NoSpeech(f"its WAV has {rate} samples a second; 8000 to 48000 are accepted")
    loud = np.flatnonzero(np.abs(samples).max(axis=1, initial=0.0) > _SILENCE_LEVEL)
    if not loud.size:
        raise NoSpeech("it says nothing")
    edge = round(_EDGE_SECONDS * rate)
    spoken = samples[max(0, loud[0] - edge) : loud[-1] + edge]
    return spoken.mean(axis=1, keepdims=True), rate


def encode_vorbis(samples: Samples, rate: int, lufs: float = TARGET_LUFS) -> bytes:
    """Encodes mono samples as a stereo sound with the loudness `lufs`, and peaks limited to -1.5 dB. Raises
    NoSpeech.
    """
    loudness = integrated_lufs(samples * math.sqrt(2), rate)  # two equal channels have twice the energy of one
    if loudness == -math.inf:
        raise NoSpeech("it says nothing")
    levelled = _limit_peaks(samples * gain_factor(lufs - loudness))
    file = BytesIO()
    soundfile.write(file, np.repeat(levelled, 2, axis=1), rate, format="OGG", subtype="VORBIS", compression_level=0.8)
    return file.getvalue()


def _limit_peaks(samples: Samples) -> Samples:
    """Lowers peaks along a curve. Samples below half of full scale stay unchanged."""
    most, straight = gain_factor(PEAK_DB - 0.5), 0.5
    levels = np.abs(samples)
    if levels.max() <= gain_factor(PEAK_DB) and true_peak_db(samples) <= PEAK_DB:  # the cheap check comes first
        return samples
    excess = np.maximum(levels - straight, 0.0)
    curved = straight + (most - straight) * np.tanh(excess / (most - straight))
    return np.where(excess > 0, np.sign(samples) * curved, samples)
