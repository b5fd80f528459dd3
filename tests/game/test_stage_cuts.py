"""A stage that the operator ends early."""

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Event, GameEnded, GameStarted, StageCut, StageEnded, StageStarted
from server.game.tournament import evolve, next_stage
from tests.game.tournaments import CONTESTS, FINALS, TRIALS, started, steps
from tests.support.random_contests import STACK, random_contests


def test_a_stage_cut_short_ends_after_the_hand_with_its_present_ranking() -> None:
    cuts = 0
    for contest in random_contests("cuts", CONTESTS):
        since: list[Event] | None = None
        for _, event, after in steps(contest):
            if isinstance(event, StageCut):
                since, cuts = [], cuts + 1
            elif since is not None:
                since.append(event)
            if isinstance(event, StageEnded) and since is not None:
                assert not [event for event in since[:-1] if not isinstance(event, GameEnded)]
                assert len(since) <= 2
                left = [(after.records[bot].stack, bot) for bot in event.ranking]
                assert [stack for stack, _ in left] == sorted((stack for stack, _ in left), reverse=True)
                since = None
    assert cuts > CONTESTS / 10


def test_no_hand_is_dealt_once_a_stage_is_cut() -> None:
    playing = evolve(started(8), GameStarted(1, 6, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    assert not playing.game_over(TRIALS, 2, (STACK,) * 6)
    assert evolve(playing, StageCut(1)).game_over(TRIALS, 2, (STACK,) * 6)
    assert evolve(started(8), StageCut(1)).stage_over(TRIALS)


def test_cutting_a_stage_leaves_the_next_one_whole() -> None:
    cut = evolve(started(8), StageCut(1))
    over = evolve(cut, StageEnded(1, tuple(range(1, 9)), (STACK,) * 8, (1, 2, 3, 4, 5, 6)))
    assert next_stage(QUICK_DRAW_FORMAT, over) == (2, FINALS)
    finals = evolve(over, StageStarted(2, "High Noon", 1, 24, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    assert not finals.stage_over(FINALS)
    assert not finals.decided(FINALS)
