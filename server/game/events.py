"""Every event that a journal can hold, one frozen struct for each, named in the past tense.

Events have no number and no time (the bus adds those), and hold no secret before it may be known.
Seats are numbered from 0, clockwise; games, hands and stages from 1. Amounts are chips, prizes are cents.
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
    """Something that has happened. In JSON its `type` is the class name in snake case."""


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
    version: str | UnsetType = UNSET
    """What its author calls this version, or the beginning of its folder's digest; left out where nothing is known."""


class Placing(Struct, frozen=True):
    """A line of the final table. A prize is paid to the player, in cents."""

    place: int
    bot: int
    stack: int
    prize_cents: int = 0


class Pot(Struct, frozen=True):
    """A pot: its chips, and the seats that may win it. The first pot is the main pot."""

    amount: int
    seats: tuple[int, ...]


class Award(Struct, frozen=True):
    """One seat's share of a pot."""

    seat: int
    amount: int


# -- tournament ------------------------------------------------------------------------------------


class TournamentOpened(Event, frozen=True):
    """The first entry of every journal. `seed_commitment` is the SHA-256 of the secret seed.

    `scale` is how many chips here are one of the file that published hands came from; left out where it is 1.
    """

    contest: str
    title: str
    rules: Rules
    starting_stack: int
    entrants: tuple[Entrant, ...]
    seed_commitment: str
    prizes_cents: tuple[int, ...] = ()
    scale: int | UnsetType = UNSET


class StageStarted(Event, frozen=True):
    """A stage begins; `stacks` are the chips of `bots`, in the same order. `advance` bots go on to the next; 0: it is
    the last one.

    0 games or hands: as many as it takes. `seats` is how many sit at a table at most.
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
    """Whether all keep the chips they have."""
    even: bool = False
    """Whether all play before anybody plays twice, at tables as equal in size as possible."""
    next_title: str = ""
    """The title of the next stage."""
    series: bool | UnsetType = UNSET
    """Whether games are separate: all begin each with `stacks`, and games won rank the stage.

    Then a `BotEliminated.place` is the place in the game. Left out of the JSON where it is not set.
    """
    duplicate: bool | UnsetType = UNSET
    """Whether all games have the cards of the first, with the seats exchanged; left out where they have not."""


class GameStarted(Event, frozen=True):
    """A game begins; `seats` are bots in seat order, drawn with `draw_key`. At most `hands` hands (0: no limit)."""

    game: int
    hands: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    draw_key: str = ""
    dealt_as: int | UnsetType = UNSET
    """The game whose decks are dealt again; left out where the game has its own."""


class GameEnded(Event, frozen=True, omit_defaults=True):
    """A game is over; `stacks` are chips by seat. In a series `ranking` is its bots, best first: the first has won it.

    Nobody wins a game without a hand. Between equal stacks a shuffle decides, from the key of the last hand's deck.
    """

    game: int
    stacks: tuple[int, ...]
    ranking: tuple[int, ...] = ()


class GameForfeited(Event, frozen=True):
    """A fault cost this seat the game, and the other seat has all chips. `fault` is its kind."""

    game: int
    seat: int
    fault: Fault


class BotRated(Event, frozen=True):
    """A bot's rating after a game, and before it (`was`), in hundredths of a point."""

    game: int
    bot: int
    rating: int
    was: int


class BotEliminated(Event, frozen=True):
    """A bot is out of chips, or unseated; `place` is its place in the tournament."""

    bot: int
    seat: int
    place: int


class StageEnded(Event, frozen=True):
    """A stage is over; `ranking` is all its bots, best first, with their `stacks`. `draw_key` broke ties."""

    stage: int
    ranking: tuple[int, ...]
    stacks: tuple[int, ...]
    advancing: tuple[int, ...] = ()
    draw_key: str = ""


class TournamentEnded(Event, frozen=True):
    """The final ranking, best first, and the seed behind every deck and draw, in hexadecimal."""

    placings: tuple[Placing, ...]
    seed: str


# -- hand ------------------------------------------------------------------------------------------


class HandStarted(Event, frozen=True):
    """A hand begins; `stacks` are by seat, before any blind (0: not dealt in). `deck_commitment` is the SHA-256 of the
    deck key.
    """

    hand: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    stacks: tuple[int, ...]
    deck_commitment: str


class BlindPosted(Event, frozen=True):
    """A seat paid a blind or an ante: `amount` is what went in."""

    seat: int
    blind: Literal["ante", "small", "big"]
    amount: int
    all_in: bool


class HoleDealt(Event, frozen=True):
    """A seat got its hole cards."""

    seat: int
    cards: tuple[Card, ...]


class TurnStarted(Event, frozen=True, omit_defaults=True):
    """A seat is asked to act. Raises are totals for the street; both are 0 where no raise is possible.

    Where `blind` is set, that blind is asked for, and `to_call` is its amount. `think_ms` is the time it may take.
    """

    seat: int
    to_call: int
    min_raise_to: int
    max_raise_to: int
    think_ms: int
    blind: Literal["", "small", "big"] = ""


