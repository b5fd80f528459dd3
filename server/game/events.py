"""What can happen: the whole public vocabulary, one frozen value for each fact, in the past tense.

Nothing here carries a number or a time (the bus stamps those) or a secret before it may be known.
Seats count from 0, clockwise; games, hands and stages from 1; amounts are chips, prizes cents.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from server.game.cards import Card
from server.game.rules import Rules

Street = Literal["preflop", "flop", "turn", "river"]
Act = Literal["fold", "check", "call", "bet", "raise"]
Fault = Literal["", "timeout", "malformed", "illegal", "disconnected"]


def _tag(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


class Event(Struct, frozen=True, tag_field="type", tag=_tag):
    """A fact. In JSON its `type` is the class name in snake case."""


class Entrant(Struct, frozen=True):
    """A bot entered in this tournament; the media are names of prepared files, "" for the default.

    `sound_ms` is how long its own sound plays, in milliseconds.
    """

    bot: int
    name: str
    player: str = ""
    avatar: str = ""
    particle: str = ""
    sound: str = ""
    sound_ms: int = 0
    rating: int = 0
    """In hundredths of a point, where the contest rates its bots."""


class Placing(Struct, frozen=True):
    """A line of the final table. A prize is paid to the player, in cents."""

    place: int
    bot: int
    stack: int
    prize_cents: int = 0


class Pot(Struct, frozen=True):
    """A sum and the seats that may win it. The first pot is the main pot."""

    amount: int
    seats: tuple[int, ...]


class Award(Struct, frozen=True):
    """One seat's share of a pot."""

    seat: int
    amount: int


# -- tournament ------------------------------------------------------------------------------------


class TournamentOpened(Event, frozen=True):
    """The first entry of every journal. `seed_commitment` is the SHA-256 of the secret seed."""

    contest: str
    title: str
    rules: Rules
    starting_stack: int
    entrants: tuple[Entrant, ...]
    seed_commitment: str
    prizes_cents: tuple[int, ...] = ()


class StageStarted(Event, frozen=True):
    """`stacks` goes with `bots`. `advance` bots ride on to the next stage; 0: this is the last.

    No number of games or hands (0): until it is decided. `seats` is how many sit at a table at most.
    """

    stage: int
    title: str
    games: int
    hands: int
    bots: tuple[int, ...]
    stacks: tuple[int, ...]
    advance: int = 0
    seats: int = 6
    carry: bool = False
    """Whether everybody keeps the chips it has."""
    even: bool = False
    """Whether all who are left sit down before anybody sits twice, at tables as equal as they come."""
    next_title: str = ""
    """Of the stage they ride on to."""
    series: bool | UnsetType = UNSET
    """Whether each game is whole in itself: all begin it with `stacks`, and games won rank the stage.

    Then a `BotEliminated.place` is that of the game. Not written where it is not so.
    """


class GameStarted(Event, frozen=True):
    """`seats` are bots in seat order, drawn with `draw_key`; `hands` is how many will be played."""

    game: int
    hands: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    draw_key: str = ""


class GameEnded(Event, frozen=True, omit_defaults=True):
    """`ranking` is, in a stage that is a series, the bots of the game, best first: the first has won it.

    Nobody has won a game without a hand. Equal stacks fall by lot, with the dice of the last hand.
    """

    game: int
    stacks: tuple[int, ...]
    ranking: tuple[int, ...] = ()


class GameForfeited(Event, frozen=True):
    """A fault cost this seat the game: all chips are the other's. `fault` is what it was."""

    game: int
    seat: int
    fault: Fault


class BotRated(Event, frozen=True):
    """What a bot's rating is after a game, and what it was, in hundredths of a point."""

    game: int
    bot: int
    rating: int
    was: int


class BotEliminated(Event, frozen=True):
    """Out of chips, or unseated; `place` is its place in the tournament."""

    bot: int
    seat: int
    place: int


class StageEnded(Event, frozen=True):
    """`ranking` is every bot of the stage, best first, with its stack; ties fell by `draw_key`."""

    stage: int
    ranking: tuple[int, ...]
    stacks: tuple[int, ...]
    advancing: tuple[int, ...] = ()
    draw_key: str = ""


class TournamentEnded(Event, frozen=True):
    """The final table, best first, and the seed behind every deck and draw."""

    placings: tuple[Placing, ...]
    seed: str


# -- hand ------------------------------------------------------------------------------------------


class HandStarted(Event, frozen=True):
    """`stacks` before any blind, by seat (0: not dealt in); `deck_commitment` is the SHA-256 of the deck key."""

    hand: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    stacks: tuple[int, ...]
    deck_commitment: str


