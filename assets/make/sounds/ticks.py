"""The sounds of the table: short ticks for frequent events, and longer stings for rare events."""

from collections.abc import Callable

import numpy as np

from assets.make.sounds.ogg import RATE
from assets.make.sounds.synth import (
    Wave,
    bell,
    chink,
    glide,
    knock,
    mix,
    piano,
    pitch,
    plucked,
    room,
    swish,
    thump,
    trumpet,
    tune,
    whistle,
)


def deal() -> Wave:
    """A card slides over felt."""
    return swish(0.13, 1800, 7000, 61, 0.55)


def chip() -> Wave:
    """One chip on another."""
    return chink(2900, 0.12)


def check() -> Wave:
    """A check: two knuckles on the table."""
    return mix((0, knock(210, 0.12, 0.016, 62)), (0.11, knock(225, 0.12, 0.016, 63) * 0.85))


def fold() -> Wave:
    """A fold: cards thrown in."""
    return mix((0, swish(0.2, 700, 3200, 64, 0.25)), (0.05, swish(0.18, 700, 3000, 65, 0.3) * 0.6))


def call() -> Wave:
    """A call: two chips."""
    return mix((0, chink(2700, 0.12, 66)), (0.075, chink(2500, 0.13, 67) * 0.9))


def raise_to() -> Wave:
    """A raise: a stack of chips, rising in pitch."""
    return mix(*((i * 0.055, chink(2300 + i * 260, 0.13, 68 + i) * (0.7 + 0.1 * i)) for i in range(4)))


def all_in() -> Wave:
    """All in: sliding chips and a drum roll that stops."""
    slide = swish(0.5, 500, 4000, 72, 0.8)
    chips = mix(
        *((0.1 + i * 0.038, chink(2200 + 330 * (i * 3 % 5), 0.13, 73 + i) * (0.5 + 0.04 * i)) for i in range(11))
    )
    drums = mix((0.52, thump(74, 0.5, 0.12)), (0.66, thump(62, 0.7, 0.18)))
    return room(mix((0, slide * 0.4), (0, chips * 0.7), (0, drums * 1.1)), 0.4, 0.15)


def flop() -> Wave:
    """The flop: three cards turned."""
    return mix(*((i * 0.095, _flip(84 + i)) for i in range(3)))


def turn() -> Wave:
    """The turn: one card turned, one plucked string."""
    return mix((0, _flip(88)), (0.02, plucked(pitch("A3"), 0.35, 0.4, 0.12) * 0.5))


def river() -> Wave:
    """The river: one card turned, a lower string."""
    return mix((0, _flip(89)), (0.02, plucked(pitch("D3"), 0.38, 0.4, 0.14) * 0.6))


def eliminated() -> Wave:
    """An elimination: a distant shot and a falling string."""
    fall = plucked(pitch("E3"), 1.2, 0.7, 0.4)
    positions = np.cumsum(2 ** (-np.clip(np.arange(len(fall)) / RATE - 0.15, 0, 1) * 0.9))
    bent = np.interp(positions, np.arange(len(fall)), fall)
    return room(mix((0, thump(70, 0.5, 0.08)), (0, knock(120, 0.3, 0.03) * 0.5), (0.12, bent * 0.9)), 0.8, 0.5)


def game_start() -> Wave:
    """A game starts: a piano phrase."""
    return room(tune(piano, 0.1, "C4 E4 G4 A4 C5+E5:1.5 C5+G5:4", 0.25), 0.4, 0.15)


def final_start() -> Wave:
    """The final starts: a striking clock and a whistle."""
    bells = mix(*((i * 1.0, bell(pitch("D4"), 2.2, 0.7)) for i in range(2)))
    curve = np.concatenate(
        [
            glide(0.28, (0, pitch("D5")), (0.4, pitch("A5")), (1, pitch("A5"))),
            glide(0.20, (0, pitch("G5")), (1, pitch("G5"))),
            glide(0.28, (0, pitch("A5")), (1, pitch("A5"))),
            glide(0.34, (0, pitch("F5")), (1, pitch("F5"))),
            glide(1.2, (0, pitch("E5")), (0.1, pitch("D5")), (1, pitch("D5"))),
        ]
    )
    strum = tune(lambda hz, long: plucked(hz, long, 0.6, 0.8), 1.0, "D2+A2+D3 D2+A2+D3 D2+A2+F3", 1.0)
    return room(mix((0, bells * 0.45), (0.7, whistle(curve) * 0.28), (0, strum * 0.6)), 0.8, 0.35)


def champion() -> Wave:
    """The champion: bells and brass."""
    lead = tune(trumpet, 0.17, "C5:1.5 C5:0.5 G5:2 E5 G5 A5:2 G5 A5 C6:6")
    second = tune(trumpet, 0.17, "G4:1.5 G4:0.5 E5:2 C5 E5 F5:2 E5 F5 G5:6")
    third = tune(trumpet, 0.17, "E4:1.5 E4:0.5 C5:2 G4 C5 C5:2 C5 C5 E5:6")
    drums = mix(*((beat * 0.34, thump(68, 0.5, 0.12) * (1.3 if beat in (0, 6) else 0.7)) for beat in range(8)))
    bells = mix(*((2.04 + i * 0.17, bell(pitch(n), 1.8, 0.35)) for i, n in enumerate(("C6", "G6", "E6", "C7"))))
    return room(mix((0, lead), (0, second * 0.8), (0, third * 0.7), (0, drums * 0.7), (0, bells * 0.22)), 0.8, 0.3)


SOUNDS: dict[str, tuple[Callable[[], Wave], float]] = {
    "deal": (deal, -30),
    "chip": (chip, -30),
    "check": (check, -28),
    "fold": (fold, -30),
    "call": (call, -28),
    "raise": (raise_to, -28),
    "flop": (flop, -28),
    "turn": (turn, -28),
    "river": (river, -28),
    "allin": (all_in, -26),
    "game_start": (game_start, -26),
    "eliminated": (eliminated, -24),
    "final_start": (final_start, -20),
    "champion": (champion, -16),
}
"""The function that makes each sound, and the sound's loudness in LUFS. For comparison, win sounds are at -16 LUFS."""


def _flip(seed: int) -> Wave:
    return mix((0, swish(0.07, 1500, 6500, seed, 0.7) * 0.7), (0.055, knock(900, 0.06, 0.006, seed)))
