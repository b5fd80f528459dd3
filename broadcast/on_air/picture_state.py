"""Defines the parts of the picture, which is everything on screen. `static/js/common/on-air.d.ts` is generated from
these structs. No I/O.

Amounts are in chips, times in milliseconds, and chances in tenths of a percent.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from broadcast.on_air.scenes import SceneName
from broadcast.on_air.shared_types import (
    BotStatistics,
    Checked,
    DealComparison,
    Mark,
    Notice,
    Outcome,
    PairChance,
    Standing,
    Taken,
)
from server.game.cards import Card
from server.game.events import Act, Award, DecidedBy, Fault, Placing, Pot, Street

WinSize = Literal["nod", "win", "burst", "screen"]
CardName = Literal["", "break", "technical"]
"""The full-screen card that hides the show, or "" for none."""
View = Literal["", "table", "held"]
"""The operator's choice: "table" shows the whole table, "held" keeps the focus as it is, and "" lets the focus change
automatically (see `Focus`).
"""
ZoomLevel = Literal["table", "group", "duel"]
Role = Literal["", "favourite", "at risk", "bluffing", "patient"]


class Tournament(Struct, frozen=True):
    """The tournament that is shown."""

    contest: str = ""
    title: str = ""
    starting_stack: int = 0
    prizes_cents: tuple[int, ...] = ()


class Bot(Struct, frozen=True):
    """A bot that takes part. `name` and `player` are shortened to fit.

    `particle` is a picture that flies when the bot wins. `wins` is the number of games won in a series of separate
    games. `gone` says in which hand an absent bot left, such as "game 2, hand 17", and is "" for other bots.
    """

    bot: int
    name: str
    player: str
    avatar: str
    particle: str
    sound: str
    sound_ms: int
    rating: int
    version: str
    stack: int
    place: int = 0
    presence: Literal["", "here", "lost"] = ""
    gone: str = ""
    wins: int = 0


class Stage(Struct, frozen=True):
    """The current stage. If `game` is the current game's number, `game - first_game + 1` is its number in the stage. In
    a stage of deals, `game - first_game + 1` is the number of the current deal.
    """

    stage: int
    title: str
    games: int
    hands: int
    bots: tuple[int, ...]
    advance: int
    next_title: str
    series: bool
    first_game: int
    deals: bool | UnsetType = UNSET
    """Whether several tables play the same cards, so that their games count as one deal. Left out if false."""
    sure_percent: int | UnsetType = UNSET
    """A stage of deals ends early once the best bot is known with this certainty, in percent. Left out if the stage
    never ends early.
    """
    decided: bool | UnsetType = UNSET
    """Whether the title is as certain as `sure_percent` demands, so that the stage ends early. Left out if false."""
    decided_by: DecidedBy | UnsetType = UNSET
    """In a stage of deals, "earned" if bots are ranked by chips won minus the luck of the board. Otherwise left out."""


class Game(Struct, frozen=True):
    """The current game. Between games, this is the last game."""

    game: int
    hands: int
    over: bool = False


class Hand(Struct, frozen=True):
    """The current hand. Between hands, this is the last hand of the game."""

    hand: int
    button: int
    small_blind: int
    big_blind: int
    ante: int
    street: Street = "preflop"
    over: bool = False


class Seat(Struct, frozen=True):
    """A seat of the game.

    `street_bet` is the bet of the seat's last act on this street, even after the chips have gone into the pot. `win`
    and `tie` are the seat's chances, or None if they are not shown. A seat that folded on an earlier street is `away`.
    A bot that did not post its blind is `unseated`.
    """

    bot: int
    stack: int
    bet: int = 0
    street_bet: int = 0
    committed: int = 0
    blind: Literal["", "small", "big"] = ""
    cards: tuple[Card, ...] = ()
    dealt_in: bool = False
    folded: bool = False
    all_in: bool = False
    act: Literal[""] | Act = ""
    fault: Fault = ""
    won: int = 0
    ranking: str = ""
    best: tuple[Card, ...] = ()
    place: int = 0
    unseated: bool = False
    win: int | None = None
    tie: int | None = None
    away: bool = False
    bank_ms: int | UnsetType = UNSET
    """In an exhibition (an evening with a thinking clock), the time in the seat's time bank. Otherwise left out."""
    thought_ms: int | UnsetType = UNSET
    """In an exhibition, how long the seat's last act on this street took, if it took long. Otherwise left out."""


class Turn(Struct, frozen=True):
    """Whose turn it is."""

    seat: int
    to_call: int
    min_raise_to: int
    max_raise_to: int
    think_ms: int


class PotAward(Struct, frozen=True):
    """A pot that was paid out in this hand."""

    pot: int
    amount: int
    awards: tuple[Award, ...]


class Chat(Struct, frozen=True):
    """A line of a bot's chat, a bot's thought, or a storyline `about` the bot. The line was sent at `at_ms`, and is
    shown from `from_ms` to `to_ms`.

    Only a thought has the last four fields. `checked` are its checked claims, and `street` is the street that the
    thought is about. The bot's thoughts so far contain `claims` claims, of which `false_claims` were false.
    """

    seq: int
    at_ms: int
    bot: int
    text: str
    from_ms: int = 0
    to_ms: int = 0
    about: bool = False
    checked: tuple[Checked, ...] | UnsetType = UNSET
    street: Street | UnsetType = UNSET
    claims: int | UnsetType = UNSET
    false_claims: int | UnsetType = UNSET

    @property
    def is_thought(self) -> bool:
        return self.checked is not UNSET


class Standings(Struct, frozen=True):
    """The standings of the stage, best first. The first `advance` bots advance to the next stage."""

    rows: tuple[Standing, ...] = ()
    advance: int = 0


