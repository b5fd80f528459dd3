"""The card room's health report, whatever happens around it."""

import time
from pathlib import Path

from server.app.evening.health import TableHealth
from server.game.events import Event, GameStarted, HandStarted, StageStarted
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
    def doing(games: int, hands: int) -> str:
        journal = Journal(tmp_path / f"{games} {hands}.jsonl")
        health = TableHealth(journal, time.monotonic)
        played: list[Event] = [
            StageStarted(1, "The Tables", games, hands, (1, 2), (40, 40)),
            GameStarted(1, hands, (1, 2), (40, 40), ""),
            HandStarted(3, 0, 1, 2, 0, (40, 40), ""),
        ]
        for event in played:
            health.heard(event)
        journal.close()
        return health.report().doing

    assert doing(0, 8) == "The Tables, game 1, hand 3 of 8"
    assert doing(1, 0) == "The Tables, hand 3"
    assert doing(15, 6) == "The Tables, game 1 of 15, hand 3 of 6"
