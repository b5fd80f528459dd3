"""The Arena's own configuration file: JSON, with the comments its document prints, read whole as the plan of a day.

All mistakes are reported at once, by place; so is every key that is not used. What the plan leads to is for the front
door.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from server.config import event_values as values
from server.config.event_entries import EntryPlan
from server.config.event_file import MOST_CHIPS, MOST_HANDS, MOST_ROUNDS, EventPlan
from server.config.event_reader import Table
from server.contests.arena.rules import ARENA_LEVELS
from server.contests.arena.venue.config_blinds import Blinds, blinds_beside
from server.contests.arena.venue.config_entries import read_ais
from server.contests.arena.venue.config_reader import ArenaReading, seconds
from server.game.rules import Level

DEFAULTS = {"rounds": 3, "max_hands_per_round": 80, "initial_chips": 1000, "max_players": 10}
"""What the original plays where the file does not say it."""
MOST_PLAYERS = 1000
LEAST_TIMEOUT, MOST_TIMEOUT = 0.1, 60.0
MOST_DELAY = 60.0


def read_arena(path: Path) -> EventPlan:
    """The plan in the file at `path`. Raises OSError, or EventFaults with all that is wrong.

    A bot's `ai_id` is its entry's player, its `ai_name` the bot's name. The day is the file's own, so that a
    tournament that broke off finds its journal again. It begins at once, as the original did. The game server is this
    program, whatever address is written there; its pages keep out of the bots' ports.
    """
    reading = ArenaReading(path.name)
    found = reading.parse(path.read_bytes())
    if not isinstance(found, dict):
        reading.stop('should be one object with "tournament" and "ais"')
    reading.known(found, "", "")
    tournament = reading.table(found, "tournament")
    most = reading.take(tournament, "tournament", "max_players", values.count(2, MOST_PLAYERS), DEFAULTS["max_players"])
    entries, networks = read_ais(reading, found, most)
    course = _course(reading, tournament, path.parent)
    about = reading.take(found, "", "description", values.remark, "")
    if unsaid := [f"{key} {value}" for key, value in DEFAULTS.items() if key not in tournament]:
        reading.remark(f"not in the file, so as in the original: {', '.join(unsaid)}")
    plan = EventPlan(
        name=reading.take(found, "", "name", values.title, _title(path)),
        date=datetime.fromtimestamp(path.stat().st_mtime).astimezone().date(),
        entries=entries,
        data=path.parent / "data",
        contest="arena",
        start="bots",
        buy_in_cents=0,
        pages_port=_free(entries, 8000),
        register_port=0,
        bot_networks=networks,
        starting_stack=course.chips,
        rounds=course.rounds,
        most_hands=course.most_hands,
        levels=course.blinds.levels,
        hands_per_level=course.blinds.hands_per_level,
        think_ms=round(1000 * reading.take(found, "", "timeout", seconds(LEAST_TIMEOUT, MOST_TIMEOUT), 0.0)),
        hand_pause_seconds=course.pause_seconds,
        remarks=(*filter(None, (about,)), *_not_used(reading, found)),
    )
    reading.finish()
    return plan


def _not_used(reading: ArenaReading, found: Table) -> tuple[str, ...]:
    """What an organiser should know who expects every key to count."""
    if "game_server" in found:
        reading.unused("game_server (this program is the game server)")
    return reading.remarks()


def _free(entries: Sequence[EntryPlan], port: int) -> int:
    """That port, or the next one where no bot listens."""
    taken = {entry.url.rpartition(":")[2] for entry in entries}
    return next(free for free in range(port, port + len(entries) + 1) if str(free) not in taken)


def _title(path: Path) -> str:
    """The file's name as a title: "tournament_test.json" is "Tournament Test"."""
    words = re.findall(r"[^\W_]+", path.stem)
    return " ".join(word.capitalize() for word in words)[:60].strip() or "The Arena"


class _Course(Struct, frozen=True):
    """How it is played; without blinds by the contest's own."""

    chips: int
    rounds: int
    most_hands: int
    pause_seconds: float
    blinds: Blinds


def _course(reading: ArenaReading, found: Table, beside: Path) -> _Course:
    """Length, chips and blinds. A round is a whole game, from the chips at its start to its last hand."""
    if "max_hands" in found:
        reading.fault("tournament.max_hands", 'there is no such key: hands are limited by "max_hands_per_round"')
    limit = values.count(1, MOST_HANDS)
    return _Course(
        reading.take(found, "tournament", "initial_chips", values.count(1, MOST_CHIPS), DEFAULTS["initial_chips"]),
        reading.take(found, "tournament", "rounds", values.count(1, MOST_ROUNDS), DEFAULTS["rounds"]),
        reading.take(found, "tournament", "max_hands_per_round", limit, DEFAULTS["max_hands_per_round"]),
        reading.take(found, "tournament", "delay_between_hands", seconds(0, MOST_DELAY), 0.0),
        _blinds(reading, found, beside),
    )


def _blinds(reading: ArenaReading, found: Table, beside: Path) -> Blinds:
    """ "Dynamic Blind Structure: blinds increase every 24 hands"; the regular mode's blinds stay where they are."""
    mode = reading.take(found, "tournament", "mode", values.choice("regular", "tournament"), "tournament")
    small = reading.take(found, "tournament", "small_blind", values.count(1, MOST_CHIPS), ARENA_LEVELS[0].small)
    big = reading.take(found, "tournament", "big_blind", values.count(1, MOST_CHIPS), ARENA_LEVELS[0].big)
    own = reading.take(found, "tournament", "blind_structure_file", blinds_beside(beside, reading.remark), Blinds())
    if big < small:
        reading.fault("tournament.big_blind", f"should be at least the small blind of {small}")
    if mode == "tournament":
        if {"small_blind", "big_blind"} & set(found):
            why = "in the tournament mode the blinds rise"
            reading.fault("tournament.small_blind", f'goes with "mode": "regular"; {why}')
        return own
    if "blind_structure_file" in found:
        reading.fault("tournament.blind_structure_file", 'does not go with "mode": "regular", whose blinds stay')
    return Blinds((Level(small, big),))
