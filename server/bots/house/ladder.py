"""The ladder: house bots of rising strength for practice.

`make bench BENCH=ladder` measures their strength. This benchmark always plays the deals of one seed, so its figures are
the same for everybody. A rung sets how well a bot plays. The bot's name, chat and pauses are the same on every rung.
"""

from msgspec import Struct
from msgspec.structs import replace

from server.bots.house.styles import Skill, Style, styles


class Rung(Struct, frozen=True):
    """A rung of the ladder: its name, how it plays, and its measured results.

    `bb_per_100` is how many big blinds the rung wins in 100 hands, heads-up against the rung below. The effect of lucky
    boards is subtracted. The 95 % confidence interval is from `low` to `high`.
    """

    name: str
    skill: Skill
    bb_per_100: float = 0.0
    low: float = 0.0
    high: float = 0.0


LADDER = (
    Rung("Greenhorn", Skill(1.0, 2.0, 0.0, 0.0, 0.0, 0.1)),
    Rung("Drifter", Skill(0.2, 0.9, 0.3, 0.0, 0.1, 0.5), 21.9, 20.5, 23.3),
    Rung("Ranch Hand", Skill(0.1, 0.57, 0.95, 0.25, 0.3, 0.25), 69.6, 50.9, 88.3),
    Rung("Deputy", Skill(0.1, 0.57, 0.95, 0.25, 0.3, 0.02), 65.4, 38.0, 92.8),
    Rung("Marshal", Skill(0.34, 0.57, 0.95, 0.25, 0.3, 0.02), 59.6, 39.7, 79.5),
)
"""The rungs, from the weakest to the strongest. The first rung has strength 1."""
_STRENGTH_PREFIX = "strength-"


def style_of_rung(style: str, strength: int = 0) -> Style:
    """Returns the style with the skill of rung number `strength`. The first rung is number 1. With 0, the style keeps
    its own skill. Raises KeyError for an unknown style.
    """
    base_style = styles()[style]
    return replace(base_style, skill=LADDER[strength - 1].skill) if strength else base_style


def house_opponents() -> dict[str, Style]:
    """Returns all opponents by name: the styles, then the rungs as "strength-1" and so on."""
    rungs = {f"{_STRENGTH_PREFIX}{number}": style_of_rung("careful", number) for number in range(1, len(LADDER) + 1)}
    return {**styles(), **rungs}


def ladder_bb_per_100(strength: int) -> float:
    """Returns the sum of `bb_per_100` of all rungs up to `strength`. The sum is 0 for the first rung."""
    return sum(rung.bb_per_100 for rung in LADDER[:strength])


def describe_strength(strength: int) -> str:
    """Returns words such as "strength 2 of 5, Drifter". For strength 0, returns "of every kind"."""
    return f"strength {strength} of {len(LADDER)}, {LADDER[strength - 1].name}" if strength else "of every kind"
