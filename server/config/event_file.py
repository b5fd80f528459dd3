"""Reads and checks an event file, which has the settings of a tournament and its show. Reports all faults at once, each
with its line and key.
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
from server.config.event_entries import (
    EntryPlan,
    check_entries,
    check_started_entries,
    read_entries,
    why_not_on_workers,
)
from server.config.event_exhibition import ExhibitionPlan, read_exhibition
from server.config.event_format import DealsPlan, read_format
from server.config.event_keys import CHOICES
from server.config.event_reader import EventReader, Table, lines_of
from server.config.event_show import VoicePlan, read_bots, read_run_of_show, read_voice
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import EveningRules, TableSettings
from server.errors import EventFaults
from server.game.formats import Format, as_series, with_blinds, with_hand_limit
from server.game.prizes import Share, divide_pool, standard_prizes
from server.game.rules import Level
from server.journal.studio_link import BotReport, ShowItem

_UNQUOTED_TIME = re.compile(
    r"^(\s*finish_trials_by\s*=\s*)(\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)(?=\s*(?:#.*)?$)", re.MULTILINE
)
_TOML_ERROR = re.compile(r"(?P<fault>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


class EveningPlan(Struct, frozen=True, kw_only=True):
    """The plan of an evening (a tournament with its show). Paths are absolute or relative to the working folder.

    If the event file does not set a value, the field has its default. Only the default buy-in depends on the contest.
    """

    name: str
    date: date
    entries: tuple[EntryPlan, ...]
    data: Path
    attempt: int = 1
    """The number of this attempt to hold the evening, from 1. Each attempt has a recording of its own."""
    mode: str = "tournament"
    contest: str = DEFAULT
    buy_in_cents: int = 500
    shares: tuple[Share, ...] = ()
    seed: bytes = b""
    pace: float = 1.0
    """The speed of the show: 1 is the normal speed, and 0 is as fast as possible."""
    finish_trials_by: datetime | None = None
    """The time by which the first stage should end, in this machine's time zone. None means no limit."""
    start: str = "desk"
    """What starts the tournament: the operator ("desk"), or the moment when all bots are connected ("bots")."""
    starting_stack: int = 0
    levels: tuple[Level, ...] = ()
    hands_per_level: int = 0
    most_hands: int = 0
    """The maximum number of hands in a game of the last stage. 0 means the contest's own limit, if there is one."""
    answer_seconds: int = 0
    """The time limit for one answer, in seconds. 0 means the contest's own limit."""
    hand_seconds: int = 0
    """How many seconds a player may take for a hand, on average over a game. 0 means the contest's own limit."""
    duplicate: bool = False
    """Whether all games have the same cards. The bots change seats between the games."""
    rounds: int = 0
    """If this is not 0, the last stage has this many games and ranks the bots by games won. 0 means the contest's own
    last stage.
    """
    think_ms: int = 0
    hand_pause_seconds: float = 0.0
    remarks: tuple[str, ...] = ()
    """Remarks for the organiser, for example on unused keys."""
    season_games: int = 0
    season_pause_seconds: int = 5
    season_invitations: tuple[str, ...] = ()
    """Codes with which new players join without waiting for the operator. If empty, one code is made from the seed."""
    season_games_at_once: int = 0
    """How many games of a season run in parallel. Results are counted in the order in which the games started. If this
    is 0, as many games as possible run in parallel, and each result is counted when its game is over.
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
    """The ports at which bots connect. A firewall must open only these ports. If empty, bots get any free ports."""
    control_token: str = ""
    view_token: str = ""
    api_for_all: bool = False
    """Whether pages of any web site may read the API. If not, the API at localhost is only for pages of this machine,
    and the API at a local network's address is only for pages of this machine and of local networks.
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
    deals_plan: DealsPlan | None = None
    """The plan of an evening at which all tables play the same cards, or None if each game has its own cards."""

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
        """The label by which this evening's sandboxes are found and removed. It depends on the data folder, so a
        rehearsal, which has its own folder, has another label.
        """
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
        """The time by which the first stage should end, in seconds since 1970. 0 means no limit."""
        return self.finish_trials_by.timestamp() if self.finish_trials_by else 0.0

    @property
    def contest_format(self) -> Format:
        """The contest's format with the title, chips, blinds, length and clock that the organiser has set."""
        contest_format = self._format_at_own_table()
        contest_format = self.deals_plan.adapt(contest_format) if self.deals_plan else contest_format
        return self.exhibition.adapt(contest_format) if self.exhibition else contest_format

    def _format_at_own_table(self) -> Format:
        """Returns the contest's format with the settings of the organiser, such as those in [table]."""
        chosen_contest = CONTESTS[self.contest]
        if chosen_contest.custom_format:
            time_ms = (1000 * self.answer_seconds, 1000 * self.hand_seconds)
            hands = self.deals_plan.hands if self.deals_plan else self.most_hands
            table = TableSettings(self.starting_stack, self.levels, hands, self.duplicate, *time_ms)
            return replace(chosen_contest.custom_format(table), title=self.name)
        contest_format = replace(chosen_contest.format, title=self.name)
        if self.starting_stack:
            contest_format = replace(contest_format, starting_stack=self.starting_stack)
        if self.levels:
            contest_format = with_blinds(contest_format, self.levels, self.hands_per_level)
        if self.think_ms:
            contest_format = replace(contest_format, rules=replace(contest_format.rules, think_ms=self.think_ms))
        if self.most_hands:
            contest_format = with_hand_limit(contest_format, self.most_hands)
        return as_series(contest_format, self.rounds) if self.rounds else contest_format

    def prizes_for(self, bots: int) -> tuple[int, ...]:
        """Returns the prize of each place in cents when `bots` bots pay the buy-in. Raises ValueError if the prizes
        exceed the pool.
        """
        pool = self.buy_in_cents * bots
        return divide_pool(pool, self.shares) if self.shares else standard_prizes(pool) if pool else ()


