"""The duel scene: a bot without chips faces the one that won them, one duel after the other, never too early."""

from msgspec.structs import replace

from server.game.events import BotEliminated, HandStarted
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import TRIALS, opened, tess_wins
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script, folded

_POSTERS = "() => [...document.querySelectorAll('.scene--duel .poster__name')].map((name) => name.textContent)"


def double_shot() -> Script:
    """Two bots lose their last chips to a third in one hand, for different pots."""
    script = opened().game(TRIALS, (4350, 2100, 6020, 2200, 11900, 3480))
    holes = {3: "Td 8c", 1: "Ks Qs", 4: "9s 9d", 5: "8s 3h"}
    return script.hand("raise:2200 raise:6000 fold fold call fold", holes=holes)


def test_duels_of_one_hand_follow_one_another(still: Screen) -> None:
    script = double_shot()
    still.show(script)
    seen = []
    for seat, place in ((1, 12), (3, 11)):
        before = len(script.entries)
        script.eliminate(seat, place)
        still.put(script.entries[before:])
        still.settle()
        seen.append((still.page.evaluate(_POSTERS)[0], still.page.inner_text(".scene--duel .stamp__place")))
    assert seen == [("Doc Holobyte", "12th place"), ("The Bluffin' Bandit", "11th place")]


def test_duel_is_in_the_picture_at_its_moment_only() -> None:
    script = double_shot().eliminate(1, 12).eliminate(3, 11)
    first = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, BotEliminated))
    before = folded(script.entries[:first])
    assert (before.scene, before.duel) == ("table", None)
    assert folded(script.entries).scene == "duel"
    script.hand()
    begun = max(at for at, entry in enumerate(script.entries) if isinstance(entry.event, HandStarted))
    after = folded(script.entries[: begun + 1])
    assert (after.scene, after.duel) == ("table", None)


def test_standings_follow_a_duel_that_ends_a_game() -> None:
    state = folded(double_shot().eliminate(1, 12).end_game().entries)
    assert (state.scene, state.duel) == ("standings", None)


_AT = "(ms) => document.getAnimations().forEach((motion) => { motion.pause(); motion.currentTime = ms; })"
_FALLEN = """() => {
  const poster = document.querySelector(".poster[data-fallen]");
  return [getComputedStyle(poster.querySelector("img")).opacity, getComputedStyle(poster).transform];
}"""


def test_loser_of_a_duel_is_unharmed_until_the_shot(open_screen: OpenScreen) -> None:
    script = tess_wins(speed=8)
    before = len(script.entries)
    script.eliminate(1, 12)
    screen = open_screen("motion=full")
    screen.recall(script.entries[:before])
    screen.settle()
    screen.stop_clock()
    screen.put(replace(entry, hold_ms=10_000) for entry in script.entries[before:])
    screen.wait("() => document.querySelector('.poster[data-fallen]')?.getAnimations().length")
    screen.page.evaluate(_AT, 3_300)
    assert screen.page.evaluate(_FALLEN) == ["1", "none"]
    screen.page.evaluate(_AT, 3_500)
    opacity, turned = screen.page.evaluate(_FALLEN)
    assert float(opacity) < 1
    assert turned != "none"
