"""The picture's focus (the seat that matters most, and how far to zoom in) depends only on what was on air."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.events import FocusChanged
from broadcast.on_air.table_state import TableEntry
from broadcast.show.attention import MAX_HANDS_WITHOUT_FOCUS, MIN_ZOOM_MS, Attention
from broadcast.show.hold_times import hold_times
from server.game import events
from tests.overlay.support.scripted_deals import play_one_deal
from tests.overlay.support.scripted_show import Script
from tests.support.games.hand_events import at_table, hand_events, opening

Changes = list[tuple[events.Event, FocusChanged | None]]
"""Each event of a show, and the change of focus after it, or None. If a change is `silent`, bots' chat waits."""


def follow_focus(entries: Sequence[TableEntry]) -> Changes:
    attention, changes = Attention(), []
    for entry in entries:
        situation = situation_after(entry)
        added = attention.events_after(entry, [equities_of(situation)] if situation else [])
        assert len(added) < 2
        changes.append((entry.event, next((event for event in added if isinstance(event, FocusChanged)), None)))
    return changes


def play_hand(acts: str, **settings: Any) -> Changes:
    """Plays a hand in which six bots act as `acts` says. Returns each event, with the change of the focus after it."""
    return follow_show(Script().connect().stage().game((1, 2, 3, 4, 5, 6), (5000,) * 6).hand(acts, **settings))


def follow_show(script: Script) -> Changes:
    journal = [entry.event for entry in script.entries if not type(entry.event).__module__.startswith("broadcast")]
    return follow_focus(at_table(journal))


def list_cuts(changes: Changes) -> list[tuple[type[events.Event], str, tuple[int, ...]]]:
    """Lists the cuts: the type of the preceding event, the new zoom (`near`, such as "duel"), and the seats."""
    zoom, cuts = "table", list[tuple[type[events.Event], str, tuple[int, ...]]]()
    for event, change in changes:
        if isinstance(event, events.HandStarted):
            zoom = "table"
        if change and change.near != zoom:
            zoom = change.near
            cuts.append((type(event), change.near, change.seats))
    return cuts


def test_fewer_bots_and_a_big_pot_bring_the_picture_closer() -> None:
    later_acts = "call fold fold fold fold call call"
    assert list_cuts(play_hand(f"raise:1500 {later_acts}")) == [(events.BetsCollected, "duel", (3, 4))]
    assert [zoom for _, zoom, _ in list_cuts(play_hand(f"raise:200 {later_acts}"))] == ["group"]
    assert not list_cuts(play_hand("call call call call call call call call call"))


def list_roles(changes: Changes) -> list[tuple[type[events.Event], int | None, str]]:
    """Lists the changes of the focus: the type of the event before the change, the new seat, and that seat's role."""
    return [(type(event), change.seat, change.role) for event, change in changes if change]


def test_bet_without_a_pair_and_with_little_chance_is_a_bluff() -> None:
    acts = "call fold fold fold fold call raise:1000 call"
    changes = list_roles(play_hand(acts, holes={2: "Kd Ad"}))
    assert (events.ActionTaken, 3, "bluffing") in changes
    assert changes[-1][2] != "bluffing"
    changes = list_roles(play_hand(acts, holes={2: "Kd Ad", 3: "Td 9c"}))
    assert "bluffing" not in {role for _, _, role in changes}, "a bet with a pair must not count as a bluff"


def test_called_all_in_bot_is_at_risk_until_the_win() -> None:
    changes = play_hand("raise:5000 call fold fold fold fold", holes={3: "As Ad"})
    event, *seat_and_role = next(role_change for role_change in list_roles(changes) if role_change[2] == "at risk")
    assert event in (events.ActionTaken, events.BetReturned)
    assert seat_and_role == [4, "at risk"]
    streets = [change for event, change in changes if isinstance(event, events.StreetDealt)]
    assert [(change.seat, change.role, change.silent) for change in streets if change] == [(4, "at risk", True)] * 3
    win_index = next(index for index, (event, _) in enumerate(changes) if isinstance(event, events.PotAwarded))
    last_change = next(change for _, change in reversed(changes[: win_index + 1]) if change)
    assert (last_change.seat, last_change.role) == (None, "")


def test_nobody_is_at_risk_if_stacks_are_reset_with_each_deal() -> None:
    aired_events = [entry.event for entry in play_one_deal().entries]
    assert any(isinstance(event, events.ActionTaken) and event.all_in for event in aired_events)
    assert {event.role for event in aired_events if isinstance(event, FocusChanged)} == {"", "favourite"}


@pytest.mark.parametrize("seed", range(40))
def test_picture_is_steady_for_some_time_between_two_cuts(seed: int) -> None:
    hand = hand_events(seed)
    now_ms, last_ms, zoom = 0, 0, "table"
    cuts_ms = list[int]()
    changes = follow_focus(at_table([*opening(), *hand]))[3:]
    for (_, change), hold_ms in zip(changes, hold_times(hand, None, 0), strict=True):
        if change and change.near != zoom:
            zoom, cuts_ms = change.near, [*cuts_ms, now_ms]
        now_ms, last_ms = now_ms + hold_ms, now_ms
    assert all(later - earlier >= MIN_ZOOM_MS for earlier, later in pairwise([*cuts_ms, last_ms] if cuts_ms else []))


def test_every_seat_gets_the_focus_at_least_once_in_four_hands() -> None:
    script = Script().connect().stage().game((1, 2, 3, 4, 5, 6), (5000,) * 6, hands=20)
    for _ in range(MAX_HANDS_WITHOUT_FOCUS + 2):
        script.hand("fold fold fold raise:300 fold fold", button=0)
    hand, patient_seats = 0, []
    for event, change in follow_show(script):
        hand += isinstance(event, events.HandStarted)
        if change and change.role == "patient":
            assert isinstance(event, events.TurnStarted)
            patient_seats.append((hand, change.seat))
    assert patient_seats[:5] == [(MAX_HANDS_WITHOUT_FOCUS + 1, seat) for seat in (3, 4, 5, 1, 2)]
