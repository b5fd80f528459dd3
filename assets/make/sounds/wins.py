"""The win sounds of the house bots, at most 4 seconds each, as mono waves. All melodies were written for this
program.
"""

from collections.abc import Callable

import numpy as np

from assets.make.sounds.ogg import RATE
from assets.make.sounds.synth import (
    Wave,
    at_peak,
    band,
    bell,
    chink,
    decay,
    driven,
    fiddle,
    glide,
    knock,
    mix,
    noise,
    phase,
    piano,
    pitch,
    plucked,
    reed,
    room,
    seconds,
    swell,
    swish,
    thump,
    trumpet,
    tune,
    whistle,
)


def fanfare() -> Wave:
    """Two trumpets and a bell, the default for bots without a sound."""
    lead = tune(trumpet, 0.14, "G4 C5 E5 G5:2 E5 G5:5")
    under = tune(trumpet, 0.14, "E4 G4 C5 E5:2 C5 E5:5")
    return room(mix((0, lead), (0, under * 0.7), (0.84, bell(pitch("C6"), 1.4, 0.3) * 0.35)))


def billy() -> Wave:
    """A whistle over a banjo."""
    curve = np.concatenate(
        [
            glide(0.16, (0, pitch("E5")), (0.3, pitch("G5")), (1, pitch("G5"))),
            glide(0.16, (0, pitch("A5")), (1, pitch("A5"))),
            glide(0.30, (0, pitch("A5")), (0.3, pitch("C6")), (1, pitch("C6"))),
            glide(0.16, (0, pitch("A5")), (1, pitch("A5"))),
            glide(0.16, (0, pitch("G5")), (1, pitch("G5"))),
            glide(0.62, (0, pitch("G5")), (0.15, pitch("E6")), (0.6, pitch("E6")), (1, pitch("C6"))),
        ]
    )
    strum = tune(_banjo, 0.16, "C4+E4+G4 - C4+E4+G4 C5 F4+A4 C4+E4+G4 G4+B4 C4+E4+G4+C5:3", 0.25)
    return room(mix((0, whistle(curve) * 0.3), (0, driven(strum, 2) * 0.8)))


def doc() -> Wave:
    """A honky-tonk piano lick that ends in computer beeps."""
    lick = tune(_saloon, 0.13, "D#5+F#5 E5+G5 C5 A4 G4+E5 C5 E5+G5:2 C6+E6:2", 0.25)
    notes = ("C5", "G5", "E5", "C6", "G5", "E6", "C6", "G6", "C7")
    beeps = mix(*((1.5 + i * 0.075, _square(pitch(note), 0.07)) for i, note in enumerate(notes)))
    return room(mix((0, lick), (0, beeps * 0.16)), 0.4, 0.15)


def calamity() -> Wave:
    """A burning fuse, an explosion, and a fiddle."""
    fuse = band(noise(0.75, 11), 3500, 12000) * (0.4 + 0.6 * np.abs(band(noise(0.75, 12), 20, 90)) * 6)
    fuse *= swell(0.75, 0.1, 0.02)
    boom = mix((0, thump(52, 1.1, 0.2) * 1.4), (0, band(noise(1.2, 13), 60, 1600) * decay(1.2, 0.16)))
    jig = tune(fiddle, 0.115, "A4 C#5 E5 A5+E5 G5 E5 F#5 G5 A5+C#5:3", 0.02)
    return room(mix((0, fuse * 0.22), (0.72, at_peak(boom, 0.85)), (1.25, jig * 0.32)))


def bandit() -> Wave:
    """Quiet steps, the crack of a whip, a laugh."""
    steps = tune(_gut, 0.24, "E3 G3 A#3 A3 - E3:0.5 D#3:0.5 E3", 0.2)
    curve = glide(0.34, (0, 300), (0.75, 1400), (1, 3200))
    air = (
        swish(0.42, 700, 5000, 14, 0.86)
        + 0.25 * np.pad(np.sin(phase(curve)) * swell(0.34, 0.25, 0.01), (0, int(0.08 * RATE)))[: int(0.42 * RATE)]
    )
    crack = band(noise(0.25, 15), 1200, 14000) * decay(0.25, 0.014)
    laugh = mix(*((i * 0.15, _jaw_harp(pitch("E2"), 0.2, 1 + i % 2)) for i in range(4)))
    return room(mix((0, steps * 0.8), (1.65, air * 0.3), (2.04, crack * 1.1), (2.3, laugh * 0.45)), 0.5, 0.3)


