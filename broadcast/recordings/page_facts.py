"""Gathers the facts that a recording's page shows, from the index of recordings."""

import sqlite3
from itertools import groupby
from typing import Any

from broadcast.archive import queries
from broadcast.archive.queries import HandRow, RecordingRow
from broadcast.film.highlights import COMPARED_HANDS, HandScore, rank_hands
from server.text.grammar import with_article

BEST_HANDS = 8
"""How many of the best hands the page lists."""
HANDS_PER_PAGE = 200
"""The most hands on a page. More hands would make the page several megabytes large."""


def facts_of(index: sqlite3.Connection, row: RecordingRow, page: int = 0) -> dict[str, Any]:
    """Returns what the page of a recording shows. A long list of hands is split into pages of HANDS_PER_PAGE hands.
    `page` is the number of such a page, counted from 1. If `page` is 0, returns all hands.

    Raises sqlite3.Error.
    """
    skip, most = ((page - 1) * HANDS_PER_PAGE, HANDS_PER_PAGE) if page else (0, -1)
    listed = queries.hands_of(index, row, skip=skip, limit=most)
    games = [(at, list(each)) for at, each in groupby(listed, key=_list_key)]
    hands = queries.best_hands(index, row, COMPARED_HANDS)
    scores = [HandScore(hand.score, hand.marks, hand.winners[0] if hand.winners else None) for hand in hands]
    best = [hands[at] for at in rank_hands(scores, len(hands) - 1 if hands else None)[:BEST_HANDS]]
    entrants = queries.entrants(index, row)
    values = {"recording": row, "games": games, "entrants": entrants, "best": best, "with_article": with_article}
    return values | {"page_number": page, "pages": -(-row.hands // HANDS_PER_PAGE) if page else 1}


def _list_key(hand: HandRow) -> tuple[str, int]:
    """Returns the key of the list in which the page shows `hand`: the stage and the game.

    Each game has its own list. But if each deal of a stage has only one hand, the whole stage has one list. Its key has
    the game 0.
    """
    return hand.stage, 0 if hand.deal_hands == 1 else hand.game
