"""What a contest is to this program: one description that joins all that is particular to it, its messages among it."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from server.bots.dialects.http_calls import HttpDialect
from server.bots.dialects.messages import Dialect
from server.contests.situations import Situation, Words, essentials, situations
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
"""Chips that a bot names."""
Digits = Annotated[str, Meta(pattern="^[0-9]{1,40}$", description='digits, such as `"300"`')]
Note = Annotated[str, Meta(description="text")]
"""A bot's own words on its action."""
Name = Annotated[str, Meta(min_length=1, max_length=30, description="text of at most 30 characters")]


class Message(Struct, frozen=True):
    """A kind of message. `sender` is who sends it; `type` has its fields, or is the text of a line."""

    name: str
    sender: Literal["server", "bot"]
    type: Any
    examples: tuple[str, ...]
    """As they stand on the connection."""
    then: str = ""
    """What happens next, or is expected."""


class Mistake(Struct, frozen=True):
    """A wrong message of a bot, and what comes of it."""

    sent: str
    """As it stands on the connection."""
    answered: str
    """The error's code or our words for it, as the bot's author can read them."""
    rule: str
    """Which sentence of the contest's rules it breaks."""


class Protocol(Struct, frozen=True):
    """The messages of one contest."""

    about: str
    """Markdown: how messages travel, and how much time there is."""
    messages: tuple[Message, ...]
    mistakes: tuple[Mistake, ...]
    after_a_mistake: str
    """Markdown: what happens after each of `mistakes`."""


SERVER, HOST, PORT, NAME = "{server}", "{host}", "{port}", "{name}"
"""What stands in a command for the address to register at, the host and the port to listen on or to connect to, and
the bot's name.
"""


class Command(Struct, frozen=True):
    """How a bot's program is started. `example` is a whole command, `given` what the starters need behind theirs."""

    example: str
    given: str = ""
    needed: str = ""
    """What every command must have in it; "" for nothing."""


class Starters(Struct, frozen=True):
    """The bots that are handed out: the file with `decide` in it by language, and what to do next.

    In `after` stand {program}, {folder}, {name} and {bot}, the folder that is handed in.
    """

    programs: Mapping[str, str]
    after: str
    named: Callable[[str], str] = lambda name: name
    """The name that a bot gets for the one its author gives. Raises ValueError, in words, where it cannot have one."""


class EventRules(Struct, frozen=True, kw_only=True):
    """What the event file may say about a contest."""

    remote: bool = False
    """Whether entries may run elsewhere, and come by themselves."""
    needs_entries: bool = False
    """Whether bots play only if the file names them."""
    one_table: bool = False
    """Whether all entries must fit at one table."""
    own_table: bool = False
    """Whether chips and blinds are the organiser's to choose."""
    matches: bool = False
    """Whether games are matches, for which the organiser may choose times and duplicates."""
    rounds: bool = False
    """Whether whole games are counted, if the organiser likes."""
    season: bool = False
    """Whether it is played as a season: games of two, at any time, also on workers."""
    buy_in_cents: int = 0
    unused: tuple[str, ...] = ()
    """Keys of the example that mean nothing here."""


class OwnTable(Struct, frozen=True):
    """What the organiser says of the chips that a game begins with, blinds and hands of a game; 0 and (): nothing.

    Milliseconds are those for an answer and, on average over a game, for a hand.
    """

    stack: int = 0
    levels: tuple[Level, ...] = ()
    hands: int = 0
    duplicate: bool = False
    """Whether games are played again with the same cards and the seats exchanged."""
    answer_ms: int = 0
    hand_ms: int = 0


class Sample(Struct, frozen=True):
    """Where the guide has its examples of messages from: what the first seat is sent while some hands are played."""

    stacks: tuple[int, ...]
    named: Callable[[Any], tuple[str, str]]
    """A message's name and its text."""
    after: tuple[Event, ...] = ()
    """Events that follow the hands."""
    more: Callable[[Any], Iterable[Any]] = lambda _: ()
    """Further messages of the dialect."""


class Contest(Struct, frozen=True, kw_only=True):
    """A contest. All of it is pure but `venue`, `seat` and `checker`, which import when they are called."""

    id: str
    """As in recordings and on the command line: "quick-draw"."""
    name: str
    """As people say it: "Quick Draw"."""
    format: Format
    venue: "Callable[[], Venue]"
    """What tournaments, demos and practice are held with."""
    seat: "Callable[[Seats, int, Side], Awaitable[Arrived]]"
    """Starts the bot of a match as that number, and seats it.

    Raises Refusal where it cannot be played with, CannotRun where this machine has no boxes, OSError.
    """
    protocol: Protocol
    sample: Sample
    words: Words
    command: Command
    starters: Starters
    event: EventRules
    dialect: Callable[[], Dialect] | None = None
    """What bots say that hold a connection; None where they are called."""
    calls: Callable[[Sequence[Entrant]], HttpDialect] | None = None
    """How bots are called over HTTP, given all entrants; None where they hold a connection."""
    demo: Format | None = None
    """How a demo plays it, if not by its format."""
    checker: "Callable[[], Checker] | None" = None
    """Checks what is handed in; None where nothing is."""
    handed_in: str = ""
    """The file by which a bot's folder is known that can be handed in; "" where bots are no folders."""
    own_file: str = ""
    """The ending of event files of its own kind, such as ".json"."""
    registers: bool = True
    """Whether bots that hold a connection register first; else each connects to a port that is its own."""
    arranged: Callable[[OwnTable], Format] | None = None
    """Its format at the organiser's table; None where what is said there changes nothing else."""
    waited_for: bool = False
    """Whether its author may start a bot by hand, which then comes by itself."""
    practised: bool = True
    practice_port: int = 0
    """Where practice is by default, if not where everything is."""
    practice_form: str = ""
    """The page on which a bot is entered for practice by hand."""
    starts_with_game: bool = False
    """Whether a bot's program is started with its game, so that its first answer takes longer."""
    hand_log: HandLog | None = None
    """How its hands are written down elsewhere, where that is a form of its own."""
    ready_statuses: frozenset[int] = frozenset()
    """With what a bot that is called answers POST /player/ready, by which its contest is guessed."""

    @property
    def called(self) -> bool:
        """Whether bots are servers that are called; else they hold a connection."""
        return self.calls is not None

    def talk(self) -> Dialect:
        """The dialect of one bot that holds a connection."""
        assert self.dialect, f"bots of {self.name} are called"
        return self.dialect()

    def call(self, entrants: Sequence[Entrant]) -> HttpDialect:
        """The dialect of one bot that is called."""
        assert self.calls, f"bots of {self.name} are not called"
        return self.calls(entrants)

    @property
    def duel(self) -> bool:
        """Whether two play; of several bots each plays each then."""
        return self.format.stages[0].seats == 2

    def situations(self) -> Iterator[Situation]:
        """All situations in which a bot is tried, the simplest first."""
        return situations(self.words.told, duel=self.duel)

    def essentials(self) -> list[Situation]:
        """What every evening brings within an hour."""
        return essentials(self.words.told, duel=self.duel)

    def bot_name(self, name: str) -> str:
        """The name of a bot whose author calls it `name`. Raises ValueError, in words, where it cannot have one."""
        if fault := name_fault(name):
            raise ValueError(fault)
        return self.starters.named(name)
