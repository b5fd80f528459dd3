"""Reads the plan of a tournament from the contest Arena's configuration file, which is JSON with comments.

Reports all mistakes and all unused keys together. Bots' ids must be different, because each bot looks for its id in
messages. Bots' names must not even look alike, because viewers read them.
"""

import ipaddress
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from server.config import event_addresses as addresses
from server.config import event_values as values
from server.config.event_entries import EntryPlan
from server.config.event_file import EveningPlan
from server.config.event_keys import MAX_CHIPS, MAX_HANDS, MAX_ROUNDS
from server.config.event_reader import Table
from server.contests.arena.rules import ARENA_LEVELS
from server.contests.arena.venue.config_reader import ArenaReading, Blinds, blinds_file_reader, full_key, seconds_reader
from server.game.rules import Level
from server.text.look_alikes import look_alike

DEFAULTS = {"rounds": 3, "max_hands_per_round": 80, "initial_chips": 1000, "max_players": 10}
"""The defaults of the original game server."""
MAX_PLAYERS = 1000
MAX_AIS = 12
"""The maximum number of bots: "Up to 12 players"."""
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
MIN_TIMEOUT, MAX_TIMEOUT = 0.1, 60.0
MAX_DELAY = 60.0


def read_arena(path: Path) -> EveningPlan:
    """Returns the plan in the file at `path`. Raises OSError, or EventFaults with all mistakes.

    `ai_id` becomes the entry's player, and `ai_name` becomes the bot's name. The plan's date is the day on which the
    file was last changed. The date is part of the recording's name, so a resumed tournament finds its recording. The
    tournament starts without the organiser, as on the original server. If the file has the address of a game server,
    the address is ignored, because this program is the server. The pages get a port on which no bot listens.
    """
    reading = ArenaReading(path.name)
    config = reading.parse(path.read_bytes())
    if not isinstance(config, dict):
        reading.stop('should be one object with "tournament" and "ais"')
    reading.check_keys(config, "", "")
    tournament = reading.read_table(config, "tournament")

    def read_number(key: str, maximum: int, minimum: int = 1) -> int:
        return reading.read(tournament, "tournament", key, values.whole_number_between(minimum, maximum), DEFAULTS[key])

    entries, networks = read_ais(reading, config, read_number("max_players", MAX_PLAYERS, 2))
    if "max_hands" in tournament:
        reading.add_fault("tournament.max_hands", 'there is no such key: hands are limited by "max_hands_per_round"')
    chips, rounds = read_number("initial_chips", MAX_CHIPS), read_number("rounds", MAX_ROUNDS)
    most_hands = read_number("max_hands_per_round", MAX_HANDS)
    pause = reading.read(tournament, "tournament", "delay_between_hands", seconds_reader(0, MAX_DELAY), 0.0)
    blinds = _blinds(reading, tournament, path.parent)
    description = reading.read(config, "", "description", values.remark, "")
    if missing := [f"{key} {value}" for key, value in DEFAULTS.items() if key not in tournament]:
        reading.remark(f"not in the file, so the original server's defaults apply: {', '.join(missing)}")
    if "game_server" in config:
        reading.unused.append("game_server (this program is the game server)")
    plan = EveningPlan(
        name=reading.read(config, "", "name", values.title, _title(path)),
        date=datetime.fromtimestamp(path.stat().st_mtime).astimezone().date(),
        entries=entries,
        data=path.parent / "data",
        contest="arena",
        start="bots",
        buy_in_cents=0,
        pages_port=_find_free_port(entries, 8000),
        register_port=0,
        bot_networks=networks,
        starting_stack=chips,
        rounds=rounds,
        most_hands=most_hands,
        levels=blinds.levels,
        hands_per_level=blinds.hands_per_level,
        think_ms=round(1000 * reading.read(config, "", "timeout", seconds_reader(MIN_TIMEOUT, MAX_TIMEOUT), 0.0)),
        hand_pause_seconds=pause,
        remarks=(*filter(None, (description,)), *reading.remarks()),
    )
    reading.finish()
    return plan


def _find_free_port(entries: Sequence[EntryPlan], port: int) -> int:
    """Returns the lowest port, at or above `port`, at which no bot listens."""
    bot_ports = {entry.url.rpartition(":")[2] for entry in entries}
    return next(candidate for candidate in range(port, port + len(entries) + 1) if str(candidate) not in bot_ports)


def _title(path: Path) -> str:
    """Returns a title from the file's name: "tournament_test.json" becomes "Tournament Test"."""
    words = re.findall(r"[^\W_]+", path.stem)
    return " ".join(word.capitalize() for word in words)[:60].strip() or "The Arena"


