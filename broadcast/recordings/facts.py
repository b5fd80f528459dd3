"""What the page of one recording shows: who played, every hand of every game, and the hands to see."""

import sqlite3
from itertools import groupby
from typing import Any

from broadcast.archive import queries
from broadcast.archive.archive import Archive
from broadcast.archive.queries import RecordingRow
from broadcast.film.highlights import HandScore, weighed
from server.text.grammar import with_article

BEST = 8
PER_PAGE = 200
"""Hands on a page: more make a page of megabytes."""


async def facts_of(archive: Archive, row: RecordingRow, page: int = 0) -> dict[str, Any]:
    """What the template of a recording's page needs, from the index, with the hands of one `page`, from 1; 0: with all.

    Raises sqlite3.Error or OSError.
    """
    return await archive.ask(lambda index: _facts(index, row, page))


def _facts(index: sqlite3.Connection, row: RecordingRow, page: int) -> dict[str, Any]:
    hands, entrants = queries.hands_of(index, row), queries.entrants(index, row)
    listed = hands[(page - 1) * PER_PAGE : page * PER_PAGE] if page else hands
    games = [(at, list(each)) for at, each in groupby(listed, key=lambda hand: (hand.stage, hand.game))]
    scores = [HandScore(hand.score, hand.marks, hand.winners[0] if hand.winners else None) for hand in hands]
    best = [hands[at] for at, _ in weighed(scores, len(hands) - 1 if hands else None)[:BEST]]
    about = {"recording": row, "games": games, "entrants": entrants, "best": best, "with_article": with_article}
    return about | {"at": page, "pages": -(-len(hands) // PER_PAGE) if page else 1}
