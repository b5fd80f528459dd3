"""All events that a journal can hold, a frozen struct for each, named in the past tense.

Events have no number and no time, which the bus adds, and contain secrets only once everybody may know them.
Seats are numbered from 0, clockwise; games, hands and stages from 1. Amounts are in chips, prizes in cents.
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
    """Something that happened. In JSON its `type` is the class name in snake case."""


class Entrant(Struct, frozen=True):
    """A bot entered in this tournament; its media are names of prepared files, "" for the default.

    `sound_ms` is the length of its own sound in milliseconds.
    """

    bot: int
    name: str
    player: str = ""
    avatar: str = ""
    particle: str = ""
    sound: str = ""
    sound_ms: int = 0
    rating: int = 0
    """In hundredths of a point, if the contest rates its bots."""
    version: str | UnsetType = UNSET
    """What its author calls this version, or the start of its folder's digest; left out if unknown."""


class Placing(Struct, frozen=True):
    """A line of the final table. A prize is paid to the player, in cents."""

    place: int
    bot: int
    stack: int
    prize_cents: int = 0


class Pot(Struct, frozen=True):
    """A pot with its chips and the seats that may win it. The first pot is the main pot."""

    amount: int
    seats: tuple[int, ...]


class Award(Struct, frozen=True):
    """One seat's share of a pot."""

    seat: int
    amount: int


# -- tournament ------------------------------------------------------------------------------------


class TournamentOpened(Event, frozen=True):
    """The first entry of every journal. `seed_commitment` is the SHA-256 of the secret seed.

    `scale` is how many chips here are one chip in a file of published hands; left out if it is 1.
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
    """A stage starts; `stacks` are the chips of `bots`, in the same order. `advance` bots go on to the next one; 0:
    it is the last.

    0 games or hands: as many as it takes. `seats` is the most that sit at a table.
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
    """Whether all bots keep their chips."""
    even: bool = False
    """Whether every bot plays before any plays twice, at tables as equal in size as possible."""
    next_title: str = ""
    """The title of the next stage."""
    series: bool | UnsetType = UNSET
    """Whether games are separate: all start each with `stacks`, and games won rank the stage.

    Then `BotEliminated.place` is the place in the game. Left out of the JSON if not set.
    """
    duplicate: bool | UnsetType = UNSET
    """Whether all games have the cards of the first, with the seats exchanged; left out if not."""


class GameStarted(Event, frozen=True):
    """A game of at most `hands` hands (0: no limit) starts; `seats` are bots in seat order, drawn with `draw_key`."""

    game: int
    hands: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    draw_key: str = ""
    dealt_as: int | UnsetType = UNSET
    """The game whose decks are dealt again; left out if the game has its own."""


class GameEnded(Event, frozen=True, omit_defaults=True):
    """A game is over; `stacks` are chips by seat. In a series `ranking` is its bots, best first: the first has won it.

    Nobody wins a game without a hand. A shuffle with the key of the last hand's deck decides between equal stacks.
    """

    game: int
    stacks: tuple[int, ...]
    ranking: tuple[int, ...] = ()


class GameForfeited(Event, frozen=True):
    """A fault of this kind cost the seat the game; the other seat gets all chips."""

    game: int
    seat: int
    fault: Fault


class BotRated(Event, frozen=True):
    """A bot's rating after a game and before it (`was`), in hundredths of a point."""

    game: int
    bot: int
    rating: int
    was: int


class BotEliminated(Event, frozen=True):
    """A bot is out of chips or unseated; `place` is its place in the tournament."""

    bot: int
    seat: int
    place: int


class StageEnded(Event, frozen=True):
    """A stage is over; `ranking` are all its bots, best first, with their `stacks`. `draw_key` broke ties."""

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
    """A hand starts; `stacks` are by seat, before the blinds (0: not dealt in). `deck_commitment` is the deck key's
    SHA-256.
    """

    hand: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    stacks: tuple[int, ...]
    deck_commitment: str


class BlindPosted(Event, frozen=True):
    """A seat paid `amount` for a blind or an ante."""

    seat: int
    blind: Literal["ante", "small", "big"]
    amount: int
    all_in: bool


class HoleDealt(Event, frozen=True):
    """A seat got its hole cards."""

    seat: int
    cards: tuple[Card, ...]


