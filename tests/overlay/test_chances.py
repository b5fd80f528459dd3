"""Chances on the posters: shown while a hand is open, updated with each card, and covering nothing else."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.on_air.events import Chance, EquitiesChanged
from server.game.events import StreetDealt
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.page_memory import page_memory
from tests.overlay.support.scenes import SCENES, TRIALS, UNEVEN
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script, folded
from tests.overlay.test_scenes import MEASURES

PLACARDS = """() => [...document.querySelectorAll(".seat")].map((seat) => {
  const placard = seat.querySelector(".chance");
  return placard.checkVisibility() ? placard.textContent : null;
})"""
# Which cards of the flop show their face when a part of the picture changes its text.
_TURNED_WHEN_SAID = """async ([part, said]) => {
  const says = () => document.querySelector(part).textContent.replace(/\\s/g, "");
  while (says() !== said.replace(/\\s/g, "")) await new Promise(requestAnimationFrame);
  const turning = document.getAnimations().filter((motion) => motion.effect.getComputedTiming().progress < 0.6);
  return [...document.querySelectorAll(".board .card[data-suit]")]
    .map((card) => !turning.some((motion) => motion.effect.target === card));
}"""
_CHANCE = ".seat:nth-child(6) .chance__number"
_SAYS = "(said) => document.querySelectorAll('.chance')[5]?.textContent === said"
# Every number that the placard of seat 5 shows, read between frames.
WATCH = """() => {
  const placard = document.querySelectorAll(".chance")[5];
  window.numbers = [placard.textContent];
  setInterval(() => {
    if (window.numbers.at(-1) !== placard.textContent) window.numbers.push(placard.textContent);
  }, 5);
}"""
STANDS = "() => window.boxesOf('.poster, .poster__photo, .poster__name .line, .poster__stack, .plate, .card, .badge')"


def placards(screen: Screen) -> Any:
    """What each seat's placard says; None where there is none."""
    return screen.page.evaluate(PLACARDS)


def without_chances(script: Script) -> Script:
    """The same show when no chance was calculated in time."""
    script.entries = [entry for entry in script.entries if not isinstance(entry.event, EquitiesChanged)]
    script.entries = [replace(entry, seq=seq) for seq, entry in enumerate(script.entries, 1)]
    return script


def all_in(speed: float = 2, bots: Sequence[int] = TRIALS) -> Script:
    """The nines of seat 5 against one hand, all in before the flop, by default at twice the pace of a show."""
    script = Script(speed=speed).connect().stage().game(bots, UNEVEN)
    return script.hand("raise:2200 fold raise:11900 fold fold fold")


def until_street(script: Script, street: str) -> int:
    """The number of entries before a street is dealt."""
    return next(
        at
        for at, entry in enumerate(script.entries)
        if isinstance(entry.event, StreetDealt) and entry.event.street == street
    )


def test_live_hands_show_a_chance_and_folded_ones_none(still: Screen) -> None:
    script = SCENES["betting"]()
    still.show(script)
    for seat, chance in zip(folded(script.entries).seats, placards(still), strict=True):
        assert (chance is None) == seat.folded
        if seat.win is not None and 10 <= seat.win <= 990:
            assert chance == f"{(seat.win + 5) // 10}%"


@pytest.mark.parametrize("scene", ["winner", "walk", "split", "captured", "starting"])
def test_no_chance_is_shown_before_a_hand_or_after_it_is_won(scene: str, still: Screen) -> None:
    still.show(SCENES[scene]())
    assert not any(placards(still))


@pytest.mark.parametrize(
    ("win", "tie", "chance"),
    [
        (0, 0, "0%"), (1, 0, "<1%"), (9, 0, "<1%"), (10, 0, "1%"), (714, 20, "71%"), (990, 0, "99%"), (991, 9, ">99%"),
        (1000, 0, "100%"), (0, 880, "TIE88%"), (30, 880, "TIE88%"), (0, 1000, "TIE"), (0, 995, "TIE>99%"),
        (8, 9, "<1%"), (0, 49, "0%"), (0, 50, "TIE5%"), (60, 50, "6%"),
    ],
)  # fmt: skip
def test_uncertain_chance_is_never_shown_as_certain(win: int, tie: int, chance: str, still: Screen) -> None:
    script = SCENES["dealt"]()
    still.show(script.tell(EquitiesChanged((Chance(0, win, tie), Chance(1, 5, 0)))))
    assert placards(still)[0] == chance


