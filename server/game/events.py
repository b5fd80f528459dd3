"""All events that a journal, the record of a tournament, can contain. Each is a frozen struct, named in the past tense.

When an event is recorded, it gets a number and a time. No event contains a seed or a key that is still secret.
Seats are numbered clockwise from 0. Games, hands and stages are numbered from 1. Amounts are in chips, prizes in cents.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from server.game.cards import Card
from server.game.rules import Rules

Street = Literal["preflop", "flop", "turn", "river"]
Act = Literal["fold", "check", "call", "bet", "raise"]
Fault = Literal["", "timeout", "malformed", "illegal", "disconnected"]
DecidedBy = Literal["chips", "earned"]


def _tag(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


class Event(Struct, frozen=True, gc=False, tag_field="type", tag=_tag):
    """Something that happened. In JSON its `type` is the class name in snake case."""


class Entrant(Struct, frozen=True):
    """A bot entered in this tournament. `avatar`, `particle` (a picture that flies when the bot wins) and `sound` are
    files for the show. "" is the default file. `sound_ms` is how many milliseconds the sound lasts.
    """

    bot: int
    name: str
    player: str = ""
    avatar: str = ""
    particle: str = ""
    sound: str = ""
    sound_ms: int = 0
    rating: int = 0
    """The bot's rating in hundredths of a point, or 0 if the contest has no ratings."""
    version: str | UnsetType = UNSET
    """What the author calls this version, or the start of the digest of the bot's folder. Left out if unknown."""


class Placing(Struct, frozen=True):
    """One bot's line in the final results. The prize goes to the bot's player."""

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
    """The first event of every journal. `seed_commitment` is the SHA-256 of the secret seed.

    A recording may be made from a file of published hands. Then `scale` chips of the recording stand for one chip of
    the file. `scale` is left out if it is 1.
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
    """A stage starts. `stacks` are the chips of `bots`, in the same order.

    The best `advance` bots advance to the next stage. In the last stage, `advance` is 0. If `games` or `hands` is 0,
    there is no limit. `seats` is the maximum number of bots at a table.
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
    """Whether all bots keep their chips from the previous stage."""
    even: bool = False
    """Whether each bot plays once before any bot plays twice. Tables are then as equal in size as possible."""
    next_title: str = ""
    """The title of the next stage."""
    series: bool | UnsetType = UNSET
    """Whether the games are separate: each starts with `stacks`, and bots are ranked by the games that they won.

    In separate games, `BotEliminated.place` is the place in the game. Left out of the JSON if false.
    """
    duplicate: bool | UnsetType = UNSET
    """Whether all games repeat the same cards, while the bots change seats. Left out if false."""
    deals: int | UnsetType = UNSET
    """The maximum number of deals, in which all bots play the same cards. Left out if the stage has no deals.

    A deal of n bots has n tables, and one game at each table. So every bot has every seat once. Every game starts with
    the same stacks, and ends early once a bot has lost its stack. Bots are ranked by the chips that they win per deal.
    The `stacks` of `StageEnded` are the chips that each bot won in all deals. They may be negative. If `decided_by` is
    `earned`, they do not include the chips that a bot won or lost by the luck of the community cards.
    """
    sure_percent: int | UnsetType = UNSET
    """The stage ends early once it is this certain, in percent, that the leader is the best bot. Left out if the stage
    never ends early.
    """
    lead_needed: int | UnsetType = UNSET
    """How large the leader's lead over every other bot must be after the last deal. With this lead, the leader is the
    best bot with the certainty `sure_percent`. The unit is a hundredth of the standard error of the difference.
    """
    minutes: int | UnsetType = UNSET
    """How many minutes the show of all deals may take at speed 1. To keep within this time, only the deals that matter
    are shown in full. Left out if every deal is shown in full.
    """
    decided_by: DecidedBy | UnsetType = UNSET
    """How bots are ranked in a stage of deals: by the `chips` that they win, or by the chips `earned`, which leave out
    the luck of the board. Left out if the ranking is by chips won, as in all recordings of earlier versions.
    """


class GameStarted(Event, frozen=True):
    """A game of at most `hands` hands starts. If `hands` is 0, there is no limit. `seats` are the bots in seat order.
    The seats were drawn with `draw_key`, unless `draw_key` is "".
    """

    game: int
    hands: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    draw_key: str = ""
    dealt_as: int | UnsetType = UNSET
    """The number of the game whose decks this game repeats. Left out if this game has its own decks."""


