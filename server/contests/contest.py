"""What the program knows of a contest: one description of everything particular to it."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from server.bots.dialects.http_calls import HttpDialect
from server.bots.dialects.messages import Dialect
from server.contests.situations import RuleTexts, Situation, essentials, situations
from server.game.events import Entrant, Event
from server.game.rules import Level
from server.game.tournament import Format
from server.hand_histories.hand_log import HandLog
from server.text.names_and_chat import name_fault

if TYPE_CHECKING:
    from server.app.check.checker import Checker
    from server.app.sparring.seats import Seats
    from server.app.sparring.sides import Side
    from server.app.venue.venue import Venue
    from server.tournament.director import Arrived


Count = Annotated[int, Meta(ge=0, description="whole number")]
Chips = Annotated[int, Meta(ge=0, description="chips")]
"""Chips in a bot's message."""
Digits = Annotated[str, Meta(pattern="^[0-9]{1,40}$", description='digits, such as `"300"`')]
Note = Annotated[str, Meta(description="text")]
"""A bot's own comment on its action."""
Name = Annotated[str, Meta(min_length=1, max_length=30, description="text of at most 30 characters")]


class Message(Struct, frozen=True):
    """A kind of message. `type` is a Struct with its fields, or a pattern of its line."""

    name: str
    sender: Literal["server", "bot"]
    type: Any
    examples: tuple[str, ...]
    """As they are sent."""
    then: str = ""
    """What happens or is expected next."""


class Mistake(Struct, frozen=True):
    """A wrong message of a bot, and its consequence."""

    sent: str
    """As it is sent."""
    answered: str
    """The error code or message, as the bot's author reads it."""
    rule: str
    """The rule that it breaks."""


class Protocol(Struct, frozen=True):
    """The messages of one contest."""

    about: str
    """Markdown: how messages travel, and the time for an answer."""
    messages: tuple[Message, ...]
    mistakes: tuple[Mistake, ...]
    after_a_mistake: str
    """Markdown: what happens after each of `mistakes`."""


SERVER, HOST, PORT, NAME = "{server}", "{host}", "{port}", "{name}"
"""Placeholders in a command: the address to register at, a host and port to listen on or connect to, the bot's name."""


class Command(Struct, frozen=True):
    """How a bot's program is started. `example` is a whole command, `given` the arguments of the starters."""

    example: str
    given: str = ""
    needed: str = ""
    """What every command must contain; "" for nothing."""


class Starters(Struct, frozen=True):
    """The starter bots: the file with `decide` by language, and what to do next.

    `after` has the placeholders {program}, {folder}, {name} and {bot}, the folder that is handed in.
    """

    programs: Mapping[str, str]
    after: str
    named: Callable[[str], str] = lambda name: name
    """Turns the name that an author gives into the bot's name. Raises ValueError with the reason if it is refused."""


class EveningRules(Struct, frozen=True, kw_only=True):
    """What an organiser may set for an evening of the contest, in the event file."""

    remote: bool = False
    """Whether bots may run elsewhere and register from there."""
    needs_entries: bool = False
    """Whether only bots in the file may play."""
    one_table: bool = False
    """Whether all bots must fit at one table."""
    own_table: bool = False
    """Whether the organiser may choose chips and blinds."""
    matches: bool = False
    """Whether games are matches: the organiser may choose times and duplicates."""
    rounds: bool = False
    """Whether an evening may be a series of games, ranked by games won."""
    season: bool = False
    """Whether it is a season: games of two bots, at any time, also on workers."""
    buy_in_cents: int = 0
    unused: tuple[str, ...] = ()
    """Keys of the example event file that do not apply to this contest."""


class OwnTable(Struct, frozen=True):
    """The organiser's starting chips, blinds, hands per game and time limits; 0 and () for the contest's own.

    `hand_ms` is an average over the hands of a game.
    """

    stack: int = 0
    levels: tuple[Level, ...] = ()
    hands: int = 0
    duplicate: bool = False
    """Whether games are repeated with the same cards and the seats exchanged."""
    answer_ms: int = 0
    hand_ms: int = 0