def senor() -> Wave:
    """Two trumpets in thirds and a guitar."""
    high = tune(trumpet, 0.15, "D5 F#5 A5 D6:2 C#6 B5 A5:2 F#5 A5:4")
    low = tune(trumpet, 0.15, "A4 D5 F#5 A5:2 A5 G5 F#5:2 D5 F#5:4")
    strum = tune(_guitar, 0.15, "D3+A3+D4 -:2 D3+A3+F#4 - G3+B3+D4 - D3+A3+F#4 - A3 D3+A3+D4+F#4:4", 0.3)
    return room(mix((0, high * 0.7), (0, low * 0.6), (0, strum * 0.7)))


def tess() -> Wave:
    """A can-can on an upright piano."""
    right = tune(_saloon, 0.115, "G5 A5 B5 D6:2 B5 D6 E6 D6 B5 G5 A5 B5 A5 G5+B5:2 G5+D6+G6:3", 0.2)
    left = tune(_saloon, 0.115, "G2 B3+D4 D3 B3+D4 G2 B3+D4 D3 B3+D4 C3 C4+E4 D3 C4+F#4 G2+G3:2 G2+G3+B3+D4:3", 0.15)
    return room(mix((0, right), (0, left * 0.8)), 0.4, 0.15)


def river() -> Wave:
    """A mouth harp, and drops of water."""
    blues = tune(reed, 0.21, "E4+G4 G4+B4 A4+D5:2.5 G4 E4+G4:1.5 E4+B4:4")
    drops = mix(
        *((at, _drop(hz)) for at, hz in ((0.3, 520), (0.75, 680), (0.9, 450), (1.6, 760), (2.1, 560), (2.25, 840)))
    )
    stream = band(noise(2.8, 16), 400, 2200) * swell(2.8, 0.5, 1.2)
    return room(mix((0, blues * 0.8), (0, drops * 0.35), (0, stream * 0.05)))


def quinn() -> Wave:
    """Galloping hooves and a fast banjo."""
    roll = tune(_banjo, 0.085, "G3 B3 D4 G4 B4 G4 D4 G4 C4 E4 G4 C5 E5 C5 D5 F#5 G5+B4+D4:4", 0.22)
    hooves = mix(
        *(
            (bar * 0.34 + at, knock(hz, 0.12, 0.012, 20 + bar) * strength)
            for bar in range(6)
            for at, hz, strength in ((0, 420, 0.6), (0.085, 520, 0.5), (0.17, 360, 1))
        )
    )
    return driven(room(mix((0, roll * 0.8), (0, hooves * 0.42)), 0.4, 0.15), 1.3)


def annie() -> Wave:
    """Three shots, three bells, and a ricochet."""
    shots = [(i * 0.3, driven(_shot(30 + i), 3) * 0.6) for i in range(3)]
    pings = [(i * 0.3 + 0.07, bell(pitch(n), 1.2, 0.22) * 0.32) for i, n in enumerate(("E6", "G6", "B6"))]
    angle = phase(glide(1.1, (0, 3400), (0.12, 2600), (1, 700)) * (1 + 0.02 * np.sin(60 * seconds(1.1))))
    whine = (np.sin(angle) + 0.4 * np.sin(2.01 * angle)) * decay(1.1, 0.28) * swell(1.1, 0.01, 0.2)
    chord = tune(_twang, 0.8, "E3+B3+E4+G#4", 1.0)
    return driven(room(mix(*shots, *pings, (0.68, whine * 0.3), (0.95, chord * 0.8)), 0.6, 0.35), 1.2)


def burp() -> Wave:
    """A tuba, and a belch."""
    tuba = tune(_tuba, 0.2, "F2 -:0.5 C2 -:0.5 F2 -:0.5 A2:0.5 C3:1.5", 0)
    pah = tune(trumpet, 0.1, "-:1 A4+C5:0.8 -:2.1 A4+C5:0.8 -:2.2 A4+C5:0.8")
    return room(mix((0, tuba), (0.1, pah * 0.22), (1.45, at_peak(_belch(), 1.0)), (2.5, chink(2100) * 0.3)), 0.3, 0.12)


