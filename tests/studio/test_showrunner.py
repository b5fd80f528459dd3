"""The show runs one hand behind the table, at its pace, and tells nothing early."""

import asyncio
import json
from typing import Any

import pytest

from broadcast.airlog import AirLog
from broadcast.pacing import holds
from broadcast.showrunner import HANDS_AHEAD, Showrunner
from server.bus import Bus
from server.game.events import ActionTaken, Event, GameEnded, HandEnded, HoleDealt
from tests.studio.played import hand_events, opening


class Stage:
    """A show whose time stands still: every sleep is written down and passes at once."""

    def __init__(self, speed: float = 1) -> None:
        self.bus = Bus(None, lambda: 0.0)
        self.air = AirLog("main", speed)
        self.now = 0.0
        self.slept: list[float] = []
        self.seen: list[dict[str, Any]] = []
        self.air.listeners.add(lambda text: self.seen.append(json.loads(text)))
        self.runner = Showrunner(self.air, clock=lambda: self.now, sleep=self._sleep)

    async def _sleep(self, seconds: float) -> None:
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


def types(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["type"] for entry in entries]


def test_no_hole_card_is_on_air_before_its_hand_is_finished() -> None:
    hand = hand_events(1)
    for length in range(1, len(hand)):
        assert types(Stage().show([*opening(), *hand[:length]]))[-1] != "hole_dealt"
        assert "hole_dealt" not in types(Stage().show([*opening(), *hand[:length]]))
    assert types(Stage().show([*opening(), *hand])).count("hole_dealt") == 6


def test_every_event_of_the_house_goes_on_air_in_its_order() -> None:
    events = [*opening(), *hand_events(2), *hand_events(3)]
    shown = [kind for kind in types(Stage().show(events)) if kind not in ("caption_spoken", "standings_changed")]
    assert shown == [type(event).__struct_config__.tag for event in events]


def test_on_air_numbers_have_no_gap() -> None:
    shown = Stage().show([*opening(), *hand_events(4)])
    assert [entry["seq"] for entry in shown] == list(range(1, len(shown) + 1))


@pytest.mark.parametrize("speed", [1, 2, 8])
def test_each_event_holds_the_screen_for_its_time_divided_by_the_speed(speed: float) -> None:
    hand = hand_events(5)
    stage = Stage(speed)
    stage.show([*opening(), *hand])
    assert stage.slept[-len(hand) :] == [int(hold / speed) / 1000 for hold in holds(hand)]


def test_speed_0_holds_nothing() -> None:
    stage = Stage(0)
    stage.show([*opening(), *hand_events(6)])
    assert not any(stage.slept)


def test_a_caption_comes_at_the_moment_of_its_event() -> None:
    shown = Stage().show([*opening(), *hand_events(7)])
    captions = [at for at, entry in enumerate(shown) if entry["type"] == "caption_spoken"]
    assert len(captions) > 10
    assert all(shown[at]["at_ms"] == shown[at - 1]["at_ms"] for at in captions)


def test_the_end_of_a_game_brings_the_standings() -> None:
    hand = hand_events(8)
    ended = next(event for event in hand if isinstance(event, HandEnded))
    shown = Stage().show([*opening(), *hand, GameEnded(1, ended.stacks)])
    assert shown[-1]["type"] == "standings_changed"
    assert sorted((row["stack"] for row in shown[-1]["rows"]), reverse=True) == [
        row["stack"] for row in shown[-1]["rows"]
    ]
    assert sum(row["stack"] for row in shown[-1]["rows"]) == 30000


def test_nothing_but_the_pace_depends_on_what_comes_later() -> None:
    """Two hands with the same beginning look the same, but for the time they take, until they part."""

    def faces(events: list[Event]) -> list[dict[str, Any]]:
        shown = Stage().show([*opening(), *events])
        return [{key: value for key, value in entry.items() if key not in ("at_ms", "hold_ms")} for entry in shown]

    hand = hand_events(9)
    acts = [at for at, event in enumerate(hand) if isinstance(event, ActionTaken)]
    for part in acts[1:]:
        other = [*hand[:part], *hand_events(10)[-1:]]  # the same hand, broken off
        same = len(faces(hand[:0])) + sum(1 for _ in hand[:part])
        assert faces(hand)[:same] == faces(other)[:same]


def test_the_table_is_never_more_than_one_hand_ahead_of_the_show() -> None:
    async def story() -> None:
        stage = Stage()
        stage.bus.publish(*opening())
        show = asyncio.create_task(stage.runner.run(stage.bus.follow()))
        for number in range(12):
            await stage.runner.gate()
            ahead = number - types(stage.seen).count("hand_ended")
            assert ahead <= HANDS_AHEAD
            stage.bus.publish(*hand_events(number))
        stage.bus.close()
        await show
        assert types(stage.seen).count("hand_ended") == 12

    asyncio.run(story())


def test_the_gate_stays_shut_while_the_show_is_behind() -> None:
    async def story() -> None:
        stage = Stage()
        for _ in range(1 + HANDS_AHEAD):
            await stage.runner.gate()
        waiting = asyncio.create_task(stage.runner.gate())
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
        stage.bus.publish(*opening(), *hand_events(1))
        stage.bus.close()
        await stage.runner.run(stage.bus.follow())
        await asyncio.wait_for(waiting, 1)

    asyncio.run(story())


def test_hole_cards_are_shown_for_every_seat_dealt_in() -> None:
    hand = hand_events(11)
    dealt = {event.seat: list(event.cards) for event in hand if isinstance(event, HoleDealt)}
    shown = Stage().show([*opening(), *hand])
    assert {entry["seat"]: entry["cards"] for entry in shown if entry["type"] == "hole_dealt"} == dealt
