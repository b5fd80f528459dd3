"""Proves the course of a contest: which stage and game follows, who is seated, eliminated, advances and is paid.

Works out each event of OF_A_CONTEST anew and compares it. What happens within a hand is not checked here.
"""

from server.game.events import (
    BotEliminated,
    BotRated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameForfeited,
    GameStarted,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.game.tournament import evolve
from server.verify.course import Course, Due
from server.verify.games import check_due, check_game, check_game_end
from server.verify.refutation import Refuted
from server.verify.stages import check_cut, check_end, check_stage, check_stage_end, check_withdrawal

OF_A_CONTEST = (
    TournamentOpened, StageStarted, StageCut, StageEnded, GameStarted, GameForfeited, GameEnded, BotRated,
    BotEliminated, BotWithdrawn, TournamentEnded,
)  # fmt: skip


def take(course: Course, event: Event) -> None:
    """Takes the next event of OF_A_CONTEST. Raises Refuted where another should come, or its fields are wrong."""
    if not (course.due and type(event) is type(course.due[0])):
        course.nothing_is_due()
    _check(course, event)
    course.tournament = evolve(course.tournament, event)


def _check(course: Course, event: Event) -> None:
    match event:
        case TournamentOpened():
            raise Refuted("the tournament is opened twice")
        case BotWithdrawn():
            check_withdrawal(course, event)
        case StageStarted():
            check_stage(course, event)
        case StageCut():
            check_cut(course, event)
        case StageEnded():
            check_stage_end(course, event)
        case TournamentEnded():
            check_end(course, event)
        case _:
            _check_of_a_game(course, event)


def _check_of_a_game(course: Course, event: Event) -> None:
    match event:
        case GameStarted():
            check_game(course, event)
        case GameEnded():
            check_game_end(course, event)
        case _:
            assert isinstance(event, Due), "only events of OF_A_CONTEST are taken"
            check_due(course, event)