@pytest.mark.parametrize("scene", ["heads_up", "betting", "nine", "twelve"])
def test_numbers_are_40_pixels_high_and_equally_wide(scene: str, still: Screen) -> None:
    still.show(SCENES[scene]())
    looks = still.page.evaluate(
        """() => [...document.querySelectorAll(".chance__number")].filter((node) => node.checkVisibility())
          .map((node) => getComputedStyle(node))
          .map((style) => [parseFloat(style.fontSize), style.fontVariantNumeric])"""
    )
    assert looks
    assert all(size >= 40 and "tabular-nums" in digits for size, digits in looks)


@pytest.mark.parametrize("scene", ["heads_up", "betting", "nine", "twelve", "everyone_all_in"])
def test_chances_move_nothing_else(scene: str, still: Screen) -> None:
    still.show(SCENES[scene]())
    still.page.evaluate(MEASURES)
    with_them = still.page.evaluate(STANDS)
    assert any(placards(still))
    still.show(without_chances(SCENES[scene]()))
    assert not any(placards(still))
    assert still.page.evaluate(STANDS) == with_them


@pytest.mark.parametrize("motion", ["full", "reduced"])
def test_numbers_jump_to_the_new_value_without_steps_between(motion: str, open_screen: OpenScreen) -> None:
    assert len(set(seen_on_the_flop(open_screen(f"motion={motion}"), all_in()))) == 2


def test_number_changes_only_after_its_cards_are_turned_over(open_screen: OpenScreen) -> None:
    script, screen = all_in(), open_screen()
    flop, turn = until_street(script, "flop"), until_street(script, "turn")
    screen.recall(script.entries[:flop])
    screen.wait(_SAYS, said_after(script, flop))
    screen.put(script.entries[flop:turn])
    assert screen.page.evaluate(_TURNED_WHEN_SAID, [_CHANCE, said_after(script, turn)]) == [True] * 3


def test_caption_names_no_card_before_it_is_turned_over(open_screen: OpenScreen) -> None:
    script, screen = all_in(), open_screen()
    flop, turn = until_street(script, "flop"), until_street(script, "turn")
    screen.recall(script.entries[:flop])
    screen.settle()
    screen.put(script.entries[flop:turn])
    caption = folded(script.entries[:turn]).caption
    assert screen.page.evaluate(_TURNED_WHEN_SAID, [".third__caption", caption]) == [True] * 3


def seen_on_the_flop(screen: Screen, script: Script) -> list[str]:
    """What the placard of seat 5 says from before the flop until its number stands still."""
    flop, turn = until_street(script, "flop"), until_street(script, "turn")
    screen.recall(script.entries[:flop])
    screen.wait(_SAYS, said_after(script, flop))
    screen.page.evaluate(WATCH)
    screen.put(script.entries[flop:turn])
    screen.wait("(said) => window.numbers.at(-1) === said", said_after(script, turn))
    numbers: list[str] = screen.page.evaluate("() => window.numbers")
    return numbers


def said_after(script: Script, entries: int) -> str:
    """What the placard of seat 5 says in the end."""
    return f"{((folded(script.entries[:entries]).seats[5].win or 0) + 5) // 10}%"


def test_seats_of_a_finished_game_are_freed(open_screen: OpenScreen) -> None:
    """Each game has its own seats; a page that shows a whole evening must not keep those of all games."""
    screen = open_screen(fresh=True)
    nodes = []
    for last in (6, 7, 8, 9, 10, 11):
        screen.put(all_in(speed=40, bots=(*TRIALS[:5], last)).entries)
        nodes.append(page_memory(screen).nodes)
    assert nodes[5] < nodes[1] + 1000, "four games have two thousand, and a picture some hundreds more than another"
