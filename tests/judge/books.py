"""The rule books as data: how the contests differ, with quotations from the books."""

from typing import NamedTuple


class Book(NamedTuple):
    """The rules of one contest. The defaults are the rules of most books."""

    blinds: tuple[tuple[int, int], ...]
    """The small and the big blind of each level, unless the organiser chooses others."""
    starting_stack: int
    dealer_is_small: bool = False
    """Whether the dealer posts the small blind (rather than the big blind) if only two bots play."""
    big_blind_always_last: bool = False
    """Whether the bot after the big blind acts first on every street. Otherwise it acts first only before the flop."""
    asks_blinds: bool = False
    """Whether bots are asked for their blinds. A bot that does not post its blind leaves the game with its chips."""
    full_raises: bool = False
    """Whether a raise must at least equal the last one. Otherwise a raise of one chip is enough and reopens betting."""
    laps: int = 0
    """How often betting may circle the table before a raise counts as a call. 0 means no limit."""
    shortest_stack_caps_bets: bool = False
    """Whether the shortest stack among the bots still in the hand limits all bets."""
    hand_loss_limit: int = 0
    """The most chips that a bot can lose in one hand. 0 means no limit."""
    all_in_bots_must_act: bool = False
    """Whether bots that are all-in must still act on every street."""
    fault_costs_game: bool = False  # whether a fault (a late, missing, illegal or unreadable action) loses the game
    checked_faults: tuple[str, ...] = ()
    """The faults after which a bot checks if possible. After any other fault it folds."""
    odd_chips_last: bool = False
    """Whether the odd chips of a split pot go to the last winner in betting order. Otherwise they go to the first."""
    shows: str = "showdown"
    """Which bots show cards: "all", "showdown" (all that reach it), "winners", or "winners and last aggressor"."""


ARENA_BLINDS = (
    (10, 20), (20, 30), (20, 40), (30, 50), (30, 60), (40, 80), (50, 100), (60, 120), (100, 200), (100, 200),
    (150, 250), (200, 300), (200, 400), (300, 500), (300, 600), (400, 800), (500, 1000), (600, 1200), (1000, 1500),
    (1000, 2000), (1500, 2500), (2000, 3000), (2000, 4000), (2500, 5000), (3000, 6000), (4000, 8000), (5000, 10000),
    (6000, 12000), (7500, 15000),
)  # fmt: skip

BOOKS = {
    "quick-draw": Book(
        blinds=((50, 100),),  # "Small Blind: 50 chips", "Big Blind: 100 chips"
        starting_stack=5000,  # "Everyone starts the tournament with 5000 chips"
        big_blind_always_last=True,  # "first in the list acts first" on every street; "the big blind last"
        laps=5,  # "Each betting round is capped at circling the table 5 times"
        shows="all",  # "All bots cards will be revealed at the end of every hand"
    ),
    "enova": Book(
        blinds=((1, 2),),  # "a small blind (1 chip) and large blind (2 chips)"
        starting_stack=100,
        asks_blinds=True,  # "If you fail to post exactly these blinds, you will be unseated"
        shortest_stack_caps_bets=True,  # "the larger of the shortest active stack and the current bet"
        odd_chips_last=True,  # "the last winner takes the remainder"
        shows="winners",  # "hand_ended: winners, each with its hand"
    ),
    "upac": Book(
        blinds=((1, 2),),
        starting_stack=50,  # "Bots start with 50 chips"
        dealer_is_small=True,  # "small blind acts first preflop, big blind on later streets"
        shortest_stack_caps_bets=True,  # "clamped to what both stacks allow"
        all_in_bots_must_act=True,  # "After an all-in the bots are still asked on every street"
        fault_costs_game=True,  # "the whole game is lost 0 to 1"
        shows="winners and last aggressor",  # "Last aggressor starts as the big blind"
    ),
    "arena": Book(
        blinds=ARENA_BLINDS,  # "29 Blind Levels: From 10/20 to 7500/15000, each level lasting 24 hands"
        starting_stack=2000,
        full_raises=True,  # "min_raise: the minimum amount for a valid raise"
        checked_faults=("illegal",),  # "force a safe move (check if possible, otherwise fold)"
    ),
    "acpc": Book(
        blinds=((50, 100),),
        starting_stack=2_000_000,  # enough to lose 20,000 chips in each of a hundred hands
        dealer_is_small=True,  # "reverse blinds" for two players
        full_raises=True,  # "at least the big blind and at least the largest raise of the round"
        hand_loss_limit=20_000,  # "stacks are begun anew in each hand"
        checked_faults=("timeout", "malformed", "disconnected"),  # "nobody may fold where checking is free"
    ),
}
HANDS_PER_LEVEL = {"arena": 24}
