"""The rules by which a contest plays its hands, as data.

If two contests have equal `Rules`, they play hands in exactly the same way.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class Level(Struct, frozen=True):
    """The forced bets of a blind level, in chips."""

    small: int
    big: int
    ante: int = 0


class Rules(Struct, frozen=True, kw_only=True):
    """How a hand is dealt, how bots bet, and how pots are paid. The defaults are standard no-limit hold'em."""

    levels: tuple[Level, ...] = (Level(50, 100),)
    hands_per_level: int = 0
    """How many hands each blind level lasts. The last level never ends. With 0, the first level never ends."""
    think_ms: int = 3000
    """Time allowed for one decision, in milliseconds."""
    time_bank_ms: int | UnsetType = UNSET
    """The time for all of a bot's decisions in a game, in milliseconds. Left out if there is no limit."""
    exhibition_bank_ms: int | UnsetType = UNSET
    """In an exhibition (a tournament with time limits of its own), each bot's time bank for a game, in milliseconds. If
    a decision takes longer than `think_ms`, the extra time is taken from this bank. Left out if this is no exhibition.
    """

    later_streets_from: Literal["button", "big_blind"] = "button"
    """Where the betting begins from the flop on: to the left of the button, or to the left of the big blind. Before the
    flop, the betting always begins to the left of the big blind.
    """
    heads_up_button_posts: Literal["small", "big"] = "small"
    blinds: Literal["posted", "asked"] = "posted"
    """Who posts the blinds: the dealer, or the bots after the deal. A bot that is asked and does not post exactly its
    blind is unseated.
    """
    ante_from: Literal["everyone", "big_blind"] = "everyone"
    """Whether everybody pays an ante, or the big blind pays it for all. An ante that the big blind pays is dead money,
    which is nobody's bet.
    """

    min_raise: Literal["last_raise", "one_chip"] = "last_raise"
    """The smallest raise: as large as the last raise, or one chip. With "one_chip", every raise reopens the betting."""
    raise_laps: int = 0
    """On each street, bots may raise only in this many laps around the table. In later laps, a raise becomes a call.
    With 0, there is no limit.
    """
    raise_out_of_range: Literal["refuse", "refuse_low", "clamp"] = "refuse"
    """What happens to a raise outside the allowed range. "refuse" refuses it. "clamp" changes it to the nearest allowed
    total, or to a call. "refuse_low" refuses a raise below the current bet, and clamps all others.
    """
    bet_cap: Literal["stack", "shortest_stack"] = "stack"
    """What limits a bot's bets: its own stack or, to avoid side pots, the shortest stack still in the hand."""
    hand_cap: int | UnsetType = UNSET
    """In a cap game, how many chips a seat can put into a hand. A seat that has put in that many is all-in. Left out if
    there is no cap.
    """
    ask_when_all_in: bool = False
    """Whether bots must act on every street, even if nobody can bet any more."""
    fault_costs: Literal["hand", "game", "rest"] = "hand"
    """What a timeout, a refused decision or a lost connection costs: this hand, the game, or the rest of the hands.
    With "rest", the bot is never asked again.
    """
    refused_checks: bool = False
    """Whether a refused decision becomes a check, where a check is possible, rather than a fold."""
    silence_checks: bool | UnsetType = UNSET
    """Whether a missing decision becomes a check, where a check is possible, rather than a fold. Left out if false."""

    odd_chips: Literal["first_in_order", "last_in_order"] = "first_in_order"
    """Which winner of a split pot gets the odd chips: the first or the last to act after the flop."""
    show: Literal["all", "showdown", "winners", "loser_if_aggressor"] = "showdown"
    """Whose cards the other bots see when the hand is over.

    "winners": the winners' cards, even without a showdown. "loser_if_aggressor": after a showdown, the winners' cards
    and the cards of the bot that raised last, or of the big blind if nobody raised.
    """
    edition: Literal[2] | UnsetType = UNSET
    """The edition of these rules. Left out in recordings of earlier versions. In edition 2, the next big blind sits to
    the left of the bot that has posted the big blind. In edition 1, it sits to the left of the bot that should have
    posted the big blind. Also in edition 2, the bet to match before the flop is a full big blind, even if no bot posts
    any blind.
    """

    def __post_init__(self) -> None:
        if self.hand_cap is not UNSET and self.hand_cap < 1:
            raise ValueError(f"a hand_cap of {self.hand_cap} lets nobody play")


def describe_clock(rules: Rules) -> str:
    """Says how long a bot may think in an exhibition. Returns "" if the rules are not for an exhibition."""
    bank_ms = rules.exhibition_bank_ms
    if bank_ms is UNSET:
        return ""
    decision_seconds, bank_seconds = rules.think_ms / 1000, bank_ms / 1000
    return f"{decision_seconds:g} s for each decision, and {bank_seconds:g} s in a game for decisions that take longer"


def level_of(rules: Rules, hand: int) -> Level:
    """Returns the blind level of hand number `hand` (from 1)."""
    if not rules.hands_per_level:
        return rules.levels[0]
    return rules.levels[min((hand - 1) // rules.hands_per_level, len(rules.levels) - 1)]
