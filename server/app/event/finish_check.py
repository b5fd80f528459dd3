"""Checks before the start that the time by which the first stage should be over can be reached."""

from collections.abc import Sequence
from datetime import datetime

from broadcast.show.finish_by import FASTEST, SLOWEST, FinishBy
from server.game.events import Entrant, StageStarted, TournamentOpened
from server.game.tournament import Format, next_stage, open_tournament, start_stage

DOUBT_SECONDS = 3600.0
"""A time that lies further than this from every time that can be reached is questioned."""


def doubt(contest: Format, entrants: Sequence[Entrant], finish_by: float, pace: float, now: float) -> str:
    """What to ask the organiser about `finish_by`, in words; "" where it can be kept, or nearly, or is not given.

    Both times in seconds since 1970; `pace` is the show's speed, 0 for one without waits.
    """
    stage = _first(contest, entrants)
    if not (finish_by and pace and stage):
        return ""
    estimate = FinishBy()
    estimate.note(stage, 0)
    fastest, slowest = (now + estimate.eta_s(pace * governor) for governor in (FASTEST, SLOWEST))
    if fastest - DOUBT_SECONDS <= finish_by <= slowest + DOUBT_SECONDS:
        return ""
    return (
        f"finish_trials_by is {_on(finish_by)}. Begun now, at {_on(now)}, {stage.title} would end between "
        f"{_on(fastest)} and {_on(slowest)}, however the governor sets the pace. Is that time meant? "
        "If not, mend it in the event file and start the program again; if so, go on."
    )


def _first(contest: Format, entrants: Sequence[Entrant]) -> StageStarted | None:
    opened = TournamentOpened(
        contest.contest, contest.title, contest.rules, contest.starting_stack, tuple(entrants), ""
    )
    tournament = open_tournament(opened)
    stage = next_stage(contest, tournament)
    return start_stage(contest, tournament, *stage) if stage else None


def _on(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment).astimezone():%A %H:%M}"
