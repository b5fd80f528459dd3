"""Who is in an Arena's configuration: each bot's id, name and address, and that nobody is in it twice.

Ids and names may be any text that can be shown. Ids differ letter by letter, for bots find themselves by them; names
must not look alike, for viewers do.
"""

import ipaddress

from server.config import event_addresses as addresses
from server.config import event_values as values
from server.config.event_entries import EntryPlan
from server.config.event_reader import Table
from server.contests.arena.venue.config_reader import ArenaReading, at
from server.text.look_alikes import look_alike

MOST_AIS = 12
""" "Up to 12 players"."""
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def read_ais(reading: ArenaReading, found: Table, most: int) -> tuple[tuple[EntryPlan, ...], tuple[str, ...]]:
    """The bots, and the networks they may be in besides this machine; `most` is the organiser's own limit."""
    ais = found.get("ais")
    if not isinstance(ais, list) or not all(isinstance(table, dict) for table in ais):
        reading.fault("ais", "should be a list of objects in braces, one for each bot")
        return (), ()
    if not 2 <= len(ais) <= MOST_AIS:
        reading.fault("ais", f"has {len(ais)}; there should be 2 to {MOST_AIS} bots")
    elif len(ais) > most:
        reading.fault("ais", f"has {len(ais)}, and tournament.max_players is {most}; write it if more may play")
    none: tuple[str, ...] = ()
    networks = list(reading.take(found, "", "bot_networks", addresses.networks, none))
    entries: list[EntryPlan] = []
    for number, table in enumerate(ais, 1):
        entry = _entry(reading, table, f"ais[{number}]", networks, named=bool(networks))
        for twin, other in enumerate(entries, 1):
            _check_twins(reading, f"ais[{number}]", entry, f"ais[{twin}]", other)
        entries.append(entry)
    return tuple(entries), tuple(dict.fromkeys(networks))


def _entry(reading: ArenaReading, table: Table, place: str, networks: list[str], *, named: bool) -> EntryPlan:
    reading.known(table, "ais", place)
    if "ai_id" not in table:
        reading.fault(at(place, "ai_id"), "is missing: each AI needs an ai_id and a port or a url")
    ai_id = reading.take(table, place, "ai_id", values.called_name, "")
    name = reading.take(table, place, "ai_name", values.called_name, "") or ai_id
    url = _url(reading, table, place)
    host = url.removeprefix("http://").rpartition(":")[0].strip("[]")
    if own := _own_network(host):
        networks.append(own)
    elif host not in THIS_MACHINE and not named:
        key = "url" if "url" in table else "host"
        where = '"bot_networks": ["10.0.0.0/8"]'
        reading.fault(at(place, key), f"is a name: write its address, or where it may be, {where}")
    about = reading.take(table, place, "description", values.remark, "")
    return EntryPlan(ai_id, bot=name, url=url, description=about)


def _url(reading: ArenaReading, table: Table, place: str) -> str:
    """Where it listens: its `url`, else on its port of this machine or of its `host`."""
    if "url" in table:
        if "host" in table:
            reading.fault(at(place, "host"), "does not go with url, which has a host")
        return reading.take(table, place, "url", addresses.url, "http://localhost:0")
    if "port" not in table:
        reading.fault(at(place, "port"), "is missing: each AI needs an ai_id and a port or a url")
    host = reading.take(table, place, "host", addresses.host, "localhost")
    port = reading.take(table, place, "port", values.count(1, 65535), 0)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _own_network(host: str) -> str:
    """The network that is this address alone; "" for a name and for this machine."""
    try:
        return "" if host in THIS_MACHINE else str(ipaddress.ip_network(host))
    except ValueError:
        return ""


def _check_twins(reading: ArenaReading, place: str, mine: EntryPlan, there: str, other: EntryPlan) -> None:
    if mine.player and mine.player == other.player:
        reading.fault(at(place, "ai_id"), f'"{mine.player}" is the one of {there} already')
    elif mine.bot and look_alike(mine.bot, other.bot):
        reading.fault(at(place, "ai_name"), f'"{mine.bot}" looks like "{other.bot}" of {there}')
    if mine.url == other.url and not mine.url.endswith(":0"):
        reading.fault(at(place, "port"), f"is the one of {there}: two bots cannot listen at one address")
