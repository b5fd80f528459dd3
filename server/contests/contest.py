"""Describes a contest: its poker rules, its messages, how to start its bots, and what else sets it apart."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from server.bots.dialects.http_calls import HttpDialect
from server.bots.dialects.messages import MAX_COST_DOLLARS, MAX_TOKENS, Dialect
from server.bots.dialects.wire import Wire
from server.contests.probe_situations import RuleTexts, Situation, essentials, situations
from server.game.events import Entrant, Event
from server.game.formats import Format
from server.game.rules import Level
from server.hand_histories.hand_log import HandLog
from server.text.names_and_chat import name_fault

if TYPE_CHECKING:
    from server.app.check.checker import Checker
    from server.app.sparring.bot_launcher import BotLauncher
    from server.app.sparring.sides import Side
    from server.app.venue.venue import Venue
    from server.tournament.director import ConnectedBot


NO_PRACTICE = "{name} has no practice games. For a test game of a bot against itself, run `highnoon check`"
"""The answer to a request for a practice game in a contest that has none. `{name}` is the contest's name."""
Count = Annotated[int, Meta(ge=0, description="whole number")]
Chips = Annotated[int, Meta(ge=0, description="chips")]
"""A number of chips in a message."""
Digits = Annotated[str, Meta(pattern="^[0-9]{1,40}$", description='digits, such as `"300"`')]
Note = Annotated[str, Meta(description="text")]
"""A bot's own comment on its action."""
Tokens = Annotated[int, Meta(ge=0, le=MAX_TOKENS, description="whole number")]
Cost = Annotated[float, Meta(ge=0, le=MAX_COST_DOLLARS, description="dollars, such as `0.0042`")]
"""The dollars that a bot has spent since its last note, by its own report."""
Name = Annotated[str, Meta(min_length=1, max_length=30, description="text of at most 30 characters")]


class Message(Struct, frozen=True):
    """A kind of message. `type` is a Struct with the message's fields, or a regular expression for its text."""

    name: str
    sender: Literal["server", "bot"]
    type: Any
    examples: tuple[str, ...]
    """Examples of the message, exactly as they are sent."""
    what_next: str = ""
    """What follows the message, in Markdown. If `type` is a regular expression, this text describes the message."""


class Mistake(Struct, frozen=True):
    """An invalid message from a bot, and the server's report of it."""

    sent: str
    """The exact text of the message."""
    reported_as: str
    """The error code or message that the author reads."""
    rule: str
    """The rule that the message breaks."""


class Protocol(Struct, frozen=True):
    """The messages of one contest."""

    about: str
    """How messages are sent, and how long a bot has to answer, in Markdown."""
    messages: tuple[Message, ...]
    mistakes: tuple[Mistake, ...]
    after_a_mistake: str
    """What happens to a bot that makes one of `mistakes`, in Markdown."""


SERVER, HOST, PORT, NAME = "{server}", "{host}", "{port}", "{name}"
"""Placeholders in a command: the server's address, the host and port to use, and the bot's name."""


class Command(Struct, frozen=True):
    """How to start a bot's program."""

    example: str
    """A complete command, as an example."""
    starter_arguments: str = ""
    """The command-line arguments of the starter bots. Authors copy a starter bot to begin a bot of their own."""
    required_text: str = ""
    """Text that every command must contain, or ""."""


class Starters(Struct, frozen=True):
    """The starter bots, and the instructions that are printed after a starter bot is created."""

    programs: Mapping[str, str]
    """For each language, the file with the function `decide`. This function chooses the bot's actions."""
    instructions: str
    """The printed instructions. The placeholder {bot} is the folder to submit, and {register} is the command that
    registers a bot for practice. Other placeholders are {program}, {folder}, {name} and {curl}.
    """
    make_bot_name: Callable[[str], str] = lambda name: name
    """Makes a bot's name from the name that the author chose. Raises ValueError with the reason if the name is refused.
    """


class EveningRules(Struct, frozen=True, kw_only=True):
    """The rules for an evening (a tournament with its show): what the contest demands, and what the organiser may set
    in the event file, which configures the evening.
    """

    has_remote_bots: bool = False
    """Whether bots may run on their authors' machines and connect from there."""
    needs_entries: bool = False
    """Whether only bots in the event file may play."""
    one_table: bool = False
    """Whether all bots play at one table. If so, only as many bots may enter as the table has seats."""
    allows_custom_table: bool = False
    """Whether the organiser may choose chips and blinds."""
    has_matches: bool = False
    """Whether each game is a match of many hands. If so, the organiser may choose time limits and whether matches are
    repeated with the same cards.
    """
    allows_series: bool = False
    """Whether a tournament may be a series of games. A series ranks its bots by the number of games that they win."""
    is_season: bool = False
    """Whether the contest is a season, in which pairs of bots play games at any time. Workers, which may be other
    machines, can run these games.
    """
    buy_in_cents: int = 0
    """The default buy-in."""
    unused_keys: tuple[str, ...] = ()
    """Keys of the example event file that do not apply to this contest."""


class TableSettings(Struct, frozen=True):
    """The organiser's starting chips, blinds, hands per game and time limits. Where a field is 0 or (), the contest's
    own value applies.
    """

    stack: int = 0
    levels: tuple[Level, ...] = ()
    hands: int = 0
    duplicate: bool = False
    """Whether games are repeated with the same cards and different seats."""
    answer_ms: int = 0
    hand_ms: int = 0
    """The time that a player may take for a hand, on average over a game."""


