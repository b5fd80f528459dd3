"""How much longer does a game of a season take on a worker, and how many games per second does a worker play?

The peer is one machine without workers. The worker shares the processors of this machine, so it cannot be faster here.
Both ledgers must be equal. Run: `make bench BENCH=workers ARGS="--games 200"`.
"""

import tempfile
import time
from pathlib import Path

from server.game.events import Event
from server.season.files import Store
from server.verify.season import prove
from tests.bench.common.scales import options, print_machine
from tests.support.cluster import cluster, games_of, games_rated, ledger_of, output_of, season, write_event

AT_ONCE, PLAYERS = 8, 24
HOUR = 3600.0


def hold_season(event: Path) -> float:
    """Runs the season to its end; returns the seconds from its first game to its last."""
    games = int(event.read_text().split("games = ")[1].split()[0])
    begun = 0.0
    with season(event) as program:
        while program.poll() is None and (rated := games_rated(event)) < games:
            begun = begun or (time.monotonic() if rated else 0.0)
            time.sleep(0.02)
        took = time.monotonic() - begun
        assert program.wait(HOUR) == 0, output_of(event)
    return took


def proved_games(event: Path) -> list[Event]:
    """Returns all games of the ledger, after proving them."""
    verdict = prove(ledger_of(event), Store(ledger_of(event)))
    assert verdict.whole, verdict
    return games_of(event)


def play_alone(folder: Path, games: int, at_once: int = AT_ONCE) -> tuple[Path, float]:
    """Plays a season on this machine; returns its event file and the seconds it took."""
    event = write_event(folder, PLAYERS, games, at_once, "")
    return event, hold_season(event)


def play_on_a_worker(folder: Path, games: int, at_once: int = AT_ONCE) -> tuple[Path, float]:
    """Plays a season on a worker; returns its event file and the seconds it took."""
    folder.mkdir()
    with cluster(folder) as workers:
        workers.start_worker("w1")
        more = f'[workers]\nscheduler = "{workers.address}"\ncertificates = "{workers.certificates}"\n'
        event = write_event(folder / "season", PLAYERS, games, at_once, more)
        return event, hold_season(event)


if __name__ == "__main__":
    flags = options(__doc__, games=120)
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _, one_by_one = play_alone(folder / "serial", flags.games, at_once=1)
        _, on_worker = play_on_a_worker(folder / "one", flags.games, at_once=1)
        cost = (on_worker - one_by_one) / flags.games
        print(f"one game after the other, extra time per game on a worker: {cost * 1000:.0f} ms  (goal 50)")
        alone, seconds = play_alone(folder / "alone", flags.games)
        print(f"one machine alone       {flags.games / seconds:6.2f} games/s")
        there, took = play_on_a_worker(folder / "there", flags.games)
        assert proved_games(there) == proved_games(alone), (
            "a season on a worker must have the same ledger as on one machine"
        )
        print(f"a worker                {flags.games / took:6.2f} games/s   {seconds / took:.2f}x, same ledger")
