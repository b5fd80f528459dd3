"""Games of a season on workers: how many a second with one, two and three workers, and on one machine without any;
how much longer a game takes on a worker; then games whose workers and schedulers are killed.

Run: `make bench BENCH=workers ARGS="--games 200"`; the workers share the processors of this machine, so more of them
cannot be faster here. The ledger of each run is compared with that of one machine: the peer.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.game.events import Event
from server.season.files import Store
from server.verify.season import prove
from tests.bench.common.scales import options, print_machine
from tests.support.cluster import Cluster, cluster, games_of, games_rated, ledger_of, said, season, write_event

AT_ONCE, PLAYERS = 8, 24
HOUR = 3600.0


def held(
    event: Path, workers: Cluster | None, kills: tuple[int, int] = (0, 0), dice: random.Random | None = None
) -> float:
    """Holds the season to its end; returns the seconds from its first game to its last.

    `kills` are how many workers and schedulers are killed meanwhile, one after the other, and started again.
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
        assert program.wait(HOUR) == 0, said(event)
    assert not victims, "not all of them were killed"
    return took


def checked(event: Path, peer: list[Event] | None) -> list[Event]:
    """The games of the ledger, which are those of the peer's, and which are all proved."""
    verdict = prove(ledger_of(event), Store(ledger_of(event)))
    assert verdict.whole, verdict
    games = games_of(event)
    assert peer is None or games == peer, "another ledger than on one machine"
    return games


if __name__ == "__main__":
    flags = options(__doc__, games=120, killed_games=400, workers_killed=8, schedulers_killed=1)
    print_machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()

        def event(called: str, games: int, workers: Cluster | None = None, at_once: int = AT_ONCE) -> Path:
            more = ""
            if workers:
                more = f'[workers]\nscheduler = "{workers.address}"\ncertificates = "{workers.certificates}"\n'
            return write_event(folder / called, PLAYERS, games, at_once, more)

        one_by_one = held(event("serial", int(flags.games), at_once=1), None)
        (folder / "one").mkdir()
        with cluster(folder / "one") as workers:
            workers.start_worker("w1")
            over_there = held(event("serial_there", int(flags.games), workers, at_once=1), workers)
        cost = (over_there - one_by_one) / flags.games
        print(f"one game after the other, what a game takes longer on a worker: {cost * 1000:.0f} ms  (goal 50)")
        alone = event("alone", int(flags.games))
        seconds = held(alone, None)
        peer = checked(alone, None)
        print(f"one machine alone       {flags.games / seconds:6.2f} games/s")
        for count in (1, 2, 3):
            (folder / f"of{count}").mkdir()
            with cluster(folder / f"of{count}") as workers:
                for number in range(1, count + 1):
                    workers.start_worker(f"w{number}")
                spread = event(f"spread{count}", int(flags.games), workers)
                took = held(spread, workers)
                checked(spread, peer)
            print(
                f"{count} workers               {flags.games / took:6.2f} games/s   {seconds / took:.2f}x, same ledger"
            )
        if flags.killed_games:
            plain = event("plain", int(flags.killed_games))
            held(plain, None)
            peer = checked(plain, None)
            (folder / "harried").mkdir()
            with cluster(folder / "harried") as workers:
                for number in (1, 2, 3):
                    workers.start_worker(f"w{number}")
                kills = int(flags.workers_killed), int(flags.schedulers_killed)
                harried = event("harried/season", int(flags.killed_games), workers)
                took = held(harried, workers, kills, random.Random(16))
                checked(harried, peer)
            print(
                f"{flags.killed_games} games, {kills[0]} workers and {kills[1]} schedulers killed: the same ledger,"
                f" every game proved, {flags.killed_games / took:.2f} games/s"
            )