def read_event(path: Path) -> EveningPlan:
    """Reads the plan in the file at `path`. Raises OSError, or EventFaults with all faults in the file."""
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        root = tomllib.loads(_UNQUOTED_TIME.sub(r'\1"\2"', text), parse_float=Decimal)
    except UnicodeDecodeError:
        raise EventFaults([f"{path.name}: the file is not UTF-8 text"]) from None
    except tomllib.TOMLDecodeError as error:
        match = _TOML_ERROR.fullmatch(str(error))
        position = f"{path.name} line {match['line']}" if match and match["line"] else path.name
        raise EventFaults([f"{position}: not valid TOML: {match['fault'] if match else error}"]) from None
    reader = EventReader(path.name, lines_of(text))
    plan = _read_plan(reader, root, path.parent)
    _check_combinations(reader, plan)
    if reader.faults:
        raise EventFaults([fault for _, fault in sorted(reader.faults)])
    return plan


def _read_plan(reader: EventReader, root: Table, event_folder: Path) -> EveningPlan:
    reader.check_keys(root, "", "")
    day = reader.require(root, "", "date", values.day, date(2000, 1, 1))
    ports, tokens, api, obs, publish = (
        reader.read_table(root, key) for key in ("ports", "tokens", "api", "obs", "publish")
    )
    own_table, season, workers = (reader.read_table(root, key) for key in ("table", "season", "workers"))
    contest_id = reader.read(root, "", "contest", values.choice(*CHOICES["contest"]), DEFAULT)
    rules = CONTESTS[contest_id].evening_rules
    mode = reader.read(root, "", "mode", values.choice(*CHOICES["mode"]), "tournament")
    deals_plan = read_format(reader, root, CONTESTS[contest_id], is_evening=mode == "tournament")
    return EveningPlan(
        name=reader.require(root, "", "name", values.title, ""),
        date=day,
        entries=read_entries(
            reader,
            root,
            event_folder,
            CONTESTS[contest_id],
            are_required=mode == "tournament" and bool(rules.needs_entries or deals_plan),
        ),
        data=reader.read(root, "", "data", partial(values.folder, event_folder), event_folder / "data"),
        mode=mode,
        contest=contest_id,
        buy_in_cents=reader.read(root, "", "buy_in", values.cents, rules.buy_in_cents),
        shares=reader.read(root, "", "prizes", values.shares, ()),
        seed=reader.read(root, "", "seed", values.seed, b""),
        pace=reader.read(root, "", "pace", values.pace, 1.0),
        finish_trials_by=reader.read(root, "", "finish_trials_by", partial(values.evening_moment, day), None),
        start=reader.read(root, "", "start", values.choice(*CHOICES["start"]), "desk"),
        starting_stack=reader.read_number(own_table, "table.starting_stack", 0),
        levels=reader.read(own_table, "table", "blinds", values.blinds, ()),
        hands_per_level=reader.read_number(own_table, "table.hands_per_level", 0),
        most_hands=_read_most_hands(reader, own_table),
        answer_seconds=reader.read_number(own_table, "table.answer_seconds", 0),
        hand_seconds=reader.read_number(own_table, "table.hand_seconds", 0),
        duplicate=reader.read(own_table, "table", "duplicate", values.boolean, False),
        rounds=reader.read_number(own_table, "table.rounds", 0),
        season_games=reader.read_number(season, "season.games", 0),
        season_pause_seconds=reader.read_number(season, "season.pause_seconds", 5),
        season_invitations=reader.read(season, "season", "invitations", values.invitations, ()),
        season_games_at_once=reader.read_number(season, "season.at_once", 0),
        workers_scheduler=reader.read(workers, "workers", "scheduler", addresses.scheduler, ""),
        workers_certificates=reader.read(
            workers, "workers", "certificates", partial(values.folder, event_folder), None
        ),
        runner=reader.read(root, "", "runner", values.choice(*CHOICES["runner"]), "auto"),
        build_network=reader.read(root, "", "build_network", values.boolean, False),
        registries=reader.read(root, "", "registries", addresses.registries, ()),
        bot_addresses=reader.read(root, "", "bot_addresses", addresses.hosts, ()),
        bot_networks=reader.read(root, "", "bot_networks", addresses.networks, ()),
        host=reader.read(root, "", "host", addresses.host, "127.0.0.1"),
        hosts=reader.read(root, "", "hosts", addresses.hosts, ()),
        pages_port=reader.read(ports, "ports", "pages", addresses.port, 8000),
        register_port=reader.read(ports, "ports", "register", addresses.port, 5000),
        game_ports=reader.read(ports, "ports", "games", addresses.port_range, range(0)),
        control_token=reader.read(tokens, "tokens", "control", values.secret, ""),
        view_token=reader.read(tokens, "tokens", "view", values.secret, ""),
        api_for_all=reader.read(api, "api", "readers", values.choice(*CHOICES["api.readers"]), "near") == "everybody",
        obs_address=reader.read(obs, "obs", "address", addresses.address, "127.0.0.1:4455" if "obs" in root else ""),
        obs_password=reader.read(obs, "obs", "password", values.text, ""),
        publish_to=reader.read(publish, "publish", "to", partial(addresses.publish_destination, event_folder), ""),
        bots=read_bots(reader, root),
        run_of_show=read_run_of_show(reader, root, day),
        voice=read_voice(reader, root, event_folder),
        branding=read_branding(reader, root, event_folder),
        deals_plan=deals_plan,
        exhibition=read_exhibition(
            reader, root, is_evening=mode == "tournament" and not (rules.is_season and not deals_plan)
        ),
    )


