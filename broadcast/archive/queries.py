"""Queries the archive's index: finds recordings and hands by bot, mark (such as "Bluff"), kind of hand and pot.

Every function that takes an index raises sqlite3.Error if the index cannot be read.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import asdict, replace

from broadcast.on_air.shared_types import Mark
from server.text.grammar import MAX_POSTER_NAME, count_text, hand_label

PER_PAGE = 50
MARKS: tuple[str, ...] = get_args(Mark)
HAND_KINDS = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush", "royal flush",
)  # fmt: skip
"""The kinds of hands, the weakest first."""


class Search(Struct, frozen=True):
    """A visitor's search. An empty field matches everything. `made` is a kind of hand, and `pot` is the minimum pot."""

    bot: str = ""
    mark: str = ""
    made: str = ""
    pot: int = 0

    @property
    def hands(self) -> bool:
        """Whether the search finds hands. A search for a bot alone finds recordings."""
        return bool(self.mark or self.made or self.pot)


class RecordingRow(Struct, frozen=True):
    """A recording in a list. `begun` is its start time in UTC (ISO 8601), and `biggest` is its biggest pot in chips.

    `whole` is true if the recording has a champion.
    """

    id: int
    name: str
    begun: str
    contest: str
    title: str
    games: int
    hands: int
    bots: int
    winner: str
    biggest: int
    whole: bool = True
    deals: int = 0
    """How many deals were played. In a deal, several tables play the same cards, and each table counts as a game."""

    @property
    def played(self) -> str:
        """How much was played, such as "6 bots, 15 games, 90 hands", or "6 bots, 30 deals" in a contest with deals."""
        games = count_text(self.deals, "deal") if self.deals else count_text(self.games, "game")
        hands = "" if self.deals == self.hands else f", {count_text(self.hands, 'hand')}"
        return f"{count_text(self.bots, 'bot')}, {games}{hands}"

    @property
    def how_far(self) -> str:
        """Says where a recording without a champion ends, or is "" for a whole recording."""
        if self.whole:
            return ""
        return "published hands" if self.contest == "published" else f"cut short after hand {self.hands}"


class HandRow(Struct, frozen=True):
    """A hand in a list. `number` is its number in the recording, and `hand` is its number in its game, both from 1.

    `pot` and `big_blind` are in chips. `made` is the kind of hand that won, and `score` is how dramatic the hand was.
    `winners` are the bots that won chips, the biggest winner first. `marks` are ordered by importance. In a stage of
    deals, every table plays the same cards. `deal` is the number of the hand's deal, and `tables` is the number of
    tables in that deal. `deal_hands` is the maximum number of hands in a deal. In other stages, these three are 0.
    """

    recording: str
    title: str
    begun: str
    number: int
    stage: str
    game: int
    hand: int
    big_blind: int
    pot: int
    made: str
    score: int
    deal: int
    deal_hands: int
    tables: int
    winners: tuple[str, ...]
    ranking: str
    marks: tuple[str, ...]

    @property
    def which(self) -> str:
        """Which hand of its stage this is, such as "game 3, hand 7"."""
        return hand_label(self.game, self.hand, self.deal, self.deal_hands)


class BotRow(Struct, frozen=True):
    """A bot of a recording. `place` is 0 if the bot has no place."""

    bot: int
    name: str
    place: int


_LISTED_COLUMNS = "id, name, begun, contest, title, games, hands, bots, winner, biggest, whole, deals"
_BOT_IN_RECORDING = (
    "recording IN (SELECT e.recording FROM names n CROSS JOIN entrants e ON e.name = n.id WHERE instr(n.folded, :bot))"
)
_BOT_PLAYED = (
    "EXISTS (SELECT 1 FROM players p JOIN entrants e ON e.recording = p.recording AND e.bot = p.bot"
    " JOIN names n ON n.id = e.name WHERE p.recording = h.recording AND p.number = h.number AND instr(n.folded, :bot))"
)


def recordings_query(search: Search) -> str:
    """Returns the SQL that finds recordings, the latest first. `query_parameters` returns the parameters of the SQL."""
    bot_condition = f" AND {_BOT_IN_RECORDING.replace('recording IN', 'id IN')}" if search.bot else ""
    return (
        f"SELECT {_LISTED_COLUMNS} FROM recordings WHERE state = 'shown'{bot_condition}"  # noqa: S608 (values are bound)
        " ORDER BY id DESC LIMIT :limit OFFSET :offset"
    )