def _blinds(reading: ArenaReading, tournament: Table, folder: Path) -> Blinds:
    """Returns the blinds. If the result has no levels, the original server's 29 levels apply. The rule book says:
    "Dynamic Blind Structure: blinds increase every 24 hands". In regular mode, blinds do not change.
    """
    mode = reading.read(tournament, "tournament", "mode", values.choice("regular", "tournament"), "tournament")
    small = reading.read(
        tournament, "tournament", "small_blind", values.whole_number_between(1, MAX_CHIPS), ARENA_LEVELS[0].small
    )
    big = reading.read(
        tournament, "tournament", "big_blind", values.whole_number_between(1, MAX_CHIPS), ARENA_LEVELS[0].big
    )
    rising_blinds = reading.read(
        tournament, "tournament", "blind_structure_file", blinds_file_reader(folder, reading.remark), Blinds()
    )
    if big < small:
        reading.add_fault("tournament.big_blind", f"should be at least the small blind of {small}")
    if mode == "tournament":
        if {"small_blind", "big_blind"} & set(tournament):
            reason = "in tournament mode the blinds rise"
            reading.add_fault("tournament.small_blind", f'is only for "mode": "regular"; {reason}')
        return rising_blinds
    if "blind_structure_file" in tournament:
        reading.add_fault(
            "tournament.blind_structure_file", 'is not for "mode": "regular", in which blinds do not rise'
        )
    return Blinds((Level(small, big),))


def read_ais(reading: ArenaReading, config: Table, max_bots: int) -> tuple[tuple[EntryPlan, ...], tuple[str, ...]]:
    """Returns the bots, and the networks in which bots may run on other machines. `max_bots` is the file's limit."""
    ais = config.get("ais")
    if not isinstance(ais, list) or not all(isinstance(table, dict) for table in ais):
        reading.add_fault("ais", "should be a list of objects in braces, one for each bot")
        return (), ()
    if not 2 <= len(ais) <= MAX_AIS:
        reading.add_fault("ais", f"has {len(ais)}; there should be 2 to {MAX_AIS} bots")
    elif len(ais) > max_bots:
        reading.add_fault("ais", f"has {len(ais)}, and tournament.max_players is {max_bots}; raise it if more may play")
    no_networks: tuple[str, ...] = ()
    networks = list(reading.read(config, "", "bot_networks", addresses.networks, no_networks))
    entries: list[EntryPlan] = []
    for number, table in enumerate(ais, 1):
        entry = _entry(reading, table, f"ais[{number}]", networks, has_networks=bool(networks))
        for twin, other in enumerate(entries, 1):
            _check_differences(reading, f"ais[{number}]", entry, f"ais[{twin}]", other)
        entries.append(entry)
    return tuple(entries), tuple(dict.fromkeys(networks))


def _entry(
    reading: ArenaReading, table: Table, table_name: str, networks: list[str], *, has_networks: bool
) -> EntryPlan:
    reading.check_keys(table, "ais", table_name)
    if "ai_id" not in table:
        reading.add_fault(full_key(table_name, "ai_id"), "is missing: each AI needs an ai_id and a port or a url")
    ai_id = reading.read(table, table_name, "ai_id", values.long_name, "")
    name = reading.read(table, table_name, "ai_name", values.long_name, "") or ai_id
    url = _url(reading, table, table_name)
    host = url.removeprefix("http://").rpartition(":")[0].strip("[]")
    if network := _own_network(host):
        networks.append(network)
    elif host not in THIS_MACHINE and not has_networks:
        key = "url" if "url" in table else "host"
        example = '"bot_networks": ["10.0.0.0/8"]'
        reading.add_fault(
            full_key(table_name, key),
            f"is a host name: write its IP address, or list the networks it may be in: {example}",
        )
    description = reading.read(table, table_name, "description", values.remark, "")
    return EntryPlan(ai_id, bot=name, url=url, description=description)


def _url(reading: ArenaReading, table: Table, table_name: str) -> str:
    """Returns a bot's URL: either its `url`, or its `host` and `port`. The host defaults to this machine."""
    if "url" in table:
        if "host" in table:
            reading.add_fault(full_key(table_name, "host"), "cannot be combined with url, which contains the host")
        return reading.read(table, table_name, "url", addresses.url, "http://localhost:0")
    if "port" not in table:
        reading.add_fault(full_key(table_name, "port"), "is missing: each AI needs an ai_id and a port or a url")
    host = reading.read(table, table_name, "host", addresses.host, "localhost")
    port = reading.read(table, table_name, "port", values.whole_number_between(1, 65535), 0)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _own_network(host: str) -> str:
    """Returns the network that contains only the address `host`. Returns "" if `host` is a name or this machine."""
    try:
        return "" if host in THIS_MACHINE else str(ipaddress.ip_network(host))
    except ValueError:
        return ""


def _check_differences(
    reading: ArenaReading, table_name: str, entry: EntryPlan, other_table_name: str, other: EntryPlan
) -> None:
    if entry.player and entry.player == other.player:
        reading.add_fault(full_key(table_name, "ai_id"), f'"{entry.player}" is already the ai_id of {other_table_name}')
    elif entry.bot and look_alike(entry.bot, other.bot):
        reading.add_fault(
            full_key(table_name, "ai_name"), f'"{entry.bot}" looks like "{other.bot}" of {other_table_name}'
        )
    if entry.url == other.url and not entry.url.endswith(":0"):
        reading.add_fault(
            full_key(table_name, "port"), f"is the same as in {other_table_name}: two bots cannot listen at one address"
        )
