"""The show runs one hand behind the table, keeps its hold times, and shows nothing early."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.commentary.drama import judged
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.show.hold_times import STAKES, hold_times
from broadcast.show.playback import Playback
from broadcast.show.showrunner import Showrunner
from server.game.cards import DECK
from server.game.events import ActionTaken, Award, Event, PotAwarded, StreetDealt
from server.journal.bus import Bus
from server.tournament.control_values import Controls
from server.tournament.pause_gate import HANDS_AHEAD, Gate
from tests.on_air.in_loop import in_loop
from tests.show.show_on_fake_clock import ManualClock
from tests.support.hand_events import at_table, hand_events, opening


class Rig:
    """A show whose sleeps are recorded and pass at once."""

    def __init__(
        self, speed: float = 1, shown: Callable[[int], object] = lambda _: None, odds: OddsCalculator | None = None
    ) -> None:
        self.bus = Bus(None, lambda: 0.0)
        self.air = AirLog("main", speed)
        self.now = 0.0
        self.slept: list[float] = []
        self.seen: list[dict[str, Any]] = []
        self.air.listeners.add(lambda text: self.seen.append(json.loads(text)))
        self.runner = Showrunner(self.air, clock=lambda: self.now, sleep=self._sleep, shown=shown, odds=odds)

    async def _sleep(self, seconds: float) -> None:
        if seconds:
            self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def show(self, events: list[Event]) -> list[dict[str, Any]]:
        """Everything on air once `events` have been shown to the end."""

        async def story() -> None:
            self.bus.publish(*events)
            self.bus.close()
            await self.runner.run(self.bus.follow())

        asyncio.run(story())
        return self.seen


ADDED = (
    "caption_spoken",
    "hand_named",
    "hand_told",
    "highlight_marked",
    "stakes_shown",
    "statistics_changed",
    "standings_changed",
    "title_odds_changed",
)
"""The types of entries that the commentary adds to the contest's events."""


def types(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["type"] for entry in entries]


def test_no_hole_card_is_on_air_before_its_hand_is_over() -> None:
    hand = hand_events(1)
    for length in range(1, len(hand)):
        assert "hole_dealt" not in types(Rig().show([*opening(), *hand[:length]]))
    assert types(Rig().show([*opening(), *hand])).count("hole_dealt") == 6


def test_every_event_goes_on_air_in_order() -> None:
    events = [*opening(), *hand_events(2), *hand_events(3)]
    shown = [kind for kind in types(Rig().show(events)) if kind not in ADDED]
    assert shown == [type(event).__struct_config__.tag for event in events]


@pytest.mark.parametrize("speed", [1, 2, 8])
def test_each_event_holds_the_screen_for_its_time_divided_by_the_speed(speed: float) -> None:
    hand = hand_events(5)
    rig = Rig(speed)
    shown = types(rig.show([*opening(), *hand]))
    holds = hold_times(hand, {}, judged(at_table(hand), {}).score)
    own = [at for at, kind in enumerate(shown) if kind not in ADDED][-len(hand) :]
    at_stake = ["stakes_shown" in shown[at + 1 : at + 3] for at in own]
    assert any(at_stake)
    longer = [max(hold, STAKES) if high else hold for hold, high in zip(holds, at_stake, strict=True)]
    held = [hold / speed / 1000 for hold in longer if hold]
    assert rig.slept[-len(held) :] == pytest.approx(held)


def test_only_the_pace_depends_on_what_comes_later() -> None:
    """Two hands look the same, but for their timing, until they differ."""

    def faces(events: list[Event]) -> list[dict[str, Any]]:
        shown = Rig().show([*opening(), *events])
        return [{key: value for key, value in entry.items() if key not in ("at_ms", "hold_ms")} for entry in shown]

    hand = hand_events(9)
    acts = [at for at, event in enumerate(hand) if isinstance(event, ActionTaken)]
    for part in acts[1:]:
        other = [*hand[:part], *hand_events(10)[-1:]]  # the same hand, broken off
        same = len(faces(hand[:0])) + sum(1 for _ in hand[:part])
        assert faces(hand)[:same] == faces(other)[:same]


@pytest.mark.parametrize("seed", range(6))
def test_later_cards_change_only_the_pace_of_what_precedes_them(seed: int) -> None:
    """Including chances, captions, marks and statistics, up to the last act before other cards fall."""
    hand = hand_events(seed)
    last = max(at for at, event in enumerate(hand) if isinstance(event, ActionTaken))
    shown, others = (reckoned([*opening(), *events]) for events in (hand, redealt(hand, last)))
    until = 1 + max(at for at, entry in enumerate(shown) if entry["type"] == "action_taken")
    assert any(entry["type"] == "equities_changed" for entry in shown[:until])
    assert bare(shown[:until]) == bare(others[:until])


def reckoned(events: list[Event]) -> list[dict[str, Any]]:
    """All that goes on air, including everybody's chances."""

    async def story() -> list[dict[str, Any]]:
        odds = OddsCalculator()
        odds.prepare(at_table(events))
        await odds.done()
        rig = Rig(odds=odds)
        rig.bus.publish(*events)
        rig.bus.close()
        await rig.runner.run(rig.bus.follow())
        return rig.seen

    return asyncio.run(story())


def bare(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries without their times and hold times."""
    return [{key: value for key, value in entry.items() if key not in ("at_ms", "hold_ms")} for entry in entries]


def redealt(hand: list[Event], after: int) -> list[Event]:
    """The same hand up to `after`; then other cards fall, and another seat wins."""
    seen = {card for event in hand for card in getattr(event, "cards", ())}
    fresh = iter([card for card in DECK if card not in seen])
    later: list[Event] = []
    for event in hand[after + 1 :]:
        match event:
            case StreetDealt(cards=cards):
                later.append(replace(event, cards=tuple(next(fresh) for _ in cards)))
            case PotAwarded(amount=amount, awards=awards):
                later.append(replace(event, awards=(Award((awards[0].seat + 1) % 6, amount),)))
            case _:
                later.append(event)
    return [*hand[: after + 1], *later]


@in_loop
async def test_table_is_at_most_one_hand_ahead_of_the_show() -> None:
    gate = Gate(Controls(started=True))
    rig = Rig(shown=gate.has_shown)
    rig.bus.listeners.append(gate.heard)
    rig.bus.publish(*opening())
    show = asyncio.create_task(rig.runner.run(rig.bus.follow()))
    for number in range(12):
        await gate()
        assert number - types(rig.seen).count("hand_ended") <= HANDS_AHEAD
        rig.bus.publish(*hand_events(number))
    rig.bus.close()
    await show
    assert types(rig.seen).count("hand_ended") == 12


def test_every_shown_hand_is_reported_by_number() -> None:
    counted: list[tuple[int, int]] = []
    rig = Rig(shown=lambda hands: counted.append((hands, types(rig.seen).count("hand_ended"))))
    rig.show([*opening(), *hand_events(1), *hand_events(2), *hand_events(3)])
    assert counted == [(1, 1), (2, 2), (3, 3)]


@in_loop
async def test_busy_studio_does_not_slow_the_show() -> None:
    """Each sleep ends 0.1 s late; only the last delay remains."""
    clock = ManualClock()
    playback = Playback(1.0, lambda: clock.now, lambda seconds: clock.sleep(seconds and seconds + 0.1))

    async def hold_ten_times() -> None:
        for _ in range(10):
            await playback.hold(1000)

    showing = asyncio.create_task(hold_ten_times())
    await clock.run(9.9)
    assert not showing.done()
    await clock.run(0.3)
    assert showing.done()