def hands_query(search: Search) -> str:
    """Returns the SQL that finds hands, the latest first. If the search has a minimum `pot`, the biggest pot comes
    first. `query_parameters` returns the parameters of the SQL.
    """
    source = "marks m JOIN hands h ON h.recording = m.recording AND h.number = m.number" if search.mark else "hands h"
    conditions = ["m.mark = :mark"] if search.mark else []
    conditions += ["h.made = :made"] if search.made else []
    conditions += ["h.pot >= :pot"] if search.pot else []
    conditions += [f"h.{_BOT_IN_RECORDING}", _BOT_PLAYED] if search.bot else []
    table = "m" if search.mark else "h"
    order = "h.pot DESC, h.recording DESC, h.number" if search.pot else f"{table}.recording DESC, {table}.number DESC"
    return (
        f"SELECT h.recording, h.number FROM {source} WHERE {' AND '.join(conditions) or '1'}"  # noqa: S608 (values are bound)
        f" ORDER BY {order} LIMIT :limit OFFSET :offset"
    )


def recordings(index: sqlite3.Connection, search: Search, page: int) -> tuple[list[RecordingRow], bool]:
    """Returns the recordings on a page (counted from 1), and whether more pages follow."""
    rows = index.execute(recordings_query(search), query_parameters(search, page)).fetchall()
    return [_recording(*row) for row in rows[:PER_PAGE]], len(rows) > PER_PAGE


def hands(index: sqlite3.Connection, search: Search, page: int) -> tuple[list[HandRow], bool]:
    """Returns the hands on a page (counted from 1), and whether more pages follow."""
    rows = index.execute(hands_query(search), query_parameters(search, page)).fetchall()
    return [_hand(index, *row) for row in rows[:PER_PAGE]], len(rows) > PER_PAGE


def find_recording(index: sqlite3.Connection, name: str) -> tuple[str, str, RecordingRow | None]:
    """Returns the stamp, the fault and the row of the recording `name`. The stamp changes when the file changes. If the
    recording is shown, the fault is "". If it is hidden, the fault says why, and the row is None. If it is unknown,
    returns ("", "", None).
    """
    query = f"SELECT stamp, fault, state = 'shown', {_LISTED_COLUMNS} FROM recordings WHERE name = ?"  # noqa: S608 (our own words)
    found = index.execute(query, (name,)).fetchone()
    stamp, fault, shown, *listed = found or ("", "", False)
    return stamp, fault, _recording(*listed) if shown else None


def hands_of(index: sqlite3.Connection, recording: RecordingRow, *, skip: int = 0, limit: int = -1) -> list[HandRow]:
    """Returns the hands of a recording after the first `skip` hands: at most `limit` hands, or all if `limit` is -1."""
    query = "SELECT recording, number FROM hands WHERE recording = ? ORDER BY number LIMIT ? OFFSET ?"
    return [_hand(index, *row) for row in index.execute(query, (recording.id, limit, skip)).fetchall()]


def best_hands(index: sqlite3.Connection, recording: RecordingRow, limit: int) -> list[HandRow]:
    """Returns the best hands and the last hand of a recording, in the order in which they were played.

    The best hands are the marked hands with the highest scores, at most `limit` hands.
    """
    numbers = index.execute(
        "SELECT number FROM (SELECT DISTINCT h.number FROM marks m JOIN hands h USING (recording, number)"
        " WHERE recording = :of ORDER BY h.score DESC, h.number LIMIT :most)"
        " UNION SELECT max(number) FROM hands WHERE recording = :of HAVING count(*) ORDER BY number",
        {"of": recording.id, "most": limit},
    ).fetchall()
    return [_hand(index, recording.id, number) for (number,) in numbers]


def entrants(index: sqlite3.Connection, recording: RecordingRow) -> list[BotRow]:
    """Returns the bots of a recording, best first."""
    rows = index.execute(
        "SELECT e.bot, n.name, e.place FROM entrants e JOIN names n ON n.id = e.name WHERE e.recording = ?"
        " ORDER BY e.place = 0, e.place, e.bot",
        (recording.id,),
    )
    return [BotRow(*row) for row in rows]


