"""Measures ITU-R BS.1770 loudness and true peak, using only NumPy. Arrays have the shape (samples, channels)."""

import math

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

BLOCK_SECONDS = 0.4
SILENCE_LUFS = -70.0
RELATIVE_GATE_LU = -10.0


def integrated_lufs(samples: Samples, rate: int) -> float:
    """Returns the gated loudness in LUFS, or -inf for silence. `rate` is in samples per second. A sound shorter than
    one block is padded with silence.
    """
    energies = _block_energies(samples, rate)
    audible = energies[energies > _energy(SILENCE_LUFS)]
    if not audible.size:
        return -math.inf
    gate = _energy(_lufs(float(audible.mean())) + RELATIVE_GATE_LU)
    return _lufs(float(audible[audible > gate].mean()))


def true_peak_db(samples: Samples) -> float:
    """Returns the peak after fourfold oversampling, in dB relative to full scale, or -inf for silence."""
    length = _fft_length(len(samples) + 64)
    spectrum = np.fft.rfft(samples, length, axis=0)
    oversampled = 4 * np.fft.irfft(spectrum, 4 * length, axis=0)
    peak = float(np.abs(oversampled).max(initial=0.0))
    return 20 * math.log10(peak) if peak else -math.inf


def gain_factor(gain_db: float) -> float:
    """Returns the factor by which samples must be multiplied for a gain of `gain_db` decibels."""
    return float(10 ** (gain_db / 20))


def _block_energies(samples: Samples, rate: int) -> NDArray[np.float64]:
    size = round(BLOCK_SECONDS * rate)
    step = size // 4
    weighted = _k_weighted(np.pad(samples, ((0, max(0, size - len(samples))), (0, 0))), rate)
    sums = np.concatenate(([0.0], np.cumsum((weighted**2).sum(axis=1))))
    starts = np.arange(0, len(weighted) - size + 1, step)
    energies: NDArray[np.float64] = (sums[starts + size] - sums[starts]) / size
    return energies


def _k_weighted(samples: Samples, rate: int) -> Samples:
    """Applies both filters of BS.1770's K-weighting in the frequency domain, at any sample rate."""
    length = _fft_length(len(samples) + rate)
    spectrum = np.fft.rfft(samples, length, axis=0)
    z = np.exp(-1j * np.linspace(0, math.pi, length // 2 + 1))
    response = _response(_shelf(rate), z) * _response(_high_pass(rate), z)
    weighted: Samples = np.fft.irfft(spectrum * response[:, None], length, axis=0)[: len(samples)]
    return weighted


def _fft_length(length: int) -> int:
    """Rounds `length` up to a multiple of 4096. The Fourier transform is fast for multiples of a high power of two."""
    return -(-length // 4096) * 4096


Biquad = tuple[tuple[float, float, float], tuple[float, float, float]]


def _response(biquad: Biquad, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
    (b0, b1, b2), (a0, a1, a2) = biquad
    response: NDArray[np.complex128] = (b0 + b1 * z + b2 * z**2) / (a0 + a1 * z + a2 * z**2)
    return response


def _shelf(rate: int) -> Biquad:
    k = math.tan(math.pi * 1681.974450955533 / rate)
    slope = k / 0.7071752369554196
    high = 10 ** (3.999843853973347 / 20)
    band = high**0.4996667741545416
    b = (high + band * slope + k * k, 2 * (k * k - high), high - band * slope + k * k)
    return b, (1 + slope + k * k, 2 * (k * k - 1), 1 - slope + k * k)


def _high_pass(rate: int) -> Biquad:
    k = math.tan(math.pi * 38.13547087602444 / rate)
    slope = k / 0.5003270373238773
    norm = 1 + slope + k * k
    return (norm, -2 * norm, norm), (norm, 2 * (k * k - 1), 1 - slope + k * k)


def _energy(lufs: float) -> float:
    return float(10 ** ((lufs + 0.691) / 10))


def _lufs(energy: float) -> float:
    return -0.691 + 10 * math.log10(energy)
