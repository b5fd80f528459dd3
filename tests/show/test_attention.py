"""The picture's focus: which seat matters most and how close the picture is. It depends only on what was on air."""

import random
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
from tests.overlay.support.scripted_deals import compared
from tests.overlay.support.scripted_show import Script
from tests.support.games.hand_events import at_table, hand_events, opening

SIX = (5000,) * 6
Changes = list[tuple[events.Event, FocusChanged | None]]
"""Each event of a show with the change of the focus after it, or None if there is none."""


def focus(entries: Sequence[TableEntry]) -> Changes:
    attention, found = Attention(), []
    for entry in entries:
        situation = situation_after(entry)
        added = attention.events_after(entry, [equities_of(situation)] if situation else [])
        assert len(added) < 2
        found.append((entry.event, next((each for each in added if isinstance(each, FocusChanged)), None)))
    return found


def focus_in_hand(acts: str, **how: Any) -> Changes:
    """The changes of the focus in a hand of six bots that is played by `acts`."""
    return focus_in_show(Script().connect().stage().game((1, 2, 3, 4, 5, 6), SIX).hand(acts, **how))


def focus_in_show(script: Script) -> Changes:
    journal = [entry.event for entry in script.entries if not type(entry.event).__module__.startswith("broadcast")]
    return focus(at_table(journal))


Cut = tuple[type[events.Event], str, tuple[int, ...]]


def cuts(changes: Changes) -> list[Cut]:
    """Returns for each cut the event before it, how close the picture goes, and the seats in it."""
    near, found = "table", list[Cut]()
    for event, change in changes:
        if isinstance(event, events.HandStarted):
            near = "table"
        if change and change.near != near:
            near = change.near
            found.append((type(event), change.near, change.seats))
    return found


def test_last_two_bots_get_the_whole_picture_only_in_a_big_pot_and_many_bots_get_a_wide_picture() -> None:
    assert cuts(focus_in_hand("raise:1500 call fold fold fold fold call call")) == [
        (events.BetsCollected, "duel", (3, 4))
    ]
    assert [near for _, near, _ in cuts(focus_in_hand("raise:200 call fold fold fold fold call call"))] == ["group"]
    assert not cuts(focus_in_hand("call call call call call call call call call"))


def roles(changes: Changes) -> list[tuple[type[events.Event], int | None, str]]:
    """Returns for each change of the focus the event before it, the seat that matters most, and its role."""
    return [(type(event), change.seat, change.role) for event, change in changes if change]


def test_bot_that_bets_without_a_pair_and_with_little_chance_bluffs_until_the_next_act_or_card() -> None:
    acts = "call fold fold fold fold call raise:1000 call"
    changes = roles(focus_in_hand(acts, holes={2: "Kd Ad"}))
    assert (events.ActionTaken, 3, "bluffing") in changes
    assert changes[-1][2] != "bluffing"
    changes = roles(focus_in_hand(acts, holes={2: "Kd Ad", 3: "Td 9c"}))
    assert not [role for _, _, role in changes if role == "bluffing"], "a pair is no bluff, though another bot has more"


def test_bot_is_at_risk_once_its_last_chips_are_called_and_through_the_silent_run_out_until_the_pot_is_won() -> None:
    changes = focus_in_hand("raise:5000 call fold fold fold fold", holes={3: "As Ad"})
    event, *who = next(each for each in roles(changes) if each[2] == "at risk")
    assert event in (events.ActionTaken, events.BetReturned)
    assert who == [4, "at risk"]
    streets = [change for event, change in changes if isinstance(event, events.StreetDealt)]
    assert [(change.seat, change.role, change.silent) for change in streets if change] == [(4, "at risk", True)] * 3
    won = next(at for at, (event, _) in enumerate(changes) if isinstance(event, events.PotAwarded))
    last = next(change for _, change in reversed(changes[: won + 1]) if change)
    assert (last.seat, last.role) == (None, "")


def test_nobody_is_at_risk_if_stacks_are_reset_with_each_deal() -> None:
    said = [entry.event for entry in compared().entries]
    assert any(isinstance(event, events.ActionTaken) and event.all_in for event in said)
    assert {event.role for event in said if isinstance(event, FocusChanged)} == {"", "favourite"}


@pytest.mark.parametrize("seed", range(40))
def test_no_two_cuts_are_closer_together_than_the_steady_time(seed: int) -> None:
    hand = hand_events(seed)
    at_ms, last, near = 0, 0, "table"
    times: list[int] = []
    for (_, change), hold in zip(focus(at_table([*opening(), *hand]))[3:], hold_times(hand, None, 0), strict=True):
        if change and change.near != near:
            near, times = change.near, [*times, at_ms]
        at_ms, last = at_ms + hold, at_ms
    assert all(later - sooner >= MIN_ZOOM_MS for sooner, later in pairwise([*times, last] if times else []))


@pytest.mark.parametrize("seed", range(40))
def test_focus_at_a_moment_does_not_depend_on_what_comes_later(seed: int) -> None:
    entries = at_table([*opening(), *hand_events(seed)])
    cut = random.Random(seed).randrange(4, len(entries))
    assert focus(entries[:cut]) == focus(entries)[:cut]


def test_every_seat_gets_the_focus_at_least_once_in_four_hands() -> None:
    script = Script().connect().stage().game((1, 2, 3, 4, 5, 6), SIX, hands=20)
    for _ in range(MAX_HANDS_WITHOUT_FOCUS + 2):
        script.hand("fold fold fold raise:300 fold fold", button=0)
    hand, patient = 0, []
    for event, change in focus_in_show(script):
        hand += isinstance(event, events.HandStarted)
        if change and change.role == "patient":
            assert isinstance(event, events.TurnStarted)
            patient.append((hand, change.seat))
    assert patient[:5] == [(MAX_HANDS_WITHOUT_FOCUS + 1, seat) for seat in (3, 4, 5, 1, 2)]
