"""Reads the entries (players with their bots) in a tournament's event file. Reports players and bots entered twice."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.config.event_addresses import url
from server.config.event_reader import EventReader, Table
from server.config.event_values import boolean, command, display_name, long_name, secret, submission
from server.contests import CONTESTS
from server.contests.contest import Contest
from server.text.look_alikes import look_alike

MAX_BOTS_PER_PLAYER = 3
"""How many bots a player may enter. The rules say: "each player is allowed to submit up to 3 bots"."""


class EntryPlan(Struct, frozen=True):
    """A player's entry. This server runs bots from a `folder` or zip archive, and bots that have a `command`. Authors
    run all other bots.

    This server calls an author's bot at its `url`. An author's bot without a `url` connects to this server, either with
    its name and secret or at a port of its own. If `mcp` is true, the bot is an agent that joins by MCP (Model Context
    Protocol) with its name and secret.
    """

    player: str
    folder: Path | None = None
    remote: bool = False
    bot: str = ""
    secret: str = ""
    url: str = ""
    description: str = ""
    version: str = ""
    """The author's name for this version, or "" for none."""
    mcp: bool = False
    command: str = ""


def read_entries(
    reader: EventReader, root: Table, event_folder: Path, contest: Contest, *, are_required: bool
) -> tuple[EntryPlan, ...]:
    """Reads the entries and reports their faults. Paths of folders are relative to `event_folder`.

    If `are_required` is true, a file without entries is a fault.
    """
    if are_required and not root.get("entries"):
        reader.add_fault("entries", "is missing; write one [[entries]] for each player")
    entries = [
        _read_entry(reader, table, table_name, event_folder, contest)
        for table_name, table in reader.read_tables(root, "entries")
    ]
    for number, entry in enumerate(entries, 1):
        for other_number, other in enumerate(entries[: number - 1], 1):
            _check_duplicates(reader, (number, entry), (other_number, other))
        if not entry.folder and sum(other.player == entry.player for other in entries[:number]) > MAX_BOTS_PER_PLAYER:
            reader.add_fault(f"entries[{number}].player", f'"{entry.player}" has more than {MAX_BOTS_PER_PLAYER} bots')
    return tuple(entries)


def check_entries(reader: EventReader, entries: Sequence[EntryPlan], contest: Contest, game_ports: range) -> None:
    """Reports entries that the contest does not allow. Also reports a lack of seats or of `game_ports`."""
    rules, seats = contest.evening_rules, contest.format.stages[-1].seats
    if rules.one_table and len(entries) > seats:
        reader.add_fault("entries", f'has {len(entries)} bots; the table of "{contest.id}" has {seats} seats')
    remote_count = sum(entry.remote for entry in entries)
    if not contest.has_registration and game_ports and len(game_ports) < remote_count:
        reader.add_fault("ports.games", f'has {len(game_ports)}; {remote_count} bots of "{contest.id}" need one each')
    http_contests = " and ".join(f'"{other.id}"' for other in CONTESTS.values() if other.uses_http)
    for number, entry in enumerate(entries, 1):
        if entry.command:
            reader.add_fault(f"entries[{number}].command", "is only for [format] with same_cards = true")
        if entry.url and not contest.uses_http:
            reader.add_fault(f"entries[{number}].url", f'is for {http_contests}; "{contest.id}" bots have a folder')
        if (entry.folder or entry.remote) and contest.uses_http:
            key = "folder" if entry.folder else "remote"
            reader.add_fault(f"entries[{number}].{key}", f'is not for "{contest.id}": write url = "http://…"')
        if entry.remote and not contest.uses_http and not rules.has_remote_bots:
            why = f'is not for "{contest.id}": its bots run on this machine, from a folder'
            reader.add_fault(f"entries[{number}].remote", why)
        if entry.mcp and not rules.needs_entries:
            why = f'is not for "{contest.id}": agents play in contests whose bots are in the event file'
            reader.add_fault(f"entries[{number}].mcp", why)


def check_started_entries(reader: EventReader, entries: Sequence[EntryPlan], contest: Contest) -> None:
    """Reports bots that this server cannot start. If all tables play the same cards, this server must start all bots,
    because each table needs its own instances of the bots.
    """
    accepts_folders = contest.checker is not None and not contest.evening_rules.is_season
    sources = "a folder or a command" if accepts_folders else "a command"
    for number, entry in enumerate(entries, 1):
        if entry.folder and not accepts_folders:
            reader.add_fault(f"entries[{number}].folder", f'is not for "{contest.id}" with same_cards: write a command')
        elif not (entry.folder or entry.command):
            why = f"each table needs its own instance of the bot: write {sources} instead of an address, remote or mcp"
            reader.add_fault(f"entries[{number}]", why)
        elif entry.command and contest.command.required_text not in entry.command:
            reader.add_fault(
                f"entries[{number}].command",
                f"has no {contest.command.required_text}, which the program needs: {contest.command.example!r}",
            )
    if len(entries) == 1 and not entries[0].folder:
        reader.add_fault("entries", "has one bot; a deal needs at least two")


