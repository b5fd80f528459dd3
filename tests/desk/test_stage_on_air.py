"""The stage that the desk can end is the one that viewers see. The desk shows its name and what follows."""

import pytest

from broadcast.desk.log import DeskLog
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from broadcast.show.status import StageOnAir, stage_on_air
from server.game.events import Event, HandEnded, StageCut, StageEnded, StageStarted
from tests.support.hand_events import hand_events
from tests.support.hand_events import opening as opened


def picture_of(*events: Event) -> State:
    picture = State()
    for seq, event in enumerate(events, 1):
        picture = reduce(picture, seq, 0, 0, event)
    return picture


def chips_at_the_end(hand: list[Event]) -> list[int]:
    ended = hand[-1]
    assert isinstance(ended, HandEnded)
    return list(ended.stacks)


def trials(advance: int = 2) -> list[Event]:
    first, stage, *rest = opened()
    assert isinstance(stage, StageStarted)
    bots = stage.bots
    started = StageStarted(1, "The Trials", 15, 6, bots, stage.stacks, advance, next_title="High Noon")
    return [first, started, *rest]


def test_bots_with_the_most_chips_on_air_would_advance() -> None:
    hand = hand_events(1)
    picture = picture_of(*trials(), *hand)
    seen = stage_on_air(picture)
    assert seen is not None
    best = sorted(range(6), key=lambda seat: -chips_at_the_end(hand)[seat])[:2]
    names = [picture.bots[picture.seats[seat].bot].name for seat in best]
    assert (seen.number, seen.title) == (1, "The Trials")
    assert seen.follows == f"as it stands, these 2 ride on to High Noon: {names[0]} and {names[1]}"


def test_chips_before_a_hand_count_until_the_hand_is_over() -> None:
    first = next(hand for hand in map(hand_events, range(50)) if min(chips_at_the_end(hand)) > 0)
    second = hand_events(2, chips_at_the_end(first))
    before = stage_on_air(picture_of(*trials(), *first))
    for count in range(1, len(second)):
        assert stage_on_air(picture_of(*trials(), *first, *second[:count])) == before


@pytest.mark.parametrize("event", [StageCut(1), StageEnded(1, (), ())])
def test_stage_that_has_ended_at_the_table_counts_as_ended_while_it_is_still_on_air(event: Event) -> None:
    log = DeskLog(lambda: 0.0)
    log.hear(event)
    shown = [log.stage(StageOnAir(number, "", "")) for number in (1, 2)]
    assert [stage and stage["ended"] for stage in shown] == [True, False]