class Sample(Struct, frozen=True):
    """A few hands between seats that begin with `stacks` chips. The guide for bots' authors shows the first seat's
    messages in these hands as examples.
    """

    stacks: tuple[int, ...]
    name_and_text: Callable[[Any], tuple[str, str]]
    """Returns the name and the text of a message."""
    events_after: tuple[Event, ...] = ()
    """Events to send after the hands."""
    more_messages: Callable[[Any], Iterable[Any]] = lambda _: ()
    """Returns further example messages, which do not occur in these hands."""


class Contest(Struct, frozen=True, kw_only=True):
    """A contest. `venue`, `seat_bot` and `checker` are functions that import their modules only when they are called.
    All other fields are data or pure functions.
    """

    id: str
    """The id in recordings and on the command line, such as "quick-draw"."""
    name: str
    """The name to display, such as "Quick Draw"."""
    format: Format
    venue: "Callable[[], Venue]"
    """Makes the venue, which runs tournaments, demos and practice games."""
    seat_bot: "Callable[[BotLauncher, int, Side], Awaitable[ConnectedBot]]"
    """Starts a bot, and seats it for a match. The second argument is the bot's number.

    Raises Refusal if the bot cannot play, CannotRun if this machine has no sandboxes, and OSError.
    """
    wire: Callable[[], Wire]
    """Makes a wire. It translates the contest's messages into terms that all contests share, so that the same bot can
    play in every contest.
    """
    protocol: Protocol
    sample: Sample
    rule_texts: RuleTexts
    command: Command
    starters: Starters
    evening_rules: EveningRules
    dialect: Callable[[], Dialect] | None = None
    """Makes the dialect of a bot that connects to the server. The dialect reads and writes the bot's messages. The
    field is None if bots are HTTP servers.
    """
    http_dialect: Callable[[Sequence[Entrant]], HttpDialect] | None = None
    """Makes the dialect of a bot that is an HTTP server. The argument is the list of all entrants. The field is None if
    bots connect to the server.
    """
    demo: Format | None = None
    """The format of a demo. If this field is None, demos have the format in the field `format`."""
    checker: "Callable[[], Checker] | None" = None
    """Makes the checker of submissions. The field is None if bots are not submitted."""
    marker_file: str = ""
    """The file that marks a bot's folder, or "" if bots are not submitted as folders."""
    event_file_suffix: str = ""
    """The suffix of the contest's own event files, such as ".json"."""
    has_registration: bool = True
    """Whether bots register before they connect. If not, each bot has a port of its own."""
    custom_format: Callable[[TableSettings], Format] | None = None
    """Makes the format with the organiser's settings. If the field is None, the organiser can change only the settings
    that all contests have.
    """
    waits_for_authors: bool = False
    """Whether the server waits for bots that their authors start by hand."""
    has_practice: bool = True
    """Whether the contest has practice games."""
    practice_port: int = 0
    """The default port for practice. 0 means the usual port, 5000."""
    practice_form: str = ""
    """The path of the page where an author enters a bot for practice."""
    starts_with_game: bool = False
    """Whether a bot's program starts only when its game starts. If so, the bot has more time for its first answer."""
    hand_log: HandLog | None = None
    """The contest's own hand history format, if it has one."""
    ready_statuses: frozenset[int] = frozenset()
    """The HTTP statuses with which the contest's bots answer POST /player/ready. From a bot's status, commands such as
    `highnoon probe` find out for which contest the bot was written.
    """

    @property
    def uses_http(self) -> bool:
        """Whether bots are HTTP servers, which High Noon calls. Otherwise bots connect to High Noon."""
        return self.http_dialect is not None

    def make_dialect(self) -> Dialect:
        """Makes the dialect of one bot that connects."""
        assert self.dialect, f"bots of {self.name} are HTTP servers"
        return self.dialect()

    def make_http_dialect(self, entrants: Sequence[Entrant]) -> HttpDialect:
        """Makes the dialect of one bot that is an HTTP server."""
        assert self.http_dialect, f"bots of {self.name} are not HTTP servers"
        return self.http_dialect(entrants)

    @property
    def notified_events(self) -> tuple[type[Event], ...]:
        """The kinds of events that the dialect's method `notify` gets."""
        return self.make_http_dialect(()).notified_events if self.uses_http else self.make_dialect().notified_events

    @property
    def is_duel(self) -> bool:
        """Whether a game has only two bots. If there are more entrants, each pair of entrants plays."""
        return self.format.stages[0].seats == 2

    def situations(self) -> Iterator[Situation]:
        """Yields all situations to test a bot in, simplest first."""
        return situations(self.rule_texts.rules_by_topic, duel=self.is_duel)

    def essentials(self) -> list[Situation]:
        """Returns the situations that occur in every tournament."""
        return essentials(self.rule_texts.rules_by_topic, duel=self.is_duel)

    def bot_name(self, name: str) -> str:
        """Returns the name that a bot gets if its author chooses `name`. Raises ValueError with the reason if `name` is
        refused.
        """
        if fault := name_fault(name):
            raise ValueError(fault)
        return self.starters.make_bot_name(name)