class GameEnded(Event, frozen=True, omit_defaults=True):
    """A game is over. `stacks` are chips by seat. In a series, the first bot in `ranking` won.

    A game without a hand has no winner. If stacks are equal, a shuffle with the last deck's key decides the order.
    """

    game: int
    stacks: tuple[int, ...]
    ranking: tuple[int, ...] = ()
    luck: tuple[int, ...] = ()
    """Each seat's luck of the board, in whole chips. Left out unless bots are ranked by chips earned."""


class GameForfeited(Event, frozen=True):
    """A seat lost the game because of `fault`. The other seat gets all chips."""

    game: int
    seat: int
    fault: Fault


class DealEnded(Event, frozen=True, omit_defaults=True):
    """Deal number `deal` of the stage is over at all tables. `won` is how many chips each of `bots` won at all tables
    together. If bots are ranked by earned chips, `luck` is how many of these chips were luck of the board. Otherwise
    `luck` is left out. `decided` says whether it is now certain enough which bot is best. If so, the stage ends early.
    """

    deal: int
    bots: tuple[int, ...]
    won: tuple[int, ...]
    decided: bool = False
    luck: tuple[int, ...] = ()


class BotRated(Event, frozen=True):
    """A bot's rating after a game (`rating`) and before the game (`was`), in hundredths of a point."""

    game: int
    bot: int
    rating: int
    was: int


class BotEliminated(Event, frozen=True):
    """A bot is out of chips or unseated. `place` is its place in the tournament."""

    bot: int
    seat: int
    place: int


class StageEnded(Event, frozen=True):
    """A stage is over. `ranking` lists all its bots, best first, with their `stacks`. Ties were decided by lot, with
    `draw_key`.
    """

    stage: int
    ranking: tuple[int, ...]
    stacks: tuple[int, ...]
    advancing: tuple[int, ...] = ()
    draw_key: str = ""


class TournamentEnded(Event, frozen=True):
    """The tournament is over. `placings` are the final results, best first. `seed`, in hexadecimal, decided all decks
    and draws.
    """

    placings: tuple[Placing, ...]
    seed: str


# -- hand ------------------------------------------------------------------------------------------


class HandStarted(Event, frozen=True):
    """A hand starts. `stacks` are the chips by seat before the blinds. A seat with 0 chips gets no cards.

    `deck_commitment` is the SHA-256 of the deck's key. In an exhibition, `banks_ms` is the time left in each seat's
    time bank. In other contests, `banks_ms` is left out.
    """

    hand: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    stacks: tuple[int, ...]
    deck_commitment: str
    banks_ms: tuple[int, ...] | UnsetType = UNSET


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
    """A seat must act within `think_ms`. The limits of a raise are totals for the street, or 0 if no raise is possible.

    If `blind` is set, the seat must post that blind, and `to_call` is the blind's amount.
    """

    seat: int
    to_call: int
    min_raise_to: int
    max_raise_to: int
    think_ms: int
    blind: Literal["", "small", "big"] = ""


class ActionTaken(Event, frozen=True):
    """A seat acted after `think_ms` and paid `amount`. The seat's bet on this street is now `bet`.

    If the bot did not choose the action, `fault` says why, such as "timeout".
    """

    seat: int
    act: Act
    amount: int
    bet: int
    all_in: bool
    think_ms: int
    fault: Fault = ""
    declared: Literal["all_in"] | UnsetType = UNSET
    """Set to "all_in" if the bot used this word for its action. Otherwise left out."""


class SeatVacated(Event, frozen=True):
    """The bot in this seat is unseated, and its remaining `amount` chips leave the table."""

    seat: int
    amount: int


class BetReturned(Event, frozen=True):
    """A seat got back the part of its bet that nobody called."""

    seat: int
    amount: int


class BetsCollected(Event, frozen=True):
    """The bets of the street went into the pots. `pots` are all pots as they are now."""

    pots: tuple[Pot, ...]


class StreetDealt(Event, frozen=True):
    """The next board cards were dealt: three on the flop, one on the turn, one on the river."""

    street: Literal["flop", "turn", "river"]
    cards: tuple[Card, ...]


class HandShown(Event, frozen=True):
    """A seat's cards are shown. At a showdown, `ranking` is the hand's name, and `best` is its best five cards."""

    seat: int
    cards: tuple[Card, ...]
    ranking: str = ""
    best: tuple[Card, ...] = ()


class PotAwarded(Event, frozen=True):
    """Pot number `pot` was paid out. The main pot has number 0."""

    pot: int
    amount: int
    awards: tuple[Award, ...]


