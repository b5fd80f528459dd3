"""How much longer does a game of a season take on a worker (usually another machine)? How many games run per second?

Compares seasons with and without a worker. Here the worker runs on this machine too, and so cannot be faster.
Both kinds of season must have the same ledger (record of games).
Run: `make bench BENCH=workers ARGS="--games 200"`.
"""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from server.game.events import Event
from server.season.files import SeasonFiles
from server.verify.season import verify_season
from tests.bench.common.scales import options
from tests.support.programs.cluster import cluster, game_events, ledger_of, output_of, rated_games, season, write_event

AT_ONCE, PLAYERS = 8, 24


def hold_season(folder: Path, games: int, at_once: int, workers: str = "") -> tuple[Sequence[Event], float]:
    """Runs a season to its end. Returns its events, and the seconds from its first rated game to its last."""
    event, started_at = write_event(folder, PLAYERS, games, at_once, workers), 0.0
    with season(event) as program:
        while program.poll() is None and (rated_count := rated_games(event)) < games:
            started_at = started_at or (time.monotonic() if rated_count else 0.0)
            time.sleep(0.02)
        took = time.monotonic() - started_at
        assert program.wait(3600) == 0, output_of(event)
    assert verify_season(ledger_of(event), SeasonFiles(ledger_of(event))).whole  # `whole` means complete to its end
    return game_events(event), took


if __name__ == "__main__":
    games = options(__doc__, games=120).games
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _, one_by_one_alone = hold_season(folder / "one by one", games, 1)
        games_alone, took_alone = hold_season(folder / "alone", games, AT_ONCE)
        (folder / "there").mkdir()  # for the seasons on the worker
        with cluster(folder / "there") as workers:
            workers.start_worker("w1")
            _, one_by_one_there = hold_season(folder / "there" / "one by one", games, 1, workers.event_lines)
            games_there, took_there = hold_season(folder / "there" / "many", games, AT_ONCE, workers.event_lines)
    extra_ms = (one_by_one_there - one_by_one_alone) / games * 1000
    print(f"one game after the other, extra time per game on a worker: {extra_ms:.0f} ms  (goal 50)")
    print(f"one machine alone       {games / took_alone:6.2f} games/s")
    assert games_there == games_alone, "a season on a worker must have the same ledger as on one machine"
    print(f"a worker                {games / took_there:6.2f} games/s   {took_alone / took_there:.2f}x, same ledger")
