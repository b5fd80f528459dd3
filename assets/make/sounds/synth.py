"""Instruments and effects for sounds, as mono waves at 44.1 kHz. Noise is seeded, so every run makes the same waves."""

import math
import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assets.make.sounds.ogg import RATE

Wave = NDArray[np.float64]

TAU = 2 * math.pi
BELL_PARTIALS = (
    (0.5, 0.5, 1.6), (1, 0.8, 1.1), (1.19, 0.6, 0.8), (1.5, 0.35, 0.7), (2, 1, 0.6), (2.51, 0.4, 0.35),
    (3.01, 0.35, 0.3), (4.1, 0.25, 0.18), (5.4, 0.15, 0.1),
)  # fmt: skip
"""The partials of a bell, each as (frequency divided by the bell's frequency, strength, relative time of decay)."""


def seconds(length: float) -> Wave:
    """Returns the time of every sample, in seconds, in a wave of `length` seconds."""
    return np.arange(int(length * RATE)) / RATE


def pitch(name: str) -> float:
    """Returns the frequency of a note in Hz, such as 440.0 for "A4". Sharps and flats are written like "F#3" and
    "Bb2".
    """
    match = re.fullmatch(r"([A-G])([#b]?)(\d)", name)
    if not match:
        raise ValueError(f"no such note: {name}")
    step = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}[match[1]]
    step += {"#": 1, "b": -1, "": 0}[match[2]]
    return float(440 * 2 ** ((step + 12 * int(match[3]) - 57) / 12))


def mix(*parts: tuple[float, Wave], length: float = 0) -> Wave:
    """Returns the sum of several waves, each given with its start in seconds. If `length` is not 0, the sum is made
    `length` seconds long.
    """
    total = max(int(length * RATE), *(int(at * RATE) + len(wave) for at, wave in parts))
    out = np.zeros(total)
    for start_seconds, wave in parts:
        start = int(start_seconds * RATE)
        out[start : start + len(wave)] += wave
    return out[: int(length * RATE)] if length else out


def noise(length: float, seed: int) -> Wave:
    """White noise."""
    return np.random.default_rng(seed).uniform(-1, 1, int(length * RATE))


def band(wave: Wave, low: float, high: float) -> Wave:
    """Returns the part of `wave` between two frequencies in Hz, with soft edges of half an octave."""
    spectrum = np.fft.rfft(wave)
    octaves = np.log2(np.maximum(np.fft.rfftfreq(len(wave), 1 / RATE), 1))
    rise = np.clip((octaves - math.log2(low)) * 2 + 1, 0, 1)
    fall = np.clip((math.log2(high) - octaves) * 2 + 1, 0, 1)
    return np.asarray(np.fft.irfft(spectrum * rise * fall, len(wave)))


def swell(length: float, attack: float, release: float) -> Wave:
    """An envelope that rises in `attack` seconds, stays level, and falls in the last `release` seconds."""
    t = seconds(length)
    return np.clip(np.minimum(t / attack, (length - t) / release), 0, 1)


def decay(length: float, half: float) -> Wave:
    """An envelope that halves every `half` seconds."""
    return np.asarray(0.5 ** (seconds(length) / half))


def glide(length: float, *points: tuple[float, float]) -> Wave:
    """Returns a frequency curve through points, each given as (fraction of the length, Hz)."""
    shares, frequencies = zip(*points, strict=True)
    t = seconds(length) / length
    return np.asarray(np.exp(np.interp(t, shares, np.log(frequencies))))


def phase(frequency: Wave) -> Wave:
    """Returns the phase, in radians, of an oscillator that follows a frequency curve."""
    return np.cumsum(frequency) * TAU / RATE