def sid() -> Wave:
    """A guitar with a strong tremolo."""
    riff = tune(_twang, 0.17, "A2:2 A2 C3 D3:2 E3:2 G3 E3 D3 A2+E3+A3+C#4:4", 0.3)
    t = seconds(len(riff) / RATE + 1)[: len(riff)]
    high = tune(lambda hz, long: whistle(np.full(int(long * RATE), hz)), 0.17, "-:8 E5 G5 B5 A5:5")
    return driven(room(mix((0, riff * (0.72 + 0.28 * np.sin(38 * t))), (0, high * 0.22)), 0.6, 0.4), 1.5)


def judge() -> Wave:
    """Three knocks of a gavel, a bell, and a cash register."""
    gavel = mix(*((i * 0.26, knock(240, 0.25, 0.03, 40 + i)) for i in range(3)))
    coins = mix(*((1.45 + i * 0.06, chink(3400 + 420 * (i * 5 % 7), 0.16, 50 + i) * 0.4) for i in range(9)))
    drawer = swish(0.22, 300, 2400, 17, 0.9)
    till = mix((0, bell(pitch("B6"), 1.1, 0.3)), (0.11, bell(pitch("E7"), 1.2, 0.3)))
    return room(
        mix(
            (0, gavel * 0.9),
            (0.78, bell(pitch("E4"), 2.4, 0.7) * 0.4),
            (1.12, drawer * 0.4),
            (1.32, till * 0.34),
            (0, coins),
        )
    )


HOUSE_BOTS: dict[str, Callable[[], Wave]] = {
    "annie-oddsley": annie,
    "billy-the-kid": billy,
    "calamity-bayes": calamity,
    "doc-holobyte": doc,
    "judge-roy-bean-counter": judge,
    "old-man-river": river,
    "quick-quinn": quinn,
    "senor-fold-a-lot-de-rio-grande": senor,
    "sundance-sid": sid,
    "the-bluffin-bandit": bandit,
    "two-pair-tess": tess,
    "wyatt-burp": burp,
}


def _banjo(frequency: float, length: float) -> Wave:
    return plucked(frequency, length, 0.95, 0.13)


def _guitar(frequency: float, length: float) -> Wave:
    return plucked(frequency, length, 0.6, 0.5)


def _gut(frequency: float, length: float) -> Wave:
    return plucked(frequency, length, 0.25, 0.25)


def _twang(frequency: float, length: float) -> Wave:
    return plucked(frequency, length, 0.85, 0.9)


def _saloon(frequency: float, length: float) -> Wave:
    return piano(frequency, length)


def _square(frequency: float, length: float) -> Wave:
    return np.asarray(np.tanh(4 * np.sin(phase(np.full(int(length * RATE), frequency))))) * swell(length, 0.004, 0.02)


def _tuba(frequency: float, length: float) -> Wave:
    angle = phase(np.full(int(length * RATE), frequency))
    return sum((np.sin(n * angle) / n for n in range(1, 7)), np.zeros(len(angle))) * swell(length, 0.03, 0.05) * 0.7


def _jaw_harp(frequency: float, length: float, bright: float) -> Wave:
    t = seconds(length)
    formant = 500 + 900 * bright * t / length
    out = np.zeros(len(t))
    for n in range(1, 30):
        out += np.exp(-(((n * frequency - formant) / 180) ** 2)) * np.sin(n * phase(np.full(len(t), frequency)))
    return out * decay(length, 0.12) * swell(length, 0.002, 0.04)


def _drop(frequency: float) -> Wave:
    return (
        np.asarray(np.sin(phase(glide(0.12, (0, frequency), (1, frequency * 1.9)))))
        * decay(0.12, 0.025)
        * swell(0.12, 0.003, 0.03)
    )


def _shot(seed: int) -> Wave:
    return mix((0, band(noise(0.5, seed), 200, 9000) * decay(0.5, 0.018)), (0, thump(85, 0.3, 0.04) * 0.7))


def _belch() -> Wave:
    length = 1.0
    flutter = 1 + 0.12 * band(noise(length, 18), 20, 40) * 8
    angle = phase(glide(length, (0, 62), (0.25, 96), (0.7, 84), (1, 48)) * np.clip(flutter, 0.6, 1.4))
    buzz = sum((np.sin(n * angle) / n**0.6 for n in range(1, 40)), np.zeros(len(angle)))
    open_mouth = glide(length, (0, 300), (0.3, 620), (0.7, 560), (1, 260))
    low, high = band(buzz, 120, 420), band(buzz, 420, 1500)
    share = np.clip((open_mouth - 260) / 360, 0, 1)
    return (low * (1.2 - 0.6 * share) + high * share) * swell(length, 0.05, 0.22)
