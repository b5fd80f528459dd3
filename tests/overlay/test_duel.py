"""The duel scene: a bot without chips faces the bot that won them. Several duels follow one another."""

from server.game.events import BotEliminated
from tests.overlay.support.scenes import TRIALS, starting
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script, folded

_POSTERS = "() => [...document.querySelectorAll('.scene--duel .poster__name')].map((name) => name.textContent)"


def double_shot() -> Script:
    """Two bots lose their last chips to a third in one hand, for different pots."""
    script = starting().game(TRIALS, (4350, 2100, 6020, 2200, 11900, 3480))
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


def test_duel_is_in_the_picture_only_until_the_next_hand_or_the_end_of_the_game() -> None:
    script = double_shot().eliminate(1, 12).eliminate(3, 11)
    first = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, BotEliminated))
    before, shown = folded(script.entries[:first]), folded(script.entries)
    assert (before.scene, before.duel, shown.scene) == ("table", None, "duel")
    next_hand = folded(script.hand(events=1).entries)
    next_game = folded(double_shot().eliminate(1, 12).end_game().entries)
    assert (next_hand.scene, next_hand.duel) == ("table", None)
    assert (next_game.scene, next_game.duel) == ("standings", None)