class BlindPosted(Event, frozen=True):
    seat: int
    blind: Literal["ante", "small", "big"]
    amount: int
    all_in: bool


class HoleDealt(Event, frozen=True):
    seat: int
    cards: tuple[Card, ...]


class TurnStarted(Event, frozen=True, omit_defaults=True):
    """What the actor faces. Raises are totals for the street; both are 0 where no raise is possible.

    Where `blind` says which, that blind is asked for, and `to_call` is what it comes to.
    """

    seat: int
    to_call: int
    min_raise_to: int
    max_raise_to: int
    think_ms: int
    blind: Literal["", "small", "big"] = ""


class ActionTaken(Event, frozen=True):
    """`amount` went in now, `bet` is the seat's total for the street, `think_ms` the time it took."""

    seat: int
    act: Act
    amount: int
    bet: int
    all_in: bool
    think_ms: int
    fault: Fault = ""


class SeatVacated(Event, frozen=True):
    """Whoever sat there is unseated, and leaves with the `amount` it had left."""

    seat: int
    amount: int


class BetReturned(Event, frozen=True):
    """What nobody called, back to its owner."""

    seat: int
    amount: int


class BetsCollected(Event, frozen=True):
    """The street's bets have gone into the middle; all pots as they now stand."""

    pots: tuple[Pot, ...]


class StreetDealt(Event, frozen=True):
    street: Literal["flop", "turn", "river"]
    cards: tuple[Card, ...]


class HandShown(Event, frozen=True):
    """A seat's cards are shown. At a showdown `ranking` says what they make and `best` are the five that count."""

    seat: int
    cards: tuple[Card, ...]
    ranking: str = ""
    best: tuple[Card, ...] = ()


class PotAwarded(Event, frozen=True):
    """Pot number `pot` (0: the main pot) is shared out."""

    pot: int
    amount: int
    awards: tuple[Award, ...]


class HandEnded(Event, frozen=True):
    """`stacks` after the hand, as a checksum; `deck_key` opens the commitment."""

    stacks: tuple[int, ...]
    deck_key: str


# -- bots ------------------------------------------------------------------------------------------


class BotConnected(Event, frozen=True):
    bot: int


class BotDisconnected(Event, frozen=True):
    bot: int
    reason: str


class BotWithdrawn(Event, frozen=True):
    """The organiser or the bot itself took it out of the tournament."""

    bot: int
    reason: str


class FaultNoted(Event, frozen=True):
    """A misdeed that cost nothing by itself: a refused message, a wasted retry."""

    bot: int
    fault: Fault
    detail: str


class ChatSent(Event, frozen=True):
    bot: int
    text: str


# -- the desk --------------------------------------------------------------------------------------

Control = Literal[
    "started",
    "paused",
    "held",
    "speed",
    "governed",
    "card",
    "graphics",
    "sound",
    "stage_end",
    "unseen",
    "chat",
    "media",
]
"""What the operator may set; `server.tournament.controls` says what each means."""


class ControlSet(Event, frozen=True):
    """The operator set a control; `was` is where it stood, so that anybody may set it back.

    `bot` says whose it is where every bot has one, else it is 0. `undoes` is the number of the change it takes back,
    all `ControlSet` of the journal counted from 1; 0: none.
    """

    control: Control
    value: bool | float | str
    was: bool | float | str
    bot: int = 0
    operator: str = ""
    undoes: int = 0


Cue = Literal["next", "replay", "best"]


class CueGiven(Event, frozen=True):
    """The operator asked for something once: the present wait cut short, the last hand or the best ones shown again."""

    cue: Cue
    operator: str = ""


class StageCut(Event, frozen=True):
    """The stage ends here because the operator said so: no further hand of it is dealt."""

    stage: int


HouseEvent = (
    TournamentOpened | StageStarted | GameStarted | GameForfeited | GameEnded | BotRated | BotEliminated | StageEnded
    | TournamentEnded
    | HandStarted | BlindPosted | HoleDealt | TurnStarted | ActionTaken | SeatVacated | BetReturned | BetsCollected
    | StreetDealt | HandShown | PotAwarded | HandEnded
    | BotConnected | BotDisconnected | BotWithdrawn | FaultNoted | ChatSent
    | ControlSet | CueGiven | StageCut
)  # fmt: skip
"""Everything that can stand in a journal."""

OF_A_HAND = (
    HandStarted, BlindPosted, HoleDealt, TurnStarted, ActionTaken, SeatVacated, BetReturned, BetsCollected, StreetDealt,
    HandShown, PotAwarded, HandEnded,
)  # fmt: skip
"""What the rules make happen at a table, from the start of a hand to its end."""