class Statistics(Struct, frozen=True):
    """How all bots have played in `hands` hands."""

    rows: tuple[BotStatistics, ...] = ()
    notices: tuple[Notice, ...] = ()
    hands: int = 0
    crosstable: tuple[Taken, ...] = ()
    awards: tuple[Notice, ...] = ()


class Stakes(Struct, frozen=True):
    """How the bot in this seat would stand in each case: if it calls and wins, calls and loses, or folds."""

    seat: int
    outcomes: tuple[Outcome, ...]


class Highlight(Struct, frozen=True):
    """A hand with a mark (why it is worth remembering, such as "Bad beat"), and the bots that earned the mark."""

    mark: Mark
    game: int
    hand: int
    bots: tuple[int, ...]
    score: int


class Duel(Struct, frozen=True):
    """A bot that is out, and the bots that took its last chips."""

    bot: int
    place: int
    by: tuple[int, ...]


class Focus(Struct, frozen=True):
    """How far the picture is zoomed in, and which bot has the viewers' attention.

    If the picture does not show the whole table, it shows only `seats`. `seat` has the viewers' attention, and `role`
    says why. `seat` is None if no seat has a role. The bot to act and the winner need no role, because the picture
    always highlights them.
    """

    near: ZoomLevel = "table"
    seats: tuple[int, ...] = ()
    seat: int | None = None
    role: Role = ""


class Replay(Struct, frozen=True):
    """A hand that is being shown again, and the picture to which the show returns afterwards."""

    hand: int
    before: "State"


class Desk(Struct, frozen=True):
    """The operator's settings that pages need.

    `trouble` says why the show has to wait. `back` says when the break will be over. `storyline` is the commentators'
    text, shown instead of the caption. For the bots in `chat_off`, no chat is shown. For those in `media_off`, the
    default picture and sound are used. `view` overrules the focus. `kept` is the focus that the view "held" keeps. When
    the next hand starts, `kept` becomes the whole table. `thoughts` is false while no thoughts are shown.
    """

    card: CardName = ""
    graphics: bool = True
    sound: bool = True
    chat_off: tuple[int, ...] = ()
    media_off: tuple[int, ...] = ()
    speed: float = 1.0
    trouble: str = ""
    back: str | UnsetType = UNSET
    storyline: str | UnsetType = UNSET
    view: View = ""
    kept: Focus | UnsetType = UNSET
    thoughts: bool | UnsetType = UNSET


class State(Struct, frozen=True):
    """The picture. Without arguments, it is the picture before the first entry.

    `win` is the size of this hand's last win, and `lit` are the cards that won the hand's last pot. `wins` is the
    number of pots won so far in the tournament.
    """

    seq: int = 0
    at_ms: int = 0
    scene: SceneName = "starting"
    tournament: Tournament = Tournament()
    bots: dict[int, Bot] = {}
    stage: Stage | None = None
    game: Game | None = None
    hand: Hand | None = None
    seats: tuple[Seat, ...] = ()
    board: tuple[Card, ...] = ()
    pot: int = 0
    pots: tuple[Pot, ...] = ()
    awards: tuple[PotAward, ...] = ()
    lit: tuple[Card, ...] = ()
    turn: Turn | None = None
    focus: Focus = Focus()
    stakes: Stakes | None = None
    duel: Duel | None = None
    win: Literal[""] | WinSize = ""
    wins: int = 0
    chat: tuple[Chat, ...] = ()
    standings: Standings = Standings()
    statistics: Statistics = Statistics()
    marks: tuple[Highlight, ...] = ()
    history: dict[int, tuple[int, ...]] = {}
    """Lists how many chips each bot of the stage had after each game. In a series of separate games, lists how many
    games each bot had won after each game. In a stage of deals, lists how many chips each bot had won after each deal.
    """
    title_odds: dict[int, tuple[int, ...]] = {}
    """For each bot, its chances to win the title, oldest first."""
    deal: DealComparison | UnsetType = UNSET
    """How the tables of this stage's last compared deal differed. Left out if no deal has been compared."""
    pairs: tuple[PairChance, ...] | UnsetType = UNSET
    """How likely each bot is to be better than each other bot. Left out if these chances are unknown."""
    caption: str = ""
    placings: tuple[Placing, ...] = ()
    replay: Replay | None = None
    desk: Desk = Desk()

    @property
    def is_over(self) -> bool:
        """Whether the contest has a champion whom viewers have seen."""
        return self.scene == "champion"

    @property
    def seated_bots(self) -> list[int]:
        """The numbers of the bots at the table, in the order of the seats."""
        return [seat.bot for seat in self.seats]


_RESET_FIELDS = ("board", "pot", "pots", "awards", "lit", "turn", "focus", "stakes", "duel", "win")
FRESH_TABLE: Mapping[str, Any] = {name: getattr(State(), name) for name in _RESET_FIELDS}
"""The parts of the picture that a new hand resets, with the values to which it resets them."""


def with_seat(state: State, seat: int, **changes: object) -> tuple[Seat, ...]:
    """Returns the seats with the `changes` to `seat`. Raises IndexError if there is no such seat."""
    seats = list(state.seats)
    seats[seat] = replace(seats[seat], **changes)
    return tuple(seats)


def with_stacks(
    bots: Mapping[int, Bot], numbers: Iterable[int], stacks: Iterable[int], **changes: int
) -> dict[int, Bot]:
    """Returns a copy of `bots` in which each bot in `numbers` has its stack of `stacks` and the `changes`. Ignores bots
    that are not in `bots`.
    """
    after = {**bots}
    for bot, stack in zip(numbers, stacks, strict=False):
        if bot in after:
            after[bot] = replace(after[bot], stack=stack, **changes)
    return after