def recordings_of_bot(index: sqlite3.Connection, name: str) -> list[tuple[RecordingRow, int]]:
    """Returns the latest recordings in which the bot `name` played, each with the bot's place, or 0 if it has no place.

    Pages cut long names to MAX_POSTER_NAME characters with "…" at the end. In such a `name`, "…" matches any ending.
    """
    is_clipped = len(name) == MAX_POSTER_NAME and name.endswith("…")
    which = "substr(n.name, 1, :length) = :name AND length(n.name) > :length" if is_clipped else "n.name = :name"
    listed = ", ".join(f"r.{column}" for column in _LISTED_COLUMNS.split(", "))
    rows = index.execute(
        f"SELECT {listed}, max(e.place) FROM names n CROSS JOIN entrants e ON e.name = n.id"  # noqa: S608 (values are bound)
        f" JOIN recordings r ON r.id = e.recording WHERE {which} AND r.state = 'shown'"
        " GROUP BY r.id ORDER BY r.id DESC LIMIT :limit",
        {"name": name[:-1] if is_clipped else name, "length": len(name) - 1, "limit": PER_PAGE},
    )
    return [(_recording(*listed), place) for *listed, place in rows]


def latest_bots(index: sqlite3.Connection, limit: int) -> list[str]:
    """Returns the names of bots of the latest recordings, at most `limit` names, in alphabetical order."""
    rows = index.execute(
        "SELECT DISTINCT n.name FROM (SELECT id FROM recordings WHERE state = 'shown' ORDER BY id DESC LIMIT 10) r"
        " JOIN entrants e ON e.recording = r.id JOIN names n ON n.id = e.name ORDER BY n.folded LIMIT ?",
        (limit,),
    )
    return [name for (name,) in rows]


def count_recordings(index: sqlite3.Connection) -> int:
    """Returns the number of recordings that can be shown."""
    return int(index.execute("SELECT count(*) FROM recordings WHERE state = 'shown'").fetchone()[0])


def unshowable_files(index: sqlite3.Connection) -> list[tuple[str, str]]:
    """Returns the name of each of the latest files that cannot be shown, with a sentence that says why."""
    query = "SELECT name, fault FROM recordings WHERE state = 'damaged' ORDER BY id DESC LIMIT 20"
    return index.execute(query).fetchall()


def query_parameters(search: Search, page: int) -> dict[str, object]:
    """Returns the parameters for `recordings_query` and `hands_query`. Pages are counted from 1."""
    searched = asdict(search) | {"bot": search.bot.casefold()}
    return searched | {"limit": PER_PAGE + 1, "offset": (page - 1) * PER_PAGE}


def _recording(*listed: Any) -> RecordingRow:
    """Converts a row of the index into a `RecordingRow`. Converts `whole` to a bool, because SQLite has no booleans."""
    row = RecordingRow(*listed)
    return replace(row, whole=bool(row.whole))


def _hand(index: sqlite3.Connection, recording: int, number: int) -> HandRow:
    hand_key = (recording, number)
    row: tuple[str, str, str, int, str, int, int, int, int, str, int, int, int, int] = index.execute(
        "SELECT name, title, begun, number, stage, game, hand, big_blind, pot, made, score,"
        " deal, deal_hands, iif(deal, (SELECT count(*) FROM players p WHERE p.recording = h.recording"
        "  AND p.number = h.number), 0) FROM hands h"
        " JOIN recordings r ON r.id = h.recording WHERE h.recording = ? AND h.number = ?",
        hand_key,
    ).fetchone()
    won: Sequence[tuple[str, str]] = index.execute(
        "SELECT n.name, p.ranking FROM players p JOIN entrants e ON e.recording = p.recording AND e.bot = p.bot"
        " JOIN names n ON n.id = e.name WHERE p.recording = ? AND p.number = ? AND p.won > 0"
        " ORDER BY p.won DESC, p.bot",
        hand_key,
    ).fetchall()
    marks = index.execute("SELECT mark FROM marks WHERE recording = ? AND number = ? ORDER BY rank", hand_key)
    ranking = next((words for _, words in won if words), "")
    return HandRow(*row, tuple(winner for winner, _ in won), ranking, tuple(mark for (mark,) in marks))
