"""Reads and checks the event file of an evening. Reports all faults at once, each with its line and key.

The modules `event_values` and `event_addresses` read the single values.
"""

import hashlib
import re
import tomllib
import unicodedata
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.config import event_addresses as addresses
from server.config import event_values as values
from server.config.event_brand import BrandingPlan, read_branding
from server.config.event_entries import EntryPlan, check_entries, check_started_entries, read_entries, why_not_sent
from server.config.event_exhibition import ExhibitionPlan, read_exhibition
from server.config.event_format import DealsPlan, read_format
from server.config.event_keys import CHOICES
from server.config.event_reader import Reading, Table, lines_of
from server.config.event_show import VoicePlan, read_bots, read_run_of_show, read_voice
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import EveningRules, OwnTable
from server.errors import EventFaults
from server.game.formats import Format, as_series, with_blinds, with_most_hands
from server.game.prizes import Share, prizes, share_out
from server.game.rules import Level
from server.journal.link import BotReport, ShowItem

_SHORT_TIME = re.compile(r"^(\s*finish_trials_by\s*=\s*)(\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)(?=\s*(?:#.*)?$)", re.MULTILINE)
_AT_LINE = re.compile(r"(?P<fault>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


class EveningPlan(Struct, frozen=True, kw_only=True):
    """The plan of an evening (a tournament with its show). Paths are absolute or relative to the working folder.

    If the event file does not set a value, the value is empty or 0 unless the field has another default.
    """

    name: str
    date: date
    entries: tuple[EntryPlan, ...]
    data: Path
    attempt: int = 1
    """The number of this attempt at the evening, from 1. Each attempt has a recording of its own."""
    mode: str = "tournament"
    contest: str = DEFAULT
    buy_in_cents: int = 500
    shares: tuple[Share, ...] = ()
    seed: bytes = b""
    pace: float = 1.0
    finish_trials_by: datetime | None = None
    """The time by which the first stage should end, in this machine's time zone; None for no limit."""
    start: str = "desk"
    starting_stack: int = 0
    levels: tuple[Level, ...] = ()
    hands_per_level: int = 0
    most_hands: int = 0
    """The maximum number of hands in a game of the last stage; 0 plays until one bot is left."""
    answer_seconds: int = 0
    """The time limit for one answer, in seconds; 0 for the contest's own limit."""
    hand_seconds: int = 0
    """The time limit for a hand in seconds, averaged over a game; 0 for the contest's own limit."""
    duplicate: bool = False
    """Whether games are repeated with the same cards and different seats."""
    rounds: int = 0
    """The number of games in a series, ranked by games won; 0 for the contest's own last stage."""
    think_ms: int = 0
    hand_pause_seconds: float = 0.0
    remarks: tuple[str, ...] = ()
    """Remarks for the organiser, for example on unused keys."""
    season_games: int = 0
    season_pause_seconds: int = 5
    season_invitations: tuple[str, ...] = ()
    """Invitation codes, which admit newcomers at once. If the file has none, a code is derived from the seed."""
    season_at_once: int = 0
    """How many games are played at once; 0 for as many as possible. If this is set, results count in the order in which
    the games started.
    """
    workers_scheduler: str = ""
    workers_certificates: Path | None = None
    runner: str = "auto"
    build_network: bool = False
    registries: tuple[str, ...] = ()
    bot_addresses: tuple[str, ...] = ()
    bot_networks: tuple[str, ...] = ()
    """The networks, besides this machine, in which bots may be HTTP servers."""
    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = ()
    pages_port: int = 8000
    register_port: int = 5000
    game_ports: range = range(0)
    """The ports for bots that connect, so that a firewall can open these ports. If empty, bots get any free ports."""
    control_token: str = ""
    view_token: str = ""
    api_for_all: bool = False
    """Whether pages of any web site may read the API. If false, only pages from nearby addresses may read it (see
    `AllowedHosts`).
    """
    obs_address: str = ""
    obs_password: str = ""
    publish_to: str = ""
    metrics: bool = False
    """Whether `/metrics` is served. Only the command line can set this."""
    bots: tuple[BotReport, ...] = ()
    run_of_show: tuple[ShowItem, ...] = ()
    voice: VoicePlan | None = None
    branding: BrandingPlan | None = None
    exhibition: ExhibitionPlan | None = None
    same_cards: DealsPlan | None = None
    """The deals, if all bots play the same cards; otherwise None."""

    @property
    def slug(self) -> str:
        """The evening's name in file names, such as "2026-11-21-friday-at-the-saloon". The second attempt's name ends
        in "_2".
        """
        plain = unicodedata.normalize("NFKD", self.name).encode("ascii", "ignore").decode().lower()
        name = "-".join([self.date.isoformat(), *re.findall(r"[a-z0-9]+", plain)])
        return name if self.attempt == 1 else f"{name}_{self.attempt}"

    @property
    def label(self) -> str:
        """The label with which this evening's boxes are found and removed. A rehearsal has a different label."""
        return f"{self.slug}-{hashlib.sha256(bytes(self.data)).hexdigest()[:8]}"

    @property
    def recordings(self) -> Path:
        return self.data / "recordings"

    @property
    def media(self) -> Path:
        """The folder with the prepared pictures and sounds."""
        return self.data / "media"

    @property
    def journal(self) -> Path:
        """The path of this evening's recording."""
        return self.recordings / f"{self.slug}.jsonl"

    @property
    def finish_by(self) -> float:
        """The time by which the first stage should end, in seconds since 1970; 0 for no limit."""
        return self.finish_trials_by.timestamp() if self.finish_trials_by else 0.0

    @property
    def arranged(self) -> Format:
        """Returns the contest's format with the title, chips, blinds, length and clock that the organiser has set."""
        contest = self._at_own_table()
        contest = self.same_cards.of(contest) if self.same_cards else contest
        return self.exhibition.of(contest) if self.exhibition else contest

    def _at_own_table(self) -> Format:
        about = CONTESTS[self.contest]
        if about.arranged:
            time_ms = (1000 * self.answer_seconds, 1000 * self.hand_seconds)
            hands = self.same_cards.hands if self.same_cards else self.most_hands
            table = OwnTable(self.starting_stack, self.levels, hands, self.duplicate, *time_ms)
            return replace(about.arranged(table), title=self.name)
        contest = replace(about.format, title=self.name)
        if self.starting_stack:
            contest = replace(contest, starting_stack=self.starting_stack)
        if self.levels:
            contest = with_blinds(contest, self.levels, self.hands_per_level)
        if self.think_ms:
            contest = replace(contest, rules=replace(contest.rules, think_ms=self.think_ms))
        if self.most_hands:
            contest = with_most_hands(contest, self.most_hands)
        return as_series(contest, self.rounds) if self.rounds else contest

    def purse(self, bots: int) -> tuple[int, ...]:
        """Returns the prize of each place in cents, if the given number of bots pay the buy-in. Raises ValueError if
        the prizes exceed the pool.
        """
        pool = self.buy_in_cents * bots
        return share_out(pool, self.shares) if self.shares else prizes(pool) if pool else ()


def read_event(path: Path) -> EveningPlan:
    """Reads the plan in the file at `path`. Raises OSError, or EventFaults with all faults in the file."""
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        found = tomllib.loads(_SHORT_TIME.sub(r'\1"\2"', text), parse_float=Decimal)
    except UnicodeDecodeError:
        raise EventFaults([f"{path.name}: the file is not UTF-8 text"]) from None
    except tomllib.TOMLDecodeError as error:
        match = _AT_LINE.fullmatch(str(error))
        where = f"{path.name} line {match['line']}" if match and match["line"] else path.name
        raise EventFaults([f"{where}: not valid TOML: {match['fault'] if match else error}"]) from None
    reading = Reading(path.name, lines_of(text))
    plan = _read_plan(reading, found, path.parent)
    _check_together(reading, plan)
    if reading.faults:
        raise EventFaults([fault for _, fault in sorted(reading.faults)])
    return plan


def _read_plan(reading: Reading, found: Table, beside: Path) -> EveningPlan:
    reading.check_keys(found, "", "")
    day = reading.require(found, "", "date", values.day, date(2000, 1, 1))
    ports, tokens, api, obs, publish = (
        reading.table(found, key) for key in ("ports", "tokens", "api", "obs", "publish")
    )
    own_table, season, workers = (reading.table(found, key) for key in ("table", "season", "workers"))
    contest = reading.read(found, "", "contest", values.choice(*CHOICES["contest"]), DEFAULT)
    rules = CONTESTS[contest].event
    mode = reading.read(found, "", "mode", values.choice(*CHOICES["mode"]), "tournament")
    same_cards = read_format(reading, found, CONTESTS[contest], evening=mode == "tournament")
    return EveningPlan(
        name=reading.require(found, "", "name", values.title, ""),
        date=day,
        entries=read_entries(
            reading,
            found,
            beside,
            CONTESTS[contest],
            needed=mode == "tournament" and bool(rules.needs_entries or same_cards),
        ),
        data=reading.read(found, "", "data", partial(values.folder, beside), beside / "data"),
        mode=mode,
        contest=contest,
        buy_in_cents=reading.read(found, "", "buy_in", values.cents, rules.buy_in_cents),
        shares=reading.read(found, "", "prizes", values.shares, ()),
        seed=reading.read(found, "", "seed", values.seed, b""),
        pace=reading.read(found, "", "pace", values.pace, 1.0),
        finish_trials_by=reading.read(found, "", "finish_trials_by", partial(values.evening_moment, day), None),
        start=reading.read(found, "", "start", values.choice(*CHOICES["start"]), "desk"),
        starting_stack=reading.number(own_table, "table.starting_stack", 0),
        levels=reading.read(own_table, "table", "blinds", values.blinds, ()),
        hands_per_level=reading.number(own_table, "table.hands_per_level", 0),
        most_hands=_read_most_hands(reading, own_table),
        answer_seconds=reading.number(own_table, "table.answer_seconds", 0),
        hand_seconds=reading.number(own_table, "table.hand_seconds", 0),
        duplicate=reading.read(own_table, "table", "duplicate", values.truth, False),
        rounds=reading.number(own_table, "table.rounds", 0),
        season_games=reading.number(season, "season.games", 0),
        season_pause_seconds=reading.number(season, "season.pause_seconds", 5),
        season_invitations=reading.read(season, "season", "invitations", values.invitations, ()),
        season_at_once=reading.number(season, "season.at_once", 0),
        workers_scheduler=reading.read(workers, "workers", "scheduler", addresses.scheduler, ""),
        workers_certificates=reading.read(workers, "workers", "certificates", partial(values.folder, beside), None),
        runner=reading.read(found, "", "runner", values.choice(*CHOICES["runner"]), "auto"),
        build_network=reading.read(found, "", "build_network", values.truth, False),
        registries=reading.read(found, "", "registries", addresses.registries, ()),
        bot_addresses=reading.read(found, "", "bot_addresses", addresses.hosts, ()),
        bot_networks=reading.read(found, "", "bot_networks", addresses.networks, ()),
        host=reading.read(found, "", "host", addresses.host, "127.0.0.1"),
        hosts=reading.read(found, "", "hosts", addresses.hosts, ()),
        pages_port=reading.read(ports, "ports", "pages", addresses.port, 8000),
        register_port=reading.read(ports, "ports", "register", addresses.port, 5000),
        game_ports=reading.read(ports, "ports", "games", addresses.port_range, range(0)),
        control_token=reading.read(tokens, "tokens", "control", values.secret, ""),
        view_token=reading.read(tokens, "tokens", "view", values.secret, ""),
        api_for_all=reading.read(api, "api", "readers", values.choice(*CHOICES["api.readers"]), "near") == "everybody",
        obs_address=reading.read(obs, "obs", "address", addresses.address, "127.0.0.1:4455" if "obs" in found else ""),
        obs_password=reading.read(obs, "obs", "password", values.text, ""),
        publish_to=reading.read(publish, "publish", "to", partial(addresses.resolved_path, beside), ""),
        bots=read_bots(reading, found),
        run_of_show=read_run_of_show(reading, found, day),
        voice=read_voice(reading, found, beside),
        branding=read_branding(reading, found, beside),
        same_cards=same_cards,
        exhibition=read_exhibition(
            reading, found, evening=mode == "tournament" and not (rules.season and not same_cards)
        ),
    )


def _read_most_hands(reading: Reading, found: Table) -> int:
    """Returns the maximum number of hands in a game. Its key is `most_hands` or, in a series, `max_hands_per_round`."""
    key, other = "most_hands", "max_hands_per_round"
    if "rounds" in found:
        key, other = other, key
    if other in found:
        why = "with rounds" if "rounds" in found else "without rounds"
        reading.fault(f"table.{other}", f"is the wrong key: {why}, the limit is {key}")
    return reading.number(found, f"table.{key}", 0)


def _check_together(reading: Reading, plan: EveningPlan) -> None:
    if plan.pages_port == plan.register_port != 0:
        why = "two servers cannot listen on one port"
        reading.fault("ports.pages", f"should differ from ports.register ({plan.register_port}): {why}")
    if plan.control_token and plan.control_token == plan.view_token:
        reading.fault("tokens.view", "should differ from tokens.control: viewers must not control the show")
    _check_contest(reading, plan)
    if sum(share.cents for share in plan.shares) and not plan.buy_in_cents:
        reading.fault("prizes", "promises dollars, but buy_in is 0, so the pool is empty")


def _check_contest(reading: Reading, plan: EveningPlan) -> None:
    own_table = plan.starting_stack or plan.levels or plan.hands_per_level or plan.most_hands
    rules = CONTESTS[plan.contest].event
    if not rules.own_table and own_table:
        those = _name_contests(lambda each: each.own_table)
        reading.fault("table", f'is for {those}: in "{plan.contest}" the rule book sets chips and blinds')
    _check_matches(reading, plan)
    if plan.publish_to and plan.mode == "practice":
        reading.fault("publish.to", "is for a show: practice games are for the authors of their bots")
    if plan.voice and (plan.mode == "practice" or (rules.season and not plan.same_cards)):
        reading.fault("voice", "is for the show of an evening: practice games and seasons have none")
    if plan.rounds and not rules.rounds:
        those = _name_contests(lambda each: each.rounds)
        why = f'"{plan.contest}" is not played in whole games that are counted'
        reading.fault("table.rounds", f"is for {those}: {why}")
    seasons = _name_contests(lambda each: each.season)
    if (plan.season_games or plan.season_invitations or plan.season_at_once) and not rules.season:
        reading.fault("season", f'is for {seasons}; "{plan.contest}" has none')
    _check_workers(reading, plan)
    if plan.hands_per_level and not plan.levels:
        reading.fault("table.hands_per_level", "needs blinds of your own; write them as well")
    if len(plan.levels) > 1 and not plan.hands_per_level:
        reading.fault("table.blinds", "has more than one level; set hands_per_level to say how long each lasts")
    if plan.same_cards:
        check_started_entries(reading, plan.entries, CONTESTS[plan.contest])
    else:
        check_entries(reading, plan.entries, CONTESTS[plan.contest], plan.game_ports)


def _check_workers(reading: Reading, plan: EveningPlan) -> None:
    if plan.workers_scheduler and plan.same_cards and (fault := why_not_sent(plan.entries)):
        reading.fault("workers", fault)
    if plan.workers_scheduler and not (CONTESTS[plan.contest].event.season or plan.same_cards):
        seasons = _name_contests(lambda each: each.season)
        where = f'"{plan.contest}" is played on this machine'
        reading.fault("workers", f"only play seasons of {seasons}, and [format] with same_cards = true; {where}")


def _check_matches(reading: Reading, plan: EveningPlan) -> None:
    settings = {"duplicate": plan.duplicate, "answer_seconds": plan.answer_seconds, "hand_seconds": plan.hand_seconds}
    for key in (key for key, value in settings.items() if value and not CONTESTS[plan.contest].event.matches):
        reading.fault(f"table.{key}", f'is for matches, and "{plan.contest}" has none')


def _name_contests(fits: Callable[[EveningRules], bool]) -> str:
    return " and ".join(f'"{each.id}"' for each in CONTESTS.values() if fits(each.event))