class TurnStarted(Event, frozen=True, omit_defaults=True):
    """A seat is asked to act within `think_ms`. Raises are totals for the street; both are 0 if no raise is possible.

    If `blind` is set, the seat is asked for that blind, and `to_call` is its amount.
    """

    seat: int
    to_call: int
    min_raise_to: int
    max_raise_to: int
    think_ms: int
    blind: Literal["", "small", "big"] = ""


class ActionTaken(Event, frozen=True):
    """A seat acted: it paid `amount` now, `bet` in all on this street, and took `think_ms`.

    `fault` is why the action is not the bot's own choice, such as "timeout"; "" if it is.
    """

    seat: int
    act: Act
    amount: int
    bet: int
    all_in: bool
    think_ms: int
    fault: Fault = ""
    declared: Literal["all_in"] | UnsetType = UNSET
    """What the bot called it, if not `act`; otherwise left out."""


class SeatVacated(Event, frozen=True):
    """The bot in this seat is unseated, and its last `amount` chips leave with it."""

    seat: int
    amount: int


class BetReturned(Event, frozen=True):
    """A seat got back the part of its bet that nobody called."""

    seat: int
    amount: int


class BetsCollected(Event, frozen=True):
    """The bets of the street went into the pots; `pots` are all pots then."""

    pots: tuple[Pot, ...]


class StreetDealt(Event, frozen=True):
    """The next board cards were dealt: three on the flop, one each on turn and river."""

    street: Literal["flop", "turn", "river"]
    cards: tuple[Card, ...]


class HandShown(Event, frozen=True):
    """A seat's cards are shown. At a showdown `ranking` is the hand in words and `best` are its five cards."""

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
    """A bot has connected."""

    bot: int


class BotDisconnected(Event, frozen=True):
    """A bot has lost its connection, for a `reason` in words."""

    bot: int
    reason: str


class BotWithdrawn(Event, frozen=True):
    """The organiser or the bot itself withdrew it from the tournament."""

    bot: int
    reason: str


class FaultNoted(Event, frozen=True):
    """Something that a bot did wrong, such as a refused message; `detail` says what."""

    bot: int
    fault: Fault
    detail: str


class ChatSent(Event, frozen=True):
    """A bot's chat, made safe to show."""

    bot: int
    text: str


class NoteGiven(Event, frozen=True):
    """A bot's own words on an action of the hand that is over, made safe to show.

    `action` numbers the `ActionTaken` of that hand from 1. Follows `HandEnded`, because notes may reveal cards.
    """

    bot: int
    action: int
    text: str


# -- the desk --------------------------------------------------------------------------------------

Control = Literal[
    "started", "paused", "held", "speed", "governed", "card", "graphics", "sound", "stage_end", "unseen", "chat",
    "media",
]  # fmt: skip
"""What the operator can set; `server.tournament.control_values` has the meanings."""


class ControlSet(Event, frozen=True):
    """The operator set a control to `value`; it `was` something else before, so that this can be undone.

    `bot` is for controls that each bot has, else 0. `undoes` is the number of the change that is undone, counting all
    `ControlSet` of the journal from 1; 0: none.
    """

    control: Control
    value: bool | float | str
    was: bool | float | str
    bot: int = 0
    operator: str = ""
    undoes: int = 0


Cue = Literal["next", "replay", "best"]


class CueGiven(Event, frozen=True):
    """The operator asked to end the present wait ("next"), or to see the last hand ("replay") or the best ones."""

    cue: Cue
    operator: str = ""


class StageCut(Event, frozen=True):
    """The operator ended the stage early: no more hands of it are dealt."""

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
"""All events of journals."""

WORDS_OF_BOTS = (ChatSent, NoteGiven)
"""What bots say in their own words, which the operator can mute."""

OUT_OF_TURN = (BotConnected, BotDisconnected, BotWithdrawn, FaultNoted, *WORDS_OF_BOTS, ControlSet, CueGiven)
"""Events that come at any time and not from the director, so that a resumed tournament does not repeat them."""

OF_A_HAND = (
    HandStarted, BlindPosted, HoleDealt, TurnStarted, ActionTaken, SeatVacated, BetReturned, BetsCollected, StreetDealt,
    HandShown, PotAwarded, HandEnded,
)  # fmt: skip
"""What happens at a table by the rules, from the start of a hand to its end."""
