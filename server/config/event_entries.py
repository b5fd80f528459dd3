"""Reads the entries in an event file, and reports players and bots that are entered twice."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.config.event_addresses import url
from server.config.event_reader import Reading, Table
from server.config.event_values import command, long_name, secret, shown_name, submission, truth
from server.contests import CONTESTS
from server.contests.contest import Contest
from server.text.look_alikes import look_alike

MAX_BOTS = 3
"""The maximum number of bots of one player. The rules say: "each player is allowed to submit up to 3 bots"."""


class EntryPlan(Struct, frozen=True):
    """A player's entry: a `folder` or zip archive with bots, a bot that its author runs, or a `command` that this
    server starts.

    If a bot that its author runs has a `url`, this server calls the bot at this URL. If not, the bot connects to this
    server, either with a name and secret, or to a port of its own. With `mcp`, the bot is an agent, which joins by MCP
    with its name and secret.
    """

    player: str
    folder: Path | None = None
    remote: bool = False
    bot: str = ""
    secret: str = ""
    url: str = ""
    description: str = ""
    version: str = ""
    """The author's name for this version; "" for none."""
    mcp: bool = False
    command: str = ""


def read_entries(
    reading: Reading, found: Table, beside: Path, contest: Contest, *, needed: bool
) -> tuple[EntryPlan, ...]:
    """Reads the entries and reports their faults. Paths of folders are relative to `beside`.

    If `needed` is true, a file without entries has a fault.
    """
    if needed and not found.get("entries"):
        reading.fault("entries", "is missing; write one [[entries]] for each player")
    entries = [
        _entry(reading, table, table_name, beside, contest) for table_name, table in reading.tables(found, "entries")
    ]
    for number, entry in enumerate(entries, 1):
        for twin, other in enumerate(entries[: number - 1], 1):
            _check_twins(reading, (number, entry), (twin, other))
        if not entry.folder and sum(other.player == entry.player for other in entries[:number]) > MAX_BOTS:
            reading.fault(f"entries[{number}].player", f'"{entry.player}" has more than {MAX_BOTS} bots')
    return tuple(entries)


def check_entries(reading: Reading, entries: Sequence[EntryPlan], contest: Contest, game_ports: range) -> None:
    """Reports entries that do not fit the contest, its table, or the ports for bots that connect."""
    rules, seats = contest.event, contest.format.stages[-1].seats
    if rules.one_table and len(entries) > seats:
        reading.fault("entries", f'has {len(entries)} bots; the table of "{contest.id}" has {seats} seats')
    remote = sum(entry.remote for entry in entries)
    if not contest.registers and game_ports and len(game_ports) < remote:
        reading.fault("ports.games", f'has {len(game_ports)}; {remote} bots of "{contest.id}" need one each')
    urls = " and ".join(f'"{each.id}"' for each in CONTESTS.values() if each.over_http)
    for number, entry in enumerate(entries, 1):
        if entry.command:
            reading.fault(f"entries[{number}].command", "is only for [format] with same_cards = true")
        if entry.url and not contest.over_http:
            reading.fault(f"entries[{number}].url", f'is for {urls}; "{contest.id}" bots have a folder')
        if (entry.folder or entry.remote) and contest.over_http:
            key = "folder" if entry.folder else "remote"
            reading.fault(f"entries[{number}].{key}", f'is not for "{contest.id}": write url = "http://…"')
        if entry.remote and not contest.over_http and not rules.remote:
            why = f'is not for "{contest.id}": its bots run on this machine, from a folder'
            reading.fault(f"entries[{number}].remote", why)
        if entry.mcp and not rules.needs_entries:
            why = f'is not for "{contest.id}": agents play in contests whose bots are in the event file'
            reading.fault(f"entries[{number}].mcp", why)


def check_started_entries(reading: Reading, entries: Sequence[EntryPlan], contest: Contest) -> None:
    """Reports bots that this server cannot start. In an evening of deals, it must start all bots, because each table of
    a deal needs instances of its own.
    """
    folders = contest.checker is not None and not contest.event.season
    kinds = "a folder or a command" if folders else "a command"
    for number, entry in enumerate(entries, 1):
        if entry.folder and not folders:
            reading.fault(f"entries[{number}].folder", f'is not for "{contest.id}" with same_cards: write a command')
        elif not (entry.folder or entry.command):
            why = f"each table needs its own instance of the bot: write {kinds} instead of an address, remote or mcp"
            reading.fault(f"entries[{number}]", why)
        elif entry.command and contest.command.needed not in entry.command:
            reading.fault(
                f"entries[{number}].command",
                f"has no {contest.command.needed}, which the program needs: {contest.command.example!r}",
            )
    if len(entries) == 1 and not entries[0].folder:
        reading.fault("entries", "has one bot; a deal needs at least two")