class HandEnded(Event, frozen=True):
    """A hand is over. `stacks` are the final chips by seat. `deck_key` proves the commitment in `HandStarted`."""

    stacks: tuple[int, ...]
    deck_key: str


# -- bots ------------------------------------------------------------------------------------------


class BotConnected(Event, frozen=True):
    """A bot has connected."""

    bot: int


class BotDisconnected(Event, frozen=True):
    """A bot has lost its connection, for this `reason`."""

    bot: int
    reason: str


class BotWithdrawn(Event, frozen=True):
    """The organiser withdrew the bot from the tournament, or the bot withdrew itself."""

    bot: int
    reason: str


class FaultNoted(Event, frozen=True):
    """A bot did something wrong, such as sending a message that was refused. `detail` says what."""

    bot: int
    fault: Fault
    detail: str


class ChatSent(Event, frozen=True):
    """A bot's chat, made safe to show."""

    bot: int
    text: str


class Account(Struct, frozen=True, omit_defaults=True):
    """What a bot has spent on its language model since its last report. Nobody can check these reports."""

    tokens: int | UnsetType = UNSET
    cost_millionths: int | UnsetType = UNSET
    """The cost in millionths of a dollar."""


class NoteGiven(Event, frozen=True):
    """A bot's comment on one of its actions in the latest hand, made safe to show.

    `action` is the number of the action in the hand, from 1. Notes follow `HandEnded`, because they may reveal cards.
    """

    bot: int
    action: int
    text: str
    thought: str | UnsetType = UNSET
    """The bot's whole comment, up to 600 characters. Left out if `text` is already the whole comment."""
    account: Account | UnsetType = UNSET
    """The tokens and dollars that the bot reports. Left out if the bot reports none."""


# -- the operator ----------------------------------------------------------------------------------

Control = Literal[
    "started", "paused", "held", "speed", "governed", "card", "graphics", "sound", "stage_end", "unseen", "chat",
    "media", "view", "thoughts",
]  # fmt: skip
"""The controls that the operator can set, as described in `server.tournament.control_values`. "held" pauses the show at
the end of the hand or leaderboard on air. With "governed", the show adapts its speed to end on time. With "unseen", the
table plays on while no hands are shown.
"""


class ControlSet(Event, frozen=True):
    """The operator set a control to `value`. `was` is the control's earlier value, so that the change can be undone.

    `bot` is 0 for controls that are the same for all bots. The journal's `ControlSet` events are numbered from 1. If
    this event undoes an earlier change, `undoes` is the earlier event's number, otherwise 0.
    """

    control: Control
    value: bool | float | str
    was: bool | float | str
    bot: int = 0
    operator: str = ""
    undoes: int = 0


Cue = Literal["next", "replay", "best", "reading"]


class CueGiven(Event, frozen=True):
    """The operator gave a cue. "next" lets a waiting show go on, "replay" shows the last hand, "best" shows the best
    hands, and "reading" shows how true the bots' comments are.
    """

    cue: Cue
    operator: str = ""


class StageCut(Event, frozen=True):
    """The operator ended the stage early. No more hands of the stage are dealt."""

    stage: int


JournalEvent = (
    TournamentOpened | StageStarted | GameStarted | GameForfeited | GameEnded | DealEnded | BotRated | BotEliminated
    | StageEnded | TournamentEnded
    | HandStarted | BlindPosted | HoleDealt | TurnStarted | ActionTaken | SeatVacated | BetReturned | BetsCollected
    | StreetDealt | HandShown | PotAwarded | HandEnded
    | BotConnected | BotDisconnected | BotWithdrawn | FaultNoted | ChatSent
    | NoteGiven
    | ControlSet | CueGiven | StageCut
)  # fmt: skip
"""All events of tournament journals."""

BOT_TEXT_EVENTS = (ChatSent, NoteGiven)
"""Events with bots' own words. The operator can mute them."""

ANYTIME_EVENTS = (BotConnected, BotDisconnected, BotWithdrawn, FaultNoted, *BOT_TEXT_EVENTS, ControlSet, CueGiven)
"""Events that bots and the operator may cause at any time. When a tournament resumes, it runs again from its start.
Running it again produces all other events, but not these.
"""

HAND_EVENTS = (
    HandStarted, BlindPosted, HoleDealt, TurnStarted, ActionTaken, SeatVacated, BetReturned, BetsCollected, StreetDealt,
    HandShown, PotAwarded, HandEnded,
)  # fmt: skip
"""The events of a hand at the table, from its start to its end."""
