"""In an exhibition, each seat has a clock, and a long thought is told; elsewhere there is neither."""

import pytest
from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.rules import Rules
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import Script

EXHIBITION = replace(QUICK_DRAW, think_ms=30_000, exhibition_bank_ms=125_000)
# Returns the text of each clock, and the parts of its seat that it covers.
_CLOCKS = """() => [...document.querySelectorAll(".seat")].map((seat) => {
  const clock = seat.querySelector(".clock");
  if (!clock.checkVisibility()) return null;
  const box = clock.getBoundingClientRect();
  const covered = [".poster__photo", ".poster__name", ".poster__reward", ".seat__cards", ".plate", ".chance", ".badge"]
    .filter((part) => [...seat.querySelectorAll(part)].some((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const across = Math.min(right, box.right) - Math.max(left, box.left);
      const down = Math.min(bottom, box.bottom) - Math.max(top, box.top);
      return each.checkVisibility({ visibilityProperty: true }) && across > 1 && down > 1;
    }));
  return [clock.textContent, covered];
})"""


def table(seats: int, think_ms: int, rules: Rules = EXHIBITION) -> Script:
    """A hand in which the first three bots to act have thought for `think_ms` each."""
    script = Script().connect().stage(games=1, advance=0).game(range(1, seats + 1), (5000,) * seats)
    return script.hand("call call" if seats == 2 else "call raise:350 call", rules=rules, think_ms=think_ms)


@pytest.mark.parametrize("seats", [2, 3, 6, 8, 9, 12])
def test_every_seat_shows_its_bank_or_its_long_thought_and_covers_nothing(
    seats: int, still: Screen, tall: Screen
) -> None:
    for screen in (still, tall):
        screen.show(table(seats, think_ms=41_000))
        clocks = [clock for clock in screen.page.evaluate(_CLOCKS) if clock]
        assert len(clocks) == seats
        assert not [covered for _, covered in clocks if covered]
        texts = {text.removeprefix("thought ") for text, _ in clocks}
        assert texts <= {"2:05", "1:54", "41 s"}
        assert texts & {"41 s", "1:54"}, "somebody has thought for 41 s"


def test_short_thought_is_not_told_and_costs_no_bank(still: Screen) -> None:
    still.show(table(6, think_ms=9000))
    assert {text for text, _ in still.page.evaluate(_CLOCKS)} == {"2:05"}


def test_no_clock_outside_an_exhibition(still: Screen) -> None:
    still.show(table(6, think_ms=41_000, rules=QUICK_DRAW))
    assert {*still.page.evaluate(_CLOCKS)} == {None}
    assert "After" not in still.page.inner_text(".stage")