def why_not_sent(entries: Sequence[EntryPlan]) -> str:
    """Returns why workers cannot play with these entries, or ""."""
    commands = [number for number, entry in enumerate(entries, 1) if not entry.folder]
    return f"only play bots in folders, and entries[{commands[0]}] runs on this machine" if commands else ""


def _entry(reading: Reading, table: Table, table_name: str, beside: Path, contest: Contest) -> EntryPlan:
    player = reading.require(table, table_name, "player", shown_name, "")
    version = reading.read(table, table_name, "version", shown_name, "")
    if reading.read(table, table_name, "mcp", truth, default=False):
        for key in {"folder", "remote", "url"} & set(table):
            reading.fault(f"{table_name}.{key}", "cannot be combined with mcp: an agent joins by itself")
        bot = reading.require(table, table_name, "bot", shown_name, "")
        word = reading.require(table, table_name, "secret", secret, "")
        return EntryPlan(player, mcp=True, bot=bot, secret=word, version=version)
    if "command" in table:
        return _started_entry(reading, table, table_name, EntryPlan(player, version=version))
    if "url" in table or (contest.over_http and not {"folder", "remote"} & set(table)):
        for key in {"folder", "remote", "secret"} & set(table):
            reading.fault(f"{table_name}.{key}", "cannot be combined with url: a bot with a url is called there")
        address = reading.require(table, table_name, "url", url, "")
        return EntryPlan(
            player, bot=reading.read(table, table_name, "bot", long_name, player), url=address, version=version
        )
    if reading.read(table, table_name, "remote", truth, default=False):
        if "folder" in table:
            reading.fault(f"{table_name}.folder", "a remote bot has no folder here; leave out folder, or remote")
        bot = reading.require(table, table_name, "bot", shown_name, "")
        if "secret" in table and not contest.registers:
            reading.fault(
                f"{table_name}.secret", f'is for bots that register; a bot of "{contest.id}" has its own port'
            )
        word = reading.require(table, table_name, "secret", secret, "") if contest.registers else ""
        return EntryPlan(player, None, True, bot, word, version=version)
    for key in {"bot", "secret"} & set(table):
        reading.fault(
            f"{table_name}.{key}", "is only for remote = true or mcp = true; the folder of a bot contains its name"
        )
    return EntryPlan(
        player, reading.require(table, table_name, "folder", partial(submission, beside), None), version=version
    )


def _started_entry(reading: Reading, table: Table, table_name: str, plan: EntryPlan) -> EntryPlan:
    """Reads an entry with a command, which this server starts without a box (a sandbox)."""
    for key in {"folder", "remote", "mcp", "url", "secret"} & set(table):
        reading.fault(f"{table_name}.{key}", "cannot be combined with command: we start the bot")
    bot = reading.require(table, table_name, "bot", shown_name, "")
    return replace(plan, bot=bot, command=reading.read(table, table_name, "command", command, ""))


def _check_twins(reading: Reading, later: tuple[int, EntryPlan], earlier: tuple[int, EntryPlan]) -> None:
    """Reports players, bots, secrets, URLs and folders that two entries share. A player may have several entries only
    if none of them is a folder.
    """
    (number, entry), (twin, other) = later, earlier
    table_name, there = f"entries[{number}]", f"entries[{twin}]"
    if entry.player and look_alike(entry.player, other.player):
        if entry.player != other.player:
            reading.fault(f"{table_name}.player", f'"{entry.player}" looks like "{other.player}" of {there}')
        elif entry.folder or other.folder:
            reading.fault(
                f"{table_name}.player", f'"{entry.player}" already has {there}; put all bots of a player in one folder'
            )
    if entry.bot and look_alike(entry.bot, other.bot):
        reading.fault(f"{table_name}.bot", f'"{entry.bot}" looks like "{other.bot}" of {there}')
    if entry.mcp and other.mcp and entry.secret == other.secret:
        reading.fault(f"{table_name}.secret", f"is the same as in {there}: an agent finds its seat by its secret")
    if entry.url and entry.url == other.url:
        reading.fault(f"{table_name}.url", f"is the same as in {there}: two bots cannot listen at one address")
    if entry.folder and other.folder and _overlap(entry.folder, other.folder):
        reading.fault(f"{table_name}.folder", f"is, contains or is inside the folder of {there}")


def _overlap(one: Path, other: Path) -> bool:
    one, other = one.resolve(), other.resolve()
    return one.is_relative_to(other) or other.is_relative_to(one)
