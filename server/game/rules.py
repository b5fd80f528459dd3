"""The betting rules of a contest, as data. Contests differ at the table only by these fields, not by special code."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class Level(Struct, frozen=True):
    """The forced bets of a blind level, in chips."""

    small: int
    big: int
    ante: int = 0


class Rules(Struct, frozen=True, kw_only=True):
    """How one hand is dealt, bet and paid. The defaults are standard no-limit hold'em."""

    levels: tuple[Level, ...] = (Level(50, 100),)
    hands_per_level: int = 0
    """How many hands a level lasts; 0: the first level stays. The last level always stays."""
    think_ms: int = 3000
    """Time allowed for one decision, in milliseconds."""
    time_bank_ms: int | UnsetType = UNSET
    """Time allowed for all of a bot's decisions in a game, in milliseconds; left out: no limit."""

    later_streets_from: Literal["button", "big_blind"] = "button"
    """The seat whose left neighbour acts first from the flop on; before the flop it is always the big blind."""
    heads_up_button_posts: Literal["small", "big"] = "small"
    blinds: Literal["posted", "asked"] = "posted"
    """Whether blinds are posted automatically, or bots must post them after the deal. Then a bot that does not post
    exactly its blind is unseated.
    """
    ante_from: Literal["everyone", "big_blind"] = "everyone"
    """Whether everybody pays an ante, or the big blind pays one for all, which counts as nobody's bet."""

    min_raise: Literal["last_raise", "one_chip"] = "last_raise"
    """The smallest raise: as large as the last raise, or a single chip, which reopens the betting for everybody."""
    raise_laps: int = 0
    """The number of laps of the table on a street after which a raise counts as a call; 0: no limit."""
    raise_out_of_range: Literal["refuse", "refuse_low", "clamp"] = "refuse"
    """What happens to a raise outside the allowed range: it is refused; refused only if below the current bet; or
    clamped.
    """
    bet_cap: Literal["stack", "shortest_stack"] = "stack"
    """The limit of a bet: the bot's own stack, or the shortest stack still in the hand, so that there are no side pots.
    """
    hand_cap: int | UnsetType = UNSET
    """In a cap game, the most chips that a seat can put into a hand; it is then all-in. Left out: its whole stack."""
    ask_when_all_in: bool = False
    """Whether bots are asked to act on every street, even if nobody can bet any more."""
    fault_costs: Literal["hand", "game", "rest"] = "hand"
    """What a timeout, a refused decision or a lost connection costs: the hand, the game, or all further hands ("rest":
    the bot is never asked again).
    """
    refused_checks: bool = False
    """Whether a decision that the rules refuse counts as a check where a check is possible."""
    silence_checks: bool | UnsetType = UNSET
    """Whether a bot that sends no decision checks where a check is possible. Left out: it folds."""

    odd_chips: Literal["first_in_order", "last_in_order"] = "first_in_order"
    """Which winner of a split pot gets the odd chips: the first or the last to act on the later streets."""
    show: Literal["all", "showdown", "winners", "loser_if_aggressor"] = "showdown"
    """Whose cards the other bots see when the hand is over.

    "winners": the winners', even without a showdown. "loser_if_aggressor": only at a showdown; the winners', and those
    of a loser that raised last. If nobody has raised, the big blind counts as the last to raise.
    """
    edition: Literal[2] | UnsetType = UNSET
    """The edition of these rules; left out in recordings of earlier versions. Since edition 2, the big blind moves on
    from the bot that posted it, not from the one that should have. And the full big blind is the bet to match, even if
    nobody has the chips to post it.
    """

    def __post_init__(self) -> None:
        if self.hand_cap is not UNSET and self.hand_cap < 1:
            raise ValueError(f"a hand_cap of {self.hand_cap} lets nobody play")


def level_of(rules: Rules, hand: int) -> Level:
    """Returns the blind level of hand number `hand` (from 1)."""
    if not rules.hands_per_level:
        return rules.levels[0]
    return rules.levels[min((hand - 1) // rules.hands_per_level, len(rules.levels) - 1)]
