"""Reads hands in the format PHH (Poker Hand History), from files of one hand (.phh) or many (.phhs). Checks the form
and size of the hands. All functions are pure.

The format is TOML (see https://github.com/uoftcprg/phh-std). Another module, `engine_replay`, tries to play the hands.
"""

import contextlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import islice, pairwise, starmap
from math import lcm
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct, field

from server.game.events import Fault

MAX_HAND_BYTES = 100_000
MAX_HANDS = 50_000
"""The maximum number of hands in a file, including hands that cannot be played. If a file has more hands, readers stop
after MAX_HANDS + 1 hands, so that callers notice the excess.
"""
MAX_PLAYERS = 12
MAX_ACTIONS = 1_000
"""The maximum number of actions in a hand. Even twelve players who always make the smallest raise need fewer."""
MAX_AMOUNT = 10**9
MAX_DECIMALS = 4
"""The maximum number of decimal places of an amount. An amount with more decimal places is a fault of the file."""
MAX_TEXT_CHARACTERS = 200
"""How many characters of a name or title are read."""
MAX_KEY_PARTS = 6
"""The maximum number of parts of a key. PHH's keys have one. With many thousand parts, the TOML reader takes hours."""
MAX_DOTS = 60
"""The maximum number of dots before an equals sign. Dots in comments count, too. A hand with more dots is refused."""
_HEADING = re.compile(r"""^[ \t]*\[[ \t]{0,8}(["']?)[\w -]{1,40}\1[ \t]{0,8}\][ \t\r]*(?:\#.*)?$""", re.MULTILINE)
"""Matches the heading of a hand in a file of several hands: the hand's name in brackets."""
_LONG_KEY = re.compile(r"""(?:[\w"'-]+\s*\.\s*){6}[\w"'-]+\s*\Z""")


class BadHistory(ValueError):
    """The file is not a hand history, or the engine cannot play one of its hands. The message says what is wrong."""


