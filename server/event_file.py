"""The event file of a tournament day: read whole, checked whole, and every mistake told at once, by line and key.

How a single value is read is for `event_values`; what the plan leads to is for the front door.
"""

import re
import tomllib
import unicodedata
from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

from msgspec import Struct

from server import event_values as values
from server.event_entries import EntryPlan, read_entries
from server.event_reading import Reading, Table
from server.game.prizes import Share, prizes, share_out
from server.toml_lines import lines_of

NIGHT_ENDS = time(6)
"""A time before this is of the night that follows the day."""
_CONTESTS_TO_COME = ("enova", "upac", "arena")
_SHORT_TIME = re.compile(r"^(\s*finish_trials_by\s*=\s*)(\d\d:\d\d)(?=\s*(?:#.*)?$)", re.MULTILINE)
_AT_LINE = re.compile(r"(?P<words>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


class EventFaults(ValueError):
    """Everything that is wrong with an event file, a sentence each."""

    def __init__(self, faults: Collection[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class EventPlan(Struct, frozen=True, kw_only=True):
    """A tournament day as its organiser wants it. All paths are absolute or relative to the working folder."""

    name: str
    date: date
    entries: tuple[EntryPlan, ...]
    data: Path
    mode: str = "tournament"
    contest: str = "quick-draw"
    buy_in_cents: int = 500
    shares: tuple[Share, ...] = ()
    """Of the places, best first; none: the rule book's."""
    seed: bytes = b""
    """b"": to be drawn afresh, and kept with the recording."""
    pace: float = 1.0
    finish_trials_by: datetime | None = None
    """With its time zone, this machine's."""
    start: str = "desk"
    runner: str = "auto"
    bot_addresses: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = ()
    pages_port: int = 8000
    register_port: int = 5000
    control_token: str = ""
    """"": to be made afresh, and kept with the recording; so the other one."""
    view_token: str = ""
    obs_address: str = ""
    """Where OBS listens ("127.0.0.1:4455"); "": nobody talks with it."""
    obs_password: str = ""

    @property
    def slug(self) -> str:
        """The event's name as a file's: "2026-11-21-friday-at-the-saloon"."""
        plain = unicodedata.normalize("NFKD", self.name).encode("ascii", "ignore").decode().lower()
        return "-".join([self.date.isoformat(), *re.findall(r"[a-z0-9]+", plain)])

    @property
    def recordings(self) -> Path:
        return self.data / "recordings"

    @property
    def media(self) -> Path:
        return self.data / "media"

    @property
    def journal(self) -> Path:
        return self.recordings / f"{self.slug}.jsonl"

    @property
    def finish_by(self) -> float:
        """Seconds since 1970; 0: whenever it is."""
        return self.finish_trials_by.timestamp() if self.finish_trials_by else 0.0

    def purse(self, bots: int) -> tuple[int, ...]:
        """What each place gets, in cents, when so many bots are entered. Raises ValueError for a promise too large."""
        pool = self.buy_in_cents * bots
        return share_out(pool, self.shares) if self.shares else prizes(pool)


def read_event(path: Path) -> EventPlan:
    """The plan in the file at `path`. Raises OSError, or EventFaults with all that is wrong."""
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        found = tomllib.loads(_SHORT_TIME.sub(r'\1"\2"', text), parse_float=Decimal)
    except UnicodeDecodeError:
        raise EventFaults([f"{path.name}: the file is not UTF-8 text"]) from None
    except tomllib.TOMLDecodeError as error:
        raise EventFaults([_syntax_fault(path.name, str(error))]) from None
    reading = Reading(path.name, lines_of(text))
    plan = _plan(reading, found, path.parent)
    _check_together(reading, plan)
    if reading.faults:
        raise EventFaults([words for _, words in sorted(reading.faults)])
    return plan


def _syntax_fault(file: str, words: str) -> str:
    at = _AT_LINE.fullmatch(words)
    where = f"{file} line {at['line']}" if at and at["line"] else file
    return f"{where}: not written as TOML is: {at['words'] if at else words}"


def _plan(reading: Reading, found: Table, beside: Path) -> EventPlan:
    """The plan as far as it can be read."""
    reading.known(found, "", "")
    day = reading.must(found, "", "date", values.day, date(2000, 1, 1))
    ports, tokens, obs = (reading.table(found, key) for key in ("ports", "tokens", "obs"))
    mode = reading.take(found, "", "mode", values.choice("tournament", "practice"), "tournament")
    return EventPlan(
        name=reading.must(found, "", "name", values.title, ""),
        date=day,
        entries=read_entries(reading, found, beside, mode),
        data=reading.take(found, "", "data", values.folder(beside), beside / "data"),
        mode=mode,
        contest=reading.take(found, "", "contest", _contest, "quick-draw"),
        buy_in_cents=reading.take(found, "", "buy_in", values.cents, 500),
        shares=reading.take(found, "", "prizes", values.shares, ()),
        seed=reading.take(found, "", "seed", values.seed, b""),
        pace=reading.take(found, "", "pace", values.pace, 1.0),
        finish_trials_by=reading.take(found, "", "finish_trials_by", lambda value: _moment(day, value), None),
        start=reading.take(found, "", "start", values.choice("desk", "bots"), "desk"),
        runner=reading.take(found, "", "runner", values.choice("auto", "docker", "light"), "auto"),
        bot_addresses=reading.take(found, "", "bot_addresses", values.hosts, ()),
        host=reading.take(found, "", "host", values.host, "127.0.0.1"),
        hosts=reading.take(found, "", "hosts", values.hosts, ()),
        pages_port=reading.take(ports, "ports", "pages", values.port, 8000),
        register_port=reading.take(ports, "ports", "register", values.port, 5000),
        control_token=reading.take(tokens, "tokens", "control", values.secret, ""),
        view_token=reading.take(tokens, "tokens", "view", values.secret, ""),
        obs_address=reading.take(obs, "obs", "address", values.address, "127.0.0.1:4455" if "obs" in found else ""),
        obs_password=reading.take(obs, "obs", "password", values.text, ""),
    )


def _check_together(reading: Reading, plan: EventPlan) -> None:
    """What is right by itself, but not beside the rest."""
    if plan.pages_port == plan.register_port != 0:
        why = "two programs listen there"
        reading.fault("ports.pages", f"should differ from ports.register ({plan.register_port}): {why}")
    if plan.control_token and plan.control_token == plan.view_token:
        reading.fault("tokens.view", "should differ from tokens.control: who may only look must not steer")
    if sum(share.cents for share in plan.shares) and not plan.buy_in_cents:
        reading.fault("prizes", "promises dollars, but buy_in is 0 and so is the pool")


def _contest(value: object) -> str:
    if value in _CONTESTS_TO_COME:
        raise ValueError(f'"{value}" is not played here yet; there is "quick-draw"')
    return values.choice("quick-draw")(value)


def _moment(day: date, value: object) -> datetime:
    """A time on the day of the event, or in the night after it; or a day and a time."""
    if isinstance(value, datetime):
        return value.astimezone()
    at = values.clock_time(value)
    return datetime.combine(day + timedelta(days=at < NIGHT_ENDS), at).astimezone()
