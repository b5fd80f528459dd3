"""How many games of a season do one, two and three workers play per second, compared with one machine without workers?

Also: how much longer does a game take on a worker, and do all games survive when workers and schedulers are killed? The
workers share the processors of this machine, so more of them cannot be faster here. The ledger of each run must be
equal to that of one machine, which is the peer. Run: `make bench BENCH=workers ARGS="--games 200"`.
"""

import random
import tempfile
import time
from pathlib import Path

from server.game.events import Event
from server.season.files import Store
from server.verify.season import prove
from tests.bench.common.scales import options, print_machine
from tests.support.cluster import Cluster, cluster, games_of, games_rated, ledger_of, output_of, season, write_event

AT_ONCE, PLAYERS = 8, 24
HOUR = 3600.0


def hold_season(
    event: Path, workers: Cluster | None, kills: tuple[int, int] = (0, 0), dice: random.Random | None = None
) -> float:
    """Runs the season to its end; returns the seconds from its first game to its last.

    `kills` is how many workers and how many schedulers are killed and restarted meanwhile, one after the other.
    """
    games = int(event.read_text().split("games = ")[1].split()[0])
    victims = ["worker"] * kills[0] + ["scheduler"] * kills[1]
    if dice:
        dice.shuffle(victims)
    begun = 0.0
    with season(event) as program:
        while program.poll() is None:
            rated = games_rated(event)
            begun = begun or (time.monotonic() if rated else 0.0)
            if workers and dice and victims and rated > games * (1 - len(victims) / (sum(kills) + 1)) - 1:
                if victims.pop() == "scheduler":
                    workers.kill_scheduler()
                    workers.start_scheduler()
                else:
                    name = dice.choice(("w1", "w2", "w3"))
                    workers.kill_worker(name)
                    workers.start_worker(name)
            if rated >= games:
                break
            time.sleep(0.02)
        took = time.monotonic() - begun
        assert program.wait(HOUR) == 0, output_of(event)
    assert not victims, "some were not killed"
    return took


def check_games(event: Path, peer: list[Event] | None) -> list[Event]:
    """Proves all games of the ledger, compares them with the peer's, and returns them."""
    verdict = prove(ledger_of(event), Store(ledger_of(event)))
    assert verdict.whole, verdict
    games = games_of(event)
    assert peer is None or games == peer, "the ledger differs from that of one machine"
    return games


def play_alone(folder: Path, games: int, at_once: int = AT_ONCE) -> tuple[Path, float]:
    """Plays a season on this machine; returns its event file and the seconds it took."""
    event = write_event(folder, PLAYERS, games, at_once, "")
    return event, hold_season(event, None)


def play_on_workers(
    folder: Path, games: int, count: int, at_once: int = AT_ONCE, kills: tuple[int, int] = (0, 0)
) -> tuple[Path, float]:
    """Plays a season on `count` workers; returns its event file and the seconds it took."""
    folder.mkdir()
    with cluster(folder) as workers:
        for number in range(1, count + 1):
            workers.start_worker(f"w{number}")
        more = f'[workers]\nscheduler = "{workers.address}"\ncertificates = "{workers.certificates}"\n'
        event = write_event(folder / "season", PLAYERS, games, at_once, more)
        return event, hold_season(event, workers, kills, random.Random(16) if any(kills) else None)


if __name__ == "__main__":
    flags = options(__doc__, games=120, killed_games=400, workers_killed=8, schedulers_killed=1)
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _, one_by_one = play_alone(folder / "serial", flags.games, at_once=1)
        _, on_worker = play_on_workers(folder / "one", flags.games, 1, at_once=1)
        cost = (on_worker - one_by_one) / flags.games
        print(f"one game after the other, extra time per game on a worker: {cost * 1000:.0f} ms  (goal 50)")
        event, seconds = play_alone(folder / "alone", flags.games)
        peer = check_games(event, None)
        print(f"one machine alone       {flags.games / seconds:6.2f} games/s")
        for count in (1, 2, 3):
            event, took = play_on_workers(folder / f"of{count}", flags.games, count)
            check_games(event, peer)
            rate = flags.games / took
            print(f"{count} workers               {rate:6.2f} games/s   {seconds / took:.2f}x, same ledger")
        if flags.killed_games:
            kills = flags.workers_killed, flags.schedulers_killed
            peer = check_games(play_alone(folder / "plain", flags.killed_games)[0], None)
            event, took = play_on_workers(folder / "harried", flags.killed_games, 3, kills=kills)
            check_games(event, peer)
            print(f"{flags.killed_games} games, {kills[0]} workers and {kills[1]} schedulers killed:", end=" ")
            print(f"the same ledger, every game proved, {flags.killed_games / took:.2f} games/s")