def plucked(frequency: float, length: float, bright: float = 0.6, half: float = 0.5, seed: int = 1) -> Wave:
    """A plucked string (Karplus-Strong). `bright` is 0 to 1. The amplitude halves every `half` seconds.

    A banjo is bright (0.9) and fades fast. A guitar is duller (0.5) and fades slowly.
    """
    exact = RATE / frequency - 0.5
    period = int(exact)
    burst = np.random.default_rng(seed).uniform(-1, 1, period)
    keep = 1 - (1 - bright) * 0.9
    for _ in range(2):
        burst = keep * burst + (1 - keep) * np.roll(burst, 1)
    burst -= np.roll(burst, max(1, period // 7)) * 0.8
    loss = 0.5 ** (1 / (half * frequency))
    rounds = [burst - burst.mean()]
    for _ in range(int(length * frequency) + 2):
        last = rounds[-1]
        rounds.append(loss * (0.5 * last + 0.5 * np.roll(last, 1)))
    string = np.concatenate(rounds)
    positions = np.arange(int(length * RATE)) * (period + 0.5) / (exact + 0.5)
    return np.asarray(np.interp(positions, np.arange(len(string)), string)) * swell(length, 0.001, 0.03)


def piano(frequency: float, length: float = 0.6, seed: int = 2) -> Wave:
    """A saloon piano: three detuned strings, hard hammers."""
    t = seconds(length)
    out = np.zeros(len(t))
    for cents in (-9, 0, 11):
        for n in range(1, 11):
            partial = frequency * 2 ** (cents / 1200) * n * math.sqrt(1 + 0.0004 * n * n)
            if partial < 9000:
                out += np.sin(TAU * partial * t + n) * 0.5 ** (t * (1.6 + n * 0.9)) / n**0.9
    click = band(noise(length, seed), 900, 4000) * decay(length, 0.006)
    return (out / 3 + click * 0.5) * swell(length, 0.003, 0.08)


def reed(frequency: float, length: float, wobble: float = 0.35) -> Wave:
    """A mouth harp: two reeds, trembling breath, and a bend into the note."""
    t = seconds(length)
    bend = glide(length, (0, frequency * 0.96), (0.12, frequency), (1, frequency))
    out = np.zeros(len(t))
    for share, strength in ((1.0, 1.0), (1.004, 0.8)):
        angle = phase(bend * share)
        for n in range(1, 14):
            formant = math.exp(-(((n * frequency - 1400) / 1300) ** 2)) + 0.25
            out += strength * formant * np.sin(n * angle) / n**0.7
    tremble = 1 - wobble * (0.5 + 0.5 * np.sin(TAU * 5.6 * t))
    return out * tremble * swell(length, 0.04, 0.08) * 0.4


def whistle(curve: Wave, breath: float = 0.04, seed: int = 3) -> Wave:
    """A whistle along a frequency curve, with vibrato once the note is steady."""
    t = np.arange(len(curve)) / RATE
    sway = 1 + 0.012 * np.sin(TAU * 5.4 * t) * np.clip(t * 2.5, 0, 1)
    angle = phase(curve * sway)
    air = band(np.random.default_rng(seed).uniform(-1, 1, len(curve)), 1500, 7000)
    ends = np.clip(np.minimum(t / 0.03, (t[-1] - t) / 0.07), 0, 1)
    return np.asarray((np.sin(angle) + 0.06 * np.sin(2 * angle) + breath * air) * ends)


def trumpet(frequency: float, length: float, bright: float = 1) -> Wave:
    """A brass instrument. Its louder parts sound brighter."""
    t = seconds(length)
    shape = swell(length, 0.035, 0.06) * (0.75 + 0.25 * decay(length, 0.12))
    sway = 1 + 0.006 * np.sin(TAU * 5.8 * t) * np.clip((t - 0.15) * 4, 0, 1)
    angle = phase(frequency * sway)
    out = np.zeros(len(t))
    for n in range(1, 12):
        if n * frequency < 9000:
            out += (
                np.sin(n * angle)
                * shape ** (1 + n * 0.35 / bright)
                * (0.6 + 0.4 * math.exp(-(((n - 3) / 3) ** 2)))
                / n**0.6
            )
    return out * 0.35


def fiddle(frequency: float, length: float, vibrato: float = 0.008) -> Wave:
    """A bowed string."""
    t = seconds(length)
    angle = phase(frequency * (1 + vibrato * np.sin(TAU * 6 * t) * np.clip(t * 6, 0, 1)))
    out = np.zeros(len(t))
    for n in range(1, 22):
        if n * frequency < 10000:
            wood = 1.2 * math.exp(-(((n * frequency - 500) / 200) ** 2))
            bridge = math.exp(-(((n * frequency - 2600) / 700) ** 2))
            out += (1 + wood + bridge) * np.sin(n * angle + n * n) / n
    return out * swell(length, 0.03, 0.04) * 0.5


def bell(frequency: float, length: float, half: float = 0.5) -> Wave:
    """A cast bell, with the partials in `BELL_PARTIALS`."""
    t = seconds(length)
    out = np.zeros(len(t))
    for ratio, strength, life in BELL_PARTIALS:
        out += strength * np.sin(TAU * frequency * ratio * t) * 0.5 ** (t / (half * life))
    return out * swell(length, 0.002, 0.1)


def chink(frequency: float, length: float = 0.14, seed: int = 4) -> Wave:
    """Two clay chips meeting."""
    t = seconds(length)
    out = band(noise(length, seed), 3000, 9000) * decay(length, 0.004) * 0.6
    for ratio, strength, half in ((1, 1, 0.016), (1.47, 0.7, 0.011), (2.09, 0.5, 0.008), (2.56, 0.3, 0.005)):
        out += strength * np.sin(TAU * frequency * ratio * t + ratio) * 0.5 ** (t / half)
    return out * swell(length, 0.0008, 0.03)


def knock(frequency: float, length: float = 0.16, half: float = 0.018, seed: int = 5) -> Wave:
    """Wood on wood."""
    t = seconds(length)
    out = band(noise(length, seed), 300, 2500) * decay(length, half * 0.35) * 0.7
    for ratio, strength in ((1, 1.0), (1.58, 0.6), (2.24, 0.4), (3.1, 0.2)):
        out += strength * np.sin(TAU * frequency * ratio * t) * 0.5 ** (t / half * ratio)
    return out * swell(length, 0.001, 0.03)


def thump(frequency: float, length: float = 0.35, half: float = 0.07) -> Wave:
    """A drum whose pitch falls."""
    angle = phase(frequency * (1 + 1.4 * decay(length, 0.018)))
    skin = band(noise(length, 6), 100, 1200) * decay(length, 0.012) * 0.5
    return (np.sin(angle) * decay(length, half) + skin) * swell(length, 0.002, 0.05)


def swish(length: float, low: float, high: float, seed: int = 7, peak: float = 0.35) -> Wave:
    """Air or paper: noise that swells and fades. It is loudest at the fraction `peak` of its length."""
    t = seconds(length) / length
    shape = np.where(t < peak, (t / peak) ** 2, ((1 - t) / (1 - peak)) ** 2)
    return np.asarray(band(noise(length, seed), low, high) * shape)


def room(wave: Wave, length: float = 0.6, share: float = 0.2, seed: int = 8) -> Wave:
    """Returns the wave as it sounds in a wooden room. The echo makes the wave `length` seconds longer. A larger `share`
    makes the echo louder.
    """
    tail = band(noise(length, seed), 150, 4500) * decay(length, length / 6)
    tail *= share / math.sqrt(float((tail**2).sum()))
    size = len(wave) + len(tail)
    wet = np.fft.irfft(np.fft.rfft(wave, size) * np.fft.rfft(tail, size), size)
    wet[: len(wave)] += wave
    return np.asarray(wet)


def tune(play: Callable[[float, float], Wave], beat: float, notes: str, extra_ring_seconds: float = 0) -> Wave:
    """Plays notes such as "C4 E4+G4:2 -:0.5". A `+` joins the notes of a chord. A `-` is a rest. A colon is followed by
    the number of beats. A beat lasts `beat` seconds.

    Each note rings `extra_ring_seconds` longer than its beats.
    """
    parts: list[tuple[float, Wave]] = []
    start = 0.0
    for note in notes.split():
        names, _, beats = note.partition(":")
        length = float(beats or 1) * beat
        parts += [(start, play(pitch(name), length + extra_ring_seconds)) for name in names.split("+") if name != "-"]
        start += length
    return mix(*parts)


def driven(wave: Wave, amount: float) -> Wave:
    """Returns the wave with the soft distortion of a valve amplifier. A larger `amount` distorts more."""
    return np.asarray(np.tanh(at_peak(wave, amount)) / math.tanh(amount))


def at_peak(wave: Wave, level: float = 1) -> Wave:
    """Returns the wave, scaled so that its highest peak is `level`."""
    return wave * (level / float(np.abs(wave).max()))