def why_not_on_workers(entries: Sequence[EntryPlan]) -> str:
    """Returns why workers (other machines that play games) cannot play with these entries, or "" if they can."""
    commands = [number for number, entry in enumerate(entries, 1) if not entry.folder]
    return f"play only bots in folders, but entries[{commands[0]}] has no folder" if commands else ""


def _read_entry(reader: EventReader, table: Table, table_name: str, event_folder: Path, contest: Contest) -> EntryPlan:
    player = reader.require(table, table_name, "player", display_name, "")
    version = reader.read(table, table_name, "version", display_name, "")
    if reader.read(table, table_name, "mcp", boolean, default=False):
        for key in {"folder", "remote", "url"} & set(table):
            reader.add_fault(f"{table_name}.{key}", "cannot be combined with mcp: an agent joins by itself")
        bot = reader.require(table, table_name, "bot", display_name, "")
        entry_secret = reader.require(table, table_name, "secret", secret, "")
        return EntryPlan(player, mcp=True, bot=bot, secret=entry_secret, version=version)
    if "command" in table:
        return _read_command_entry(reader, table, table_name, EntryPlan(player, version=version))
    if "url" in table or (contest.uses_http and not {"folder", "remote"} & set(table)):
        for key in {"folder", "remote", "secret"} & set(table):
            reader.add_fault(f"{table_name}.{key}", "cannot be combined with url: a bot with a url is called there")
        address = reader.require(table, table_name, "url", url, "")
        return EntryPlan(
            player, bot=reader.read(table, table_name, "bot", long_name, player), url=address, version=version
        )
    if reader.read(table, table_name, "remote", boolean, default=False):
        if "folder" in table:
            reader.add_fault(f"{table_name}.folder", "a remote bot has no folder here; leave out folder, or remote")
        bot = reader.require(table, table_name, "bot", display_name, "")
        if "secret" in table and not contest.has_registration:
            reader.add_fault(
                f"{table_name}.secret", f'is for bots that register; a bot of "{contest.id}" has its own port'
            )
        entry_secret = reader.require(table, table_name, "secret", secret, "") if contest.has_registration else ""
        return EntryPlan(player, None, True, bot, entry_secret, version=version)
    for key in {"bot", "secret"} & set(table):
        reader.add_fault(
            f"{table_name}.{key}", "is only for remote = true or mcp = true; the folder of a bot contains its name"
        )
    return EntryPlan(
        player, reader.require(table, table_name, "folder", partial(submission, event_folder), None), version=version
    )


def _read_command_entry(reader: EventReader, table: Table, table_name: str, plan: EntryPlan) -> EntryPlan:
    """Reads an entry with a command, which this server starts without a sandbox."""
    for key in {"folder", "remote", "mcp", "url", "secret"} & set(table):
        reader.add_fault(f"{table_name}.{key}", "cannot be combined with command: we start the bot")
    bot = reader.require(table, table_name, "bot", display_name, "")
    return replace(plan, bot=bot, command=reader.read(table, table_name, "command", command, ""))


def _check_duplicates(
    reader: EventReader, later_entry: tuple[int, EntryPlan], earlier_entry: tuple[int, EntryPlan]
) -> None:
    """Reports names of players or bots that look alike, and agents' secrets, URLs and folders that two entries share.

    Two entries may have the same player only if neither has a folder.
    """
    (number, entry), (other_number, other) = later_entry, earlier_entry
    table_name, other_table = f"entries[{number}]", f"entries[{other_number}]"
    if entry.player and look_alike(entry.player, other.player):
        if entry.player != other.player:
            reader.add_fault(f"{table_name}.player", f'"{entry.player}" looks like "{other.player}" of {other_table}')
        elif entry.folder or other.folder:
            reader.add_fault(
                f"{table_name}.player",
                f'"{entry.player}" already has {other_table}; put all bots of a player in one folder',
            )
    if entry.bot and look_alike(entry.bot, other.bot):
        reader.add_fault(f"{table_name}.bot", f'"{entry.bot}" looks like "{other.bot}" of {other_table}')
    if entry.mcp and other.mcp and entry.secret == other.secret:
        reader.add_fault(
            f"{table_name}.secret", f"is the same as in {other_table}: an agent finds its seat by its secret"
        )
    if entry.url and entry.url == other.url:
        reader.add_fault(f"{table_name}.url", f"is the same as in {other_table}: two bots cannot listen at one address")
    if entry.folder and other.folder and _overlap(entry.folder, other.folder):
        reader.add_fault(
            f"{table_name}.folder",
            f"overlaps the folder of {other_table}: one is inside the other, or they are the same",
        )


def _overlap(one: Path, other: Path) -> bool:
    one, other = one.resolve(), other.resolve()
    return one.is_relative_to(other) or other.is_relative_to(one)