def _read_most_hands(reader: EventReader, root: Table) -> int:
    """Returns the maximum number of hands in a game. Its key is `most_hands` or, in a series, `max_hands_per_round`."""
    key, wrong_key = "most_hands", "max_hands_per_round"
    if "rounds" in root:
        key, wrong_key = wrong_key, key
    if wrong_key in root:
        why = "with rounds" if "rounds" in root else "without rounds"
        reader.add_fault(f"table.{wrong_key}", f"is the wrong key: {why}, the limit is {key}")
    return reader.read_number(root, f"table.{key}", 0)


def _check_combinations(reader: EventReader, plan: EveningPlan) -> None:
    if plan.pages_port == plan.register_port != 0:
        why = "two servers cannot listen on one port"
        reader.add_fault("ports.pages", f"should differ from ports.register ({plan.register_port}): {why}")
    if plan.control_token and plan.control_token == plan.view_token:
        reader.add_fault("tokens.view", "should differ from tokens.control: viewers must not control the show")
    _check_contest(reader, plan)
    if sum(share.cents for share in plan.shares) and not plan.buy_in_cents:
        reader.add_fault("prizes", "promises dollars, but buy_in is 0, so the pool is empty")


def _check_contest(reader: EventReader, plan: EveningPlan) -> None:
    own_table = plan.starting_stack or plan.levels or plan.hands_per_level or plan.most_hands
    rules = CONTESTS[plan.contest].evening_rules
    if not rules.allows_custom_table and own_table:
        contests = _name_contests(lambda evening_rules: evening_rules.allows_custom_table)
        reader.add_fault("table", f'is for {contests}: in "{plan.contest}" the rule book sets chips and blinds')
    _check_matches(reader, plan)
    if plan.publish_to and plan.mode == "practice":
        reader.add_fault("publish.to", "is for a show: practice games are for the authors of their bots")
    if plan.voice and (plan.mode == "practice" or (rules.is_season and not plan.deals_plan)):
        reader.add_fault("voice", "is for the show of an evening: practice games and seasons have none")
    if plan.rounds and not rules.allows_series:
        contests = _name_contests(lambda evening_rules: evening_rules.allows_series)
        why = f'"{plan.contest}" is not played in whole games that are counted'
        reader.add_fault("table.rounds", f"is for {contests}: {why}")
    seasons = _name_contests(lambda evening_rules: evening_rules.is_season)
    if (plan.season_games or plan.season_invitations or plan.season_games_at_once) and not rules.is_season:
        reader.add_fault("season", f'is for {seasons}; "{plan.contest}" has none')
    _check_workers(reader, plan)
    if plan.hands_per_level and not plan.levels:
        reader.add_fault("table.hands_per_level", "needs blinds of your own; write them as well")
    if len(plan.levels) > 1 and not plan.hands_per_level:
        reader.add_fault("table.blinds", "has more than one level; set hands_per_level to say how long each lasts")
    if plan.deals_plan:
        check_started_entries(reader, plan.entries, CONTESTS[plan.contest])
    else:
        check_entries(reader, plan.entries, CONTESTS[plan.contest], plan.game_ports)


def _check_workers(reader: EventReader, plan: EveningPlan) -> None:
    if plan.workers_scheduler and plan.deals_plan and (fault := why_not_on_workers(plan.entries)):
        reader.add_fault("workers", fault)
    if plan.workers_scheduler and not (CONTESTS[plan.contest].evening_rules.is_season or plan.deals_plan):
        seasons = _name_contests(lambda evening_rules: evening_rules.is_season)
        remark = f'"{plan.contest}" is played on this machine'
        reader.add_fault("workers", f"play only seasons of {seasons}, and formats with same_cards = true; {remark}")


def _check_matches(reader: EventReader, plan: EveningPlan) -> None:
    settings = {"duplicate": plan.duplicate, "answer_seconds": plan.answer_seconds, "hand_seconds": plan.hand_seconds}
    for key in (
        key for key, value in settings.items() if value and not CONTESTS[plan.contest].evening_rules.has_matches
    ):
        reader.add_fault(f"table.{key}", f'is for matches, and "{plan.contest}" has none')


def _name_contests(fits: Callable[[EveningRules], bool]) -> str:
    return " and ".join(f'"{contest.id}"' for contest in CONTESTS.values() if fits(contest.evening_rules))
