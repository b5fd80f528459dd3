"""The ladder: house bots of rising strength, which stand on the practice server day and night.

Their strength is measured, not promised: by `make bench BENCH=ladder`, with the deals of one seed, so everybody who
measures finds the same. A rung is a way to play; who plays it keeps its own name, words and pauses.
"""

from msgspec import Struct
from msgspec.structs import replace

from server.bots.house.styles import Skill, Style, styles


class Rung(Struct, frozen=True):
    """One strength: its name, how it plays, and what was measured.

    It `earns` so many big blinds from the rung below, in 100 hands heads-up, luck of the board taken out; truly
    between `low` and `high`, with 95 %.
    """

    name: str
    skill: Skill
    earns: float = 0.0
    low: float = 0.0
    high: float = 0.0


LADDER = (
    Rung("Greenhorn", Skill(1.0, 2.0, 0.0, 0.0, 0.0, 0.1)),
    Rung("Drifter", Skill(0.2, 0.9, 0.3, 0.0, 0.1, 0.5), 21.9, 20.5, 23.3),
    Rung("Ranch Hand", Skill(0.1, 0.57, 0.95, 0.25, 0.3, 0.25), 69.6, 50.9, 88.3),
    Rung("Deputy", Skill(0.1, 0.57, 0.95, 0.25, 0.3, 0.02), 65.4, 38.0, 92.8),
    Rung("Marshal", Skill(0.34, 0.57, 0.95, 0.25, 0.3, 0.02), 59.6, 39.7, 79.5),
)
"""From the weakest to the strongest; the first has strength 1."""
_PREFIX = "strength-"


def playing(style: str, strength: int = 0) -> Style:
    """How a bot of that style plays at that strength, which is a rung's number; 0: as the style itself does.

    Raises KeyError where there is no such style.
    """
    own = styles()[style]
    return replace(own, skill=LADDER[strength - 1].skill) if strength else own


def house_players() -> dict[str, Style]:
    """All that can be played against by name: the styles, and the rungs as "strength-1" and so on."""
    rungs = {f"{_PREFIX}{number}": playing("careful", number) for number in range(1, len(LADDER) + 1)}
    return {**styles(), **rungs}


def rating(strength: int) -> float:
    """What each rung up to that one earns from the one below, added up: 0 for the first."""
    return sum(rung.earns for rung in LADDER[:strength])


def in_words(strength: int) -> str:
    """A strength in words: "strength 2 of 5, Drifter"; "of every kind" for 0."""
    return f"strength {strength} of {len(LADDER)}, {LADDER[strength - 1].name}" if strength else "of every kind"
