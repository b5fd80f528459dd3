"""A recording can be proved, and any change in it is found, even if all checksums are corrected."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, Event, HandStarted, Placing, StageEnded
from server.game.prizes import final_placings
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.games.contests import play_contest
from tests.support.games.random_contests import RandomContest, follow, random_contests
from tests.support.games.recordings import of_kind

TRIALS, FINAL = QUICK_DRAW_FORMAT.stages


def test_a_contest_is_proved_as_far_as_it_goes() -> None:
    contest = play_contest(1)
    proof = verify(contest)
    assert (proof.entries, proof.finished, proof.unfinished_hand) == (len(contest), True, False)
    assert proof.hands == len(of_kind(contest, HandStarted))
    assert proof.draws == proof.games > 1
    half = verify(contest[: len(contest) // 2])
    assert not half.finished
    assert half.hands > 0
    at = next(at for at, entry in enumerate(contest) if isinstance(entry.event, ActionTaken))
    started = verify(contest[:at])
    assert (started.hands, started.unfinished_hand) == (0, True), "an unfinished hand must not count as proved"


def advance_seventh(_: RandomContest, right: Callable[..., StageEnded], *plan: Any) -> StageEnded:
    """Lets the seventh bot advance instead of the sixth."""
    ended = right(*plan)
    seventh = ended.ranking[6:7]
    return replace(ended, advancing=ended.advancing[:5] + seventh) if seventh and plan[1].advance else ended


def pay_each_bot(contest: RandomContest, _: object) -> tuple[Placing, ...]:
    """Pays each bot as if each had its own player."""
    alone = tuple(replace(entrant, player="") for entrant in contest.opened.entrants)
    return final_placings(replace(contest.opened, entrants=alone), contest.tournament)


CHEATS: dict[str, tuple[str, Callable[..., Any]]] = {
    "ends a stage early": (
        "stage_over",
        lambda contest, right, plan: right(plan) or contest.tournament.games_in_stage == plan.games - 1 > 0,
    ),
    "plays a game too many": ("stage_over", lambda _, right, plan: right(replace(plan, games=plan.games + 1))),
    "ends a game early": ("game_over", lambda _, right, plan, hands: right(plan, hands + 1)),
    "deals a hand too many": (
        "game_over",
        lambda _, right, plan, hands: right(replace(plan, hands=plan.hands + 1), hands),
    ),
    "draws with a key that does not follow from the seed": (
        "seats",
        lambda _, right, plan, key: right(plan, key[::-1]),
    ),
    "retires by other dice": ("retired", lambda _, right, broke, key: right(broke, key[::-1])),
    "forgets to retire": ("retired", lambda _, right, broke, key: right(broke, key)[:-1]),
    "advances another bot": ("stage_end", advance_seventh),
    "plays trials for nobody": (
        "following",
        lambda contest, right: right() if contest.tournament.stage else (1, TRIALS),
    ),
    "pays a second bot": ("placings", pay_each_bot),
}
"""Methods of an honest contest, and what a dishonest one does instead: it gets the contest, the honest method and its
arguments.
"""
ENOUGH = 10
"""The test of each kind ends after this many refuted evenings."""


def cheating(contest: RandomContest, method: str, cheat: Callable[..., Any]) -> RandomContest:
    setattr(contest, method, partial(cheat, contest, getattr(contest, method)))
    return contest


def uncut() -> Iterator[RandomContest]:
    """Yields 150 evenings, the same each time. No stage is ended early by the operator."""
    for contest in random_contests("forged", 150):
        contest.cuts = 0.0
        yield contest


@pytest.fixture(scope="module")
def honest() -> list[list[Event]]:
    return [list(contest.events()) for contest in uncut()]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_dishonest_evening_is_refuted_although_every_checksum_is_valid(cheat: str, honest: list[list[Event]]) -> None:
    forged = 0
    for contest, right in zip(uncut(), honest, strict=True):
        dishonest = cheating(contest, *CHEATS[cheat])
        events = list(dishonest.events())
        if events != right:
            forged += 1
            with pytest.raises(Refuted):
                follow(dishonest, events)
        if forged == ENOUGH:
            break
    assert forged >= 3, "the forgery must have been tried several times"


def test_cuts_withdrawals_and_skipped_trials_lead_to_remarks() -> None:
    without_trials = cheating(
        RandomContest(random.Random(1), 12),
        "following",
        lambda _, right: (2, FINAL) if (found := right()) and found[0] == 1 else found,
    )
    (remark,) = follow(without_trials, without_trials.events()).proof.remarks
    assert remark.startswith("High Noon is announced differently than in the rule book")
    cut = RandomContest(random.Random(1), 14, absent=2, cuts=0.05)
    remarks = follow(cut, cut.events()).proof.remarks
    assert remarks[0] == f"bot {cut.absent[0]} was withdrawn before the first stage: it never came"
    assert "The Trials was ended early by the operator" in remarks