class Sample(Struct, frozen=True):
    """The source of the guide's example messages: what the first seat is sent while some hands are played."""

    stacks: tuple[int, ...]
    named: Callable[[Any], tuple[str, str]]
    """A message's name and text."""
    after: tuple[Event, ...] = ()
    """Events that follow the hands."""
    more: Callable[[Any], Iterable[Any]] = lambda _: ()
    """Further messages of the dialect."""


class Contest(Struct, frozen=True, kw_only=True):
    """A contest. Only `venue`, `seat` and `checker` are not pure: they import what they need when they are called."""

    id: str
    """As in recordings and on the command line: "quick-draw"."""
    name: str
    """The name to display: "Quick Draw"."""
    format: Format
    venue: "Callable[[], Venue]"
    """Runs tournaments, demos and practice."""
    seat: "Callable[[Seats, int, Side], Awaitable[Arrived]]"
    """Starts a bot of a match under a number, and seats it.

    Raises Refusal if the bot cannot play, CannotRun if this machine has no boxes, OSError.
    """
    protocol: Protocol
    sample: Sample
    words: RuleTexts
    command: Command
    starters: Starters
    event: EveningRules
    dialect: Callable[[], Dialect] | None = None
    """The dialect of a bot that connects; None if bots are called."""
    calls: Callable[[Sequence[Entrant]], HttpDialect] | None = None
    """The dialect of a bot that is called over HTTP, for these entrants; None if bots connect."""
    demo: Format | None = None
    """The format of a demo, if it has its own."""
    checker: "Callable[[], Checker] | None" = None
    """Checks submissions; None if there are none."""
    handed_in: str = ""
    """The file that marks a bot's folder; "" if bots are not handed in as folders."""
    own_file: str = ""
    """The suffix of the contest's own event files, such as ".json"."""
    registers: bool = True
    """Whether bots that connect register first; otherwise each has a port of its own."""
    arranged: Callable[[OwnTable], Format] | None = None
    """Makes the format for the organiser's table; None if only the fields that all contests share may change."""
    waited_for: bool = False
    """Whether an author may start a bot by hand; the bot then registers."""
    practised: bool = True
    practice_port: int = 0
    """The default port of practice, if it has its own."""
    practice_form: str = ""
    """The page with the form to enter a bot for practice."""
    starts_with_game: bool = False
    """Whether a bot's program starts with its game, so that its first answer takes longer."""
    hand_log: HandLog | None = None
    """Its own hand history format, if it has one."""
    ready_statuses: frozenset[int] = frozenset()
    """The statuses that its bots answer to POST /player/ready: a bot's contest is guessed from them."""

    @property
    def called(self) -> bool:
        """Whether bots are servers that are called; otherwise they connect."""
        return self.calls is not None

    def talk(self) -> Dialect:
        """The dialect of one bot that connects."""
        assert self.dialect, f"bots of {self.name} are called"
        return self.dialect()

    def call(self, entrants: Sequence[Entrant]) -> HttpDialect:
        """The dialect of one bot that is called."""
        assert self.calls, f"bots of {self.name} are not called"
        return self.calls(entrants)

    @property
    def duel(self) -> bool:
        """Whether two bots play; if more are entered, each pair plays."""
        return self.format.stages[0].seats == 2

    def situations(self) -> Iterator[Situation]:
        """All situations to try a bot in, simplest first."""
        return situations(self.words.told, duel=self.duel)

    def essentials(self) -> list[Situation]:
        """The situations that occur within the first hour of any evening."""
        return essentials(self.words.told, duel=self.duel)

    def bot_name(self, name: str) -> str:
        """The bot's name if its author calls it `name`. Raises ValueError with the reason if that is refused."""
        if fault := name_fault(name):
            raise ValueError(fault)
        return self.starters.named(name)
