"""The card room's health report."""

import time
from pathlib import Path

from server.app.evening.health import TableHealth
from server.game.events import GameStarted, HandStarted, StageStarted
from server.journal.journal import Journal


def test_evening_survives_the_removal_of_its_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "recordings" / "x.jsonl")
    health = TableHealth(journal, time.monotonic)
    assert health.report().disk_free_bytes
    journal.path.unlink()
    journal.path.parent.rmdir()
    assert not health.report().disk_free_bytes
    journal.close()


def test_open_ended_games_and_hands_are_reported_without_a_total(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "x.jsonl")
    health = TableHealth(journal, time.monotonic)
    for games, hands, doing in (
        (0, 8, "The Tables, game 1, hand 3 of 8"),
        (1, 0, "The Tables, hand 3"),
        (15, 6, "The Tables, game 1 of 15, hand 3 of 6"),
    ):
        health.heard(StageStarted(1, "The Tables", games, hands, (1, 2), (40, 40)))
        health.heard(GameStarted(1, hands, (1, 2), (40, 40), ""))
        health.heard(HandStarted(3, 0, 1, 2, 0, (40, 40), ""))
        assert health.report().doing == doing
    journal.close()
