"""How fast are the index of 10,000 recordings and the replay page of a recording of 720 hands?

There is no peer. Run: `make bench BENCH=archive`; shorter: `ARGS="--games 1000 --jumps 20"`.
"""

import random
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import Page, sync_playwright

from broadcast.archive import queries
from broadcast.archive.archive import INDEX, Archive
from broadcast.archive.database import Indexed, keep, open_connection, open_index, stamp_of
from broadcast.archive.indexing import index_all
from broadcast.archive.queries import HAND_KINDS, MARKS, Search
from broadcast.archive.summary import HandSummary, Summary, Won
from broadcast.film.film import film_of, keep_film
from broadcast.video.chromium import find_chromium
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.view import View
from tests.bench.common.scales import options, print_machine
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import FLAGS
from tests.support.contests import DiceBot, play_contest
from tests.support.recordings import write

SEARCHES = {
    "the list": Search(),
    "games of a bot": Search(bot="bot 17"),
    "bad beats": Search(mark="Bad beat"),
    "full houses": Search(made="full house"),
    "big pots": Search(pot=25_000),
    "a bot's bad beats": Search(bot="bot 17", mark="Bad beat"),
}
# Jumps to an entry; returns the milliseconds until the frame that shows its picture.
JUMP = """async (seq) => {
  const begun = performance.now();
  await window.highnoon.head.seek(seq);
  await new Promise(requestAnimationFrame);
  const after = new MessageChannel();
  await new Promise((done) => { after.port1.onmessage = done; after.port2.postMessage(0); });
  return performance.now() - begun;
}"""

PAINTED = "performance.getEntriesByName('highnoon:mounted').at(-1)"
"""The performance mark that the screen sets after the frame with the first picture."""


def measure_index(path: Path, games: int) -> None:
    open_index(path)
    dice = random.Random(7)
    begun = time.perf_counter()
    with open_connection(path) as index:
        for number in range(games):
            keep(index, make_game(number, dice))
        print(f"{'putting in':24} {(time.perf_counter() - begun) * 1e6 / games:9.0f} us a game of six hands")
        for what, search in SEARCHES.items():
            ask, times = queries.hands if search.hands else queries.recordings, list[float]()
            for page in (1, 2, 3):
                begun = time.perf_counter()
                ask(index, search, page)
                times.append((time.perf_counter() - begun) * 1000)
            print(f"{what:24} {sorted(times)[1]:9.2f} ms a page")


def make_game(number: int, dice: random.Random) -> Indexed:
    bots = {bot: f"Bot {dice.randrange(200)} {bot}" for bot in range(1, 7)}
    hands = []
    for at in range(1, 7):
        pot, made = dice.randrange(100, 30_000), HAND_KINDS[min(dice.randrange(10), dice.randrange(10))]
        marks = tuple(mark for mark in MARKS if dice.random() < 0.05)
        winner = dice.randint(1, 6)
        won = Won(winner, pot, made), *(Won(bot) for bot in bots if bot != winner)
        hands.append(HandSummary(at, 1, at, "A game", 100, pot, 10, won, marks))
    summary = Summary("quick-draw", "Quick Draw Circuit", True, 1, bots, {bot: bot for bot in bots}, hands)
    moment = f"2026-{1 + number // 2000 % 12:02}-{1 + number // 100 % 28:02}T{number % 24:02}:00:{number % 60:02}+00:00"
    return Indexed(f"game-{number:06}", "1-1", "shown", moment, "", summary)


class CalmBot(DiceBot):
    """Bets little more than it must, so that all bots still have chips after hundreds of hands."""

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        assert turn is not None, "a bot is asked only on its turn"
        if turn.max_raise_to and self._dice.random() < 0.15:
            return RaiseTo(turn.min_raise_to)
        return Fold() if turn.to_call and self._dice.random() < 0.5 else Call()


def measure_replay(folder: Path, jumps: int) -> None:
    trials, final = QUICK_DRAW_FORMAT.stages
    long = replace(QUICK_DRAW_FORMAT, starting_stack=400_000, stages=(replace(trials, games=116), final))
    entries = play_contest(3, 12, long, kind=CalmBot)
    recording = write(folder / "long.jsonl", entries)
    begun = time.process_time()
    film = film_of(entries, "2026-11-21T20:00:00+00:00")
    hands = len(film.outline.hands) - 1
    print(f"{'making a film':24} {time.process_time() - begun:9.1f} s of a processor, {hands} hands, once")
    keep_film(film, stamp_of(recording), folder / "long.film")
    index_all(folder / INDEX, folder, ["long"])
    shows = ShowServer(folder / "media")
    shows.studio.add_archive(Archive(folder, folder / INDEX))
    with shows, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        opening = [open_page(page, shows.address) for _ in range(5)]
        print(f"{'opening the page':24} {sorted(opening)[2]:9.0f} ms to the picture, median of {len(opening)}")
        dice = random.Random(3)
        jumped = [dice.randrange(1, film.outline.entries) for _ in range(jumps)]
        far = sorted(page.evaluate(JUMP, seq) for seq in jumped)
        p50, p99 = far[len(far) // 2], far[len(far) * 99 // 100]
        print(f"{'jumping anywhere':24} {p50:9.0f} ms, p99 {p99:.0f}  (goal 300)")
        chromium.close()


def open_page(page: Page, address: str) -> float:
    """Opens the replay page at a hand in the middle; returns the milliseconds until its picture is shown."""
    page.goto("about:blank")
    page.goto(f"{address}/replay/long?debug&motion=off&hand={random.Random(5).randrange(700)}&step=20")
    page.wait_for_function(f"() => {PAINTED}", timeout=60_000)
    return float(page.evaluate(f"() => {PAINTED}.startTime"))


if __name__ == "__main__":
    flags = options(__doc__, games=10_000, jumps=100)
    print_machine()
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        measure_index(Path(name) / "many.sqlite", flags.games)
        measure_replay(Path(name), flags.jumps)
