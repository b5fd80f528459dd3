"""House rules as data. Every way in which the contests differ at the table is a field here, never an `if contest`."""

from typing import Literal

from msgspec import Struct


class Level(Struct, frozen=True):
    """Forced bets of one blind level, in chips."""

    small: int
    big: int
    ante: int = 0


class Rules(Struct, frozen=True, kw_only=True):
    """How one hand is dealt, bet and paid. The defaults are standard no-limit hold'em."""

    levels: tuple[Level, ...] = (Level(50, 100),)
    hands_per_level: int = 0
    """Hands before the next level; 0: the first level stays. The last level stays for good."""
    think_ms: int = 3000
    """Time allowed for one decision, in milliseconds."""

    later_streets_from: Literal["button", "big_blind"] = "button"
    """Whose left neighbour acts first after the flop; before the flop it is the big blind's, always."""
    heads_up_button_posts: Literal["small", "big"] = "small"

    min_raise: Literal["last_raise", "one_chip"] = "last_raise"
    """Least raise: as much as the last one, or a single chip, which reopens the betting for everybody."""
    raise_laps: int = 0
    """Laps of the table on a street after which a raise counts as a call; 0: no cap."""
    raise_out_of_range: Literal["refuse", "refuse_low", "clamp"] = "refuse"
    """A raise outside min..max: refused; refused only below the current bet; or clamped."""
    bet_cap: Literal["stack", "shortest_stack"] = "stack"
    """How high a bet may go: one's own stack, or the shortest stack still in the hand (so no side pots arise)."""
    ask_when_all_in: bool = False
    """Ask on every street even when nobody can bet any more."""
    fault_costs: Literal["hand", "free_check_or_hand", "game"] = "hand"
    """What a timeout, refusal or lost connection costs: the hand; the hand unless checking is free; the game."""

    odd_chips: Literal["first_in_order", "last_in_order"] = "first_in_order"
    """Who takes chips that do not divide: the first winner to act on the later streets, or the last."""
    show: Literal["all", "showdown", "loser_if_aggressor"] = "showdown"
    """Whose cards the other bots are told when the hand is over."""


def level_of(rules: Rules, hand: int) -> Level:
    """The blind level of the `hand`-th hand, counted from 1."""
    if not rules.hands_per_level:
        return rules.levels[0]
    return rules.levels[min((hand - 1) // rules.hands_per_level, len(rules.levels) - 1)]


QUICK_DRAW = Rules(
    levels=(Level(50, 100),),
    later_streets_from="big_blind",
    heads_up_button_posts="big",
    min_raise="one_chip",
    raise_laps=5,
    raise_out_of_range="refuse_low",
    show="all",
)