class ActionTaken(Event, frozen=True):
    """A seat acted: `amount` went in now, `bet` is its total for the street, `think_ms` the time it took.

    `fault` says why the action is not the bot's own choice, such as "timeout"; "" if it is.
    """

    seat: int
    act: Act
    amount: int
    bet: int
    all_in: bool
    think_ms: int
    fault: Fault = ""
    declared: Literal["all_in"] | UnsetType = UNSET
    """What the bot called it, where that is another word than `act`; left out else."""


class SeatVacated(Event, frozen=True):
    """The bot in this seat is unseated, and its last `amount` chips leave the table with it."""

    seat: int
    amount: int


class BetReturned(Event, frozen=True):
    """The part of a bet that nobody called went back to its seat."""

    seat: int
    amount: int


class BetsCollected(Event, frozen=True):
    """The street's bets went into the pots; `pots` are all of them after that."""

    pots: tuple[Pot, ...]


class StreetDealt(Event, frozen=True):
    """The board got its next cards: three on the flop, one each on turn and river."""

    street: Literal["flop", "turn", "river"]
    cards: tuple[Card, ...]


class HandShown(Event, frozen=True):
    """A seat's cards are shown. At a showdown `ranking` names the hand in words and `best` are its five cards."""

    seat: int
    cards: tuple[Card, ...]
    ranking: str = ""
    best: tuple[Card, ...] = ()


class PotAwarded(Event, frozen=True):
    """Pot number `pot` (0: the main pot) was paid out."""

    pot: int
    amount: int
    awards: tuple[Award, ...]


class HandEnded(Event, frozen=True):
    """A hand is over; `stacks` are by seat, after it. `deck_key` proves the commitment of `HandStarted`."""

    stacks: tuple[int, ...]
    deck_key: str


# -- bots ------------------------------------------------------------------------------------------


class BotConnected(Event, frozen=True):
    """A bot's connection is there."""

    bot: int


class BotDisconnected(Event, frozen=True):
    """A bot's connection was lost; `reason` in words."""

    bot: int
    reason: str


class BotWithdrawn(Event, frozen=True):
    """The organiser or the bot itself took it out of the tournament."""

    bot: int
    reason: str


class FaultNoted(Event, frozen=True):
    """Something that a bot did wrong, such as a message that was refused; `detail` says what, in words."""

    bot: int
    fault: Fault
    detail: str


class ChatSent(Event, frozen=True):
    """A bot's chat, made safe to show."""

    bot: int
    text: str


class NoteGiven(Event, frozen=True):
    """A bot's own words on an action of the hand that is over, made safe to show.

    `action` counts the `ActionTaken` of that hand from 1. Written after `HandEnded`, for a note tells of cards.
    """

    bot: int
    action: int
    text: str


# -- the desk --------------------------------------------------------------------------------------

Control = Literal[
    "started", "paused", "held", "speed", "governed", "card", "graphics", "sound", "stage_end", "unseen", "chat",
    "media",
]  # fmt: skip
"""What the operator may set; `server.tournament.control_values` says what each means."""


class ControlSet(Event, frozen=True):
    """The operator set a control to `value`; `was` is its value before, so that it can be undone.

    `bot` is the bot it belongs to where every bot has one, else 0. `undoes` is the number of the change that it undoes,
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
    """The operator asked to end the present wait ("next"), to see the last hand ("replay") or the best ones again."""

    cue: Cue
    operator: str = ""


class StageCut(Event, frozen=True):
    """The operator ended the stage early: no further hand of it is dealt."""

    stage: int


HouseEvent = (
    TournamentOpened | StageStarted | GameStarted | GameForfeited | GameEnded | BotRated | BotEliminated | StageEnded
    | TournamentEnded
    | HandStarted | BlindPosted | HoleDealt | TurnStarted | ActionTaken | SeatVacated | BetReturned | BetsCollected
    | StreetDealt | HandShown | PotAwarded | HandEnded
    | BotConnected | BotDisconnected | BotWithdrawn | FaultNoted | ChatSent
    | NoteGiven
    | ControlSet | CueGiven | StageCut
)  # fmt: skip
"""Everything that can stand in a journal."""

WORDS_OF_BOTS = (ChatSent, NoteGiven)
"""What bots say in their own words: an operator may mute it."""

OUT_OF_TURN = (BotConnected, BotDisconnected, BotWithdrawn, FaultNoted, *WORDS_OF_BOTS, ControlSet, CueGiven)
"""Events that come at any time and not from the director, so a resumed tournament does not make them again."""

OF_A_HAND = (
    HandStarted, BlindPosted, HoleDealt, TurnStarted, ActionTaken, SeatVacated, BetReturned, BetsCollected, StreetDealt,
    HandShown, PotAwarded, HandEnded,
)  # fmt: skip
"""What the rules make happen at a table, from the start of a hand to its end."""