class PublishedHand(Struct, frozen=True, kw_only=True):
    """A hand as a file describes it. Lists begin with the player in the small blind. With only two players, all lists
    except `antes` and `blinds` begin with the player in the big blind.
    """

    where: str
    """Which hand of the file this is, such as "hand 3"."""
    antes: tuple[Decimal, ...]
    blinds: tuple[Decimal, ...]
    """The small blind, the big blind, and then the straddles of further players (0 for none)."""
    min_bet: Decimal
    stacks: tuple[Decimal, ...]
    finishing_stacks: tuple[Decimal, ...]
    """The stacks after the hand, or () if the file does not say."""
    actions: tuple[str, ...]
    players: tuple[str, ...]
    """The players' names, or () if the file does not say."""
    seats: tuple[int, ...] = ()
    event: str = ""
    start_time: str = ""
    """The date and time of the hand in ISO 8601, or only the date, or "", depending on what the file says."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """The rules that differ from the standard rules. Only High Noon writes this field."""
    think_ms: tuple[int, ...] = ()
    faults: tuple[Fault, ...] = ()
    """`think_ms` and `faults` have one value for each action of a player. Only High Noon writes these two fields."""
    replay_difference: str = ""
    """How the replayed hand will differ from the file, or "" if it will be the same."""


class _Fields(Struct):
    """The fields that are read, with their types. All other fields are ignored."""

    variant: str
    antes: list[Any]
    blinds_or_straddles: list[Any]
    min_bet: Any
    starting_stacks: list[Any]
    actions: list[str]
    finishing_stacks: list[Any] = []
    players: list[str] = []
    seats: list[int] = []
    event: str = ""
    year: int = 0
    month: int = 0
    day: int = 0
    time: Any = None
    time_zone: str = ""
    rules: dict[str, Any] = field(default_factory=dict, name="_rules")
    think_ms: list[int] = field(default_factory=list, name="_think_ms")
    faults: list[Fault] = field(default_factory=list, name="_faults")


def read_phh(text: str) -> Iterator[PublishedHand | BadHistory]:
    """Yields the hands of a .phh or .phhs file. For an unusable hand, yields a BadHistory instead.

    Raises BadHistory if there is no hand, or if the text before the first heading is not valid.
    """
    headings = [match.start() for match in islice(_HEADING.finditer(text), MAX_HANDS + 1)]
    preamble = _parse_toml("", text[: headings[0]] if headings else text)
    if "variant" in preamble:  # no headings divide the file, so it is a single hand
        yield _read_hand("the hand", _parse_toml("", text))
        return
    if not headings and not _tables(preamble):
        raise BadHistory("there is no hand in it: neither the field 'variant' nor numbered tables of hands")
    yield from starmap(_read_hand, _tables(preamble))
    for begin, end in pairwise([*headings, len(text)]):
        name = text[begin:end].partition("]")[0].strip("[ \t\"'")[:20]
        try:
            tables = _tables(_parse_toml(f"hand {name}: ", text[begin:end]))
        except BadHistory as error:
            yield error
        else:
            yield from starmap(_read_hand, tables)


def _tables(raw: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(f"hand {name[:20]}", table) for name, table in raw.items() if isinstance(table, dict)]


def _read_hand(where: str, raw: dict[str, Any]) -> PublishedHand | BadHistory:
    if raw.get("variant") != "NT":
        variant = str(raw.get("variant"))[:20]
        return BadHistory(f"{where}: {variant!r} is not no-limit hold'em (NT), the only game that can be shown")
    try:
        hand = _to_published(where, msgspec.convert(raw, _Fields))
        check_lengths(hand)
    except BadHistory as error:
        return error
    except msgspec.ValidationError as error:
        return BadHistory(f"{where}: {str(error)[:200]}")
    except RecursionError:
        return BadHistory(f"{where}: nested too deeply")
    return hand


def scale_of(hands: Iterable[PublishedHand]) -> int:
    """Returns the smallest factor that turns all amounts in `hands` into whole numbers. Raises BadHistory if an amount
    is invalid.
    """
    return lcm(*{amount.as_integer_ratio()[1] for hand in hands for amount in _amounts(hand)})


def amount_of(value: Any) -> Decimal:
    """Parses an amount of chips, 0 or more. Raises ValueError with a message without a subject: "is not a number"."""
    if isinstance(value, str):
        value = Decimal(value) if value.replace(".", "", 1).isdecimal() and len(value) < 20 else value[:20]
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("is not an amount of chips")
    if isinstance(value, Decimal) and not value.is_finite():
        raise ValueError("is not a number")
    if not 0 <= value <= MAX_AMOUNT:
        raise ValueError(f"is not between 0 and {MAX_AMOUNT:,}")
    amount = Decimal(value)
    if amount and -int(amount.normalize().as_tuple().exponent) > MAX_DECIMALS:
        raise ValueError(f"has more than {MAX_DECIMALS} decimal places")
    return amount


def _amounts(hand: PublishedHand) -> Iterable[Decimal]:
    yield from (*hand.antes, *hand.blinds, hand.min_bet, *hand.stacks, *hand.finishing_stacks)
    for action in hand.actions:
        match action.partition("#")[0].split():
            case [_, "cbr", amount]:
                yield _read_amount(hand.where, "a raise", amount)


def _parse_toml(where: str, text: str) -> dict[str, Any]:
    if len(text) > MAX_HAND_BYTES:
        raise BadHistory(f"{where}{len(text):,} characters are too many for one hand (at most {MAX_HAND_BYTES:,})")
    _check_keys(where, text)
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise BadHistory(f"{where}it is not valid TOML: {str(error)[:200]}") from None
    except (ValueError, ArithmeticError, RecursionError):
        raise BadHistory(f"{where}it is not valid TOML: a number is too long, or it is nested too deeply") from None


def _check_keys(where: str, text: str) -> None:
    """Raises BadHistory for a key of over MAX_KEY_PARTS parts, or for over MAX_DOTS dots before an equals sign."""
    for number, line in enumerate(text.split("\n"), 1):
        is_long_heading = line.strip().startswith("[") and line.count(".") > MAX_KEY_PARTS and '"' not in line
        keys = line.split("=")[:-1]
        if is_long_heading or any(
            key.count(".") > MAX_DOTS or _LONG_KEY.search(key[-MAX_TEXT_CHARACTERS:]) for key in keys
        ):
            raise BadHistory(f"{where}line {number}: a name of more than {MAX_KEY_PARTS} parts")


def _to_published(where: str, fields: _Fields) -> PublishedHand:
    def read_amounts(label: str, values: list[Any]) -> tuple[Decimal, ...]:
        return tuple(_read_amount(where, label, value) for value in values[: MAX_PLAYERS + 1])

    return PublishedHand(
        where=where,
        antes=read_amounts("an ante", fields.antes),
        blinds=read_amounts("a blind", fields.blinds_or_straddles),
        min_bet=_read_amount(where, "the smallest bet", fields.min_bet),
        stacks=read_amounts("a starting stack", fields.starting_stacks),
        finishing_stacks=read_amounts("a finishing stack", fields.finishing_stacks),
        actions=tuple(fields.actions[: MAX_ACTIONS + 1]),
        players=tuple(name[:MAX_TEXT_CHARACTERS] for name in fields.players[: MAX_PLAYERS + 1]),
        seats=tuple(fields.seats[: MAX_PLAYERS + 1]),
        event=fields.event[:MAX_TEXT_CHARACTERS],
        start_time=_start_time(fields),
        rules=fields.rules,
        think_ms=tuple(fields.think_ms[:MAX_ACTIONS]),
        faults=tuple(fields.faults[:MAX_ACTIONS]),
    )


def _start_time(fields: _Fields) -> str:
    """Returns when the hand started: in UTC if the file names a known time zone, else without a time zone."""
    try:
        day = date(fields.year, fields.month, fields.day)
    except (ValueError, OverflowError):
        return ""
    if not isinstance(fields.time, time):
        return day.isoformat()
    moment = datetime.combine(day, fields.time.replace(microsecond=0))
    with contextlib.suppress(ValueError, LookupError, OSError):  # zoneinfo raises these for unknown zones
        return moment.replace(tzinfo=ZoneInfo(fields.time_zone)).astimezone(UTC).isoformat(" ")
    return moment.isoformat(" ")


def check_lengths(hand: PublishedHand) -> None:
    """Raises BadHistory for too few or too many players, too many actions, a player without chips, or a list that does
    not have exactly one value for each player.
    """
    count = len(hand.stacks)
    if not 2 <= count <= MAX_PLAYERS:
        number = f"more than {MAX_PLAYERS}" if count > MAX_PLAYERS else str(count)
        raise BadHistory(f"{hand.where}: {number} starting stacks (2 to {MAX_PLAYERS} can sit at the table)")
    lists = {"antes": hand.antes, "blinds_or_straddles": hand.blinds}
    optional_lists = {"finishing_stacks": hand.finishing_stacks, "players": hand.players, "seats": hand.seats}
    for name, values in (lists | {name: values for name, values in optional_lists.items() if values}).items():
        if len(values) != count:
            raise BadHistory(f"{hand.where}: '{name}' needs one value for each of the {count} players")
    if len(hand.actions) > MAX_ACTIONS:
        raise BadHistory(f"{hand.where}: more than {MAX_ACTIONS:,} actions")
    if not all(hand.stacks):
        raise BadHistory(f"{hand.where}: somebody has no chips to start with")


def _read_amount(where: str, label: str, value: Any) -> Decimal:
    try:
        return amount_of(value)
    except ValueError as error:
        raise BadHistory(f"{where}: {label} {error}") from None
