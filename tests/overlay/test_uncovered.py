"""Nothing covers a name, a face, a card or an amount, and none of them is cut off: in whole shows at their liveliest.

`tests/bench/covered.py` looks at many more moments of them.
"""

import asyncio
from itertools import product
from pathlib import Path

import pytest

from broadcast.film.film import film_of
from server.game.events import BotDisconnected, BotEliminated, ChatSent, NoteGiven, PotAwarded
from tests.bench import covered
from tests.overlay.conftest import WINDOW, OpenScreen
from tests.overlay.support import sampled_show
from tests.overlay.support.lively_show import lively_entries
from tests.overlay.support.sampled_show import COVERS, Window, sample
from tests.overlay.support.scripted_show import NAMES, Script

WINDOWS = {"wide": WINDOW, "tall": (837, 1488)}
SHOWS = {
    "quick-draw": Window(1920, 1080),
    "enova": Window(390, 844, "tall"),
    "arena": Window(1280, 720, theme="plain"),
    "upac": Window(390, 844, "tall", "plain"),
}
MOMENTS, STRETCHES = 240, 12
SEED = 1871
# What the page itself sees in a frame of the flight: on a busy machine the test may ask too late.
_FLOWN = """() => {
  window.under = null;
  const look = () => {
    if (document.querySelector("canvas.particles")) window.under = window.covered();
    else requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize("contest", SHOWS)
def test_nothing_covers_what_is_read_while_everybody_talks(contest: str, tmp_path: Path) -> None:
    film = film_of(lively_entries(contest, SEED))
    seen = asyncio.run(sample(film, tmp_path, SHOWS[contest], MOMENTS, STRETCHES))
    assert seen.found == ()
    assert seen.spoken > MOMENTS / 6


def test_benchmark_samples_3000_moments_with_talk_notes_lost_bots_and_splits() -> None:
    assert len(covered.CONTESTS) * len(sampled_show.WINDOWS) * covered.MOMENTS >= 3000
    for contest, seed in product(covered.CONTESTS, covered.SEEDS):
        events = [entry.event for entry in lively_entries(contest, seed)]
        assert {BotDisconnected, BotEliminated, ChatSent, NoteGiven} <= {type(event) for event in events}
        assert any(isinstance(event, PotAwarded) and len(event.awards) > 1 for event in events)


@pytest.mark.parametrize(("count", "shape"), [(6, "wide"), (2, "tall")])
def test_particles_fly_below_all_that_is_read(count: int, shape: str, open_screen: OpenScreen) -> None:
    script = hand_of(count)
    at = next(number for number, entry in enumerate(script.entries) if isinstance(entry.event, PotAwarded))
    width, height = WINDOWS[shape]
    screen = open_screen(f"shape={shape}", width=width, height=height)
    screen.recall(script.entries[:at])
    screen.settle()
    screen.stop_clock()
    screen.page.evaluate(COVERS)
    screen.page.evaluate(_FLOWN)
    screen.put([script.entries[at]])
    screen.wait("() => window.under !== null")
    assert screen.page.evaluate("() => window.under") == []


def hand_of(count: int) -> Script:
    """A short stack, a bot that is gone, speech, an all-in, a run-out, its winners; then a hand without the losers."""
    script = Script(NAMES[:count], speed=1).connect().stage(games=1, advance=0)
    script.game(range(1, count + 1), (5000, 1500, *(5000,) * (count - 2))).lose(2)
    script.chat((1, "I once folded a royal flush to a man with a better hat, and I would do it again tomorrow."))
    script.chat((count, "Yeehaw!"))
    early = ("call", "fold") * count
    script.hand(" ".join(("raise:5000", *early[: max(0, count - 3)], *("call",) * min(2, count - 1))))
    out = [seat for seat, stack in enumerate(script.stacks) if not stack]
    for place, seat in enumerate(out):
        script.eliminate(seat, count - place)
    return script.hand("call") if len(out) < count - 1 else script
