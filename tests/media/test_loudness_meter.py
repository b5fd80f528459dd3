"""Our loudness meter. The oracles: pyloudnorm and ffmpeg."""

import numpy as np
import pytest

from broadcast.media.loudness_meter import integrated_lufs, true_peak_db
from tests.media.stranger_files import Wave, tone


@pytest.mark.parametrize("rate", [44_100, 48_000])
@pytest.mark.parametrize("hertz", [40, 100, 1000, 9000])
def test_loudness_equals_pyloudnorms(rate: int, hertz: float) -> None:
    import pyloudnorm  # noqa: PLC0415 (brings SciPy, which takes a second)

    both = np.stack([tone(3, 0.3, hertz, rate), tone(3, 0.1, hertz, rate)], axis=1)
    theirs = pyloudnorm.Meter(rate, filter_class="DeMan").integrated_loudness(both)
    assert integrated_lufs(both, rate) == pytest.approx(theirs, abs=0.1)


def test_pauses_do_not_count() -> None:
    spoken: Wave = np.concatenate([tone(2), np.zeros(3 * 48_000), tone(2, 0.001)])[:, None]
    assert integrated_lufs(spoken, 44_100) == pytest.approx(integrated_lufs(tone(2)[:, None], 44_100), abs=0.6)


def test_full_scale_tone_is_3_lufs_under_full_scale() -> None:
    assert integrated_lufs(tone(2, 1.0, 997, 48_000)[:, None], 48_000) == pytest.approx(-3.01, abs=0.05)


def test_silence_has_no_loudness_and_no_peak() -> None:
    assert integrated_lufs(np.zeros((44_100, 2)), 44_100) == -np.inf
    assert true_peak_db(np.zeros((100, 1))) == -np.inf


def test_peak_between_two_samples_is_found() -> None:
    between = np.sin(np.pi / 2 * np.arange(4000) + np.pi / 4)[:, None] * np.hanning(4000)[:, None]
    assert 20 * np.log10(np.abs(between).max()) == pytest.approx(-3.01, abs=0.01)
    assert true_peak_db(between) == pytest.approx(0, abs=0.05)
