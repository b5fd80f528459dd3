"""A recording can be proved, and any change in it is found, even if all checksums are corrected."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, Event, HandStarted, Placing, StageEnded
from server.game.formats import StagePlan
from server.game.prizes import final_placings
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import play_contest
from tests.support.random_contests import RandomContest, follow, random_contests


@pytest.fixture(scope="module")
def contest() -> list[Entry]:
    return play_contest(1)


def test_a_contest_is_proved_as_far_as_it_goes(contest: list[Entry]) -> None:
    proof = verify(contest)
    assert (proof.entries, proof.finished, proof.unfinished_hand) == (len(contest), True, False)
    assert proof.hands == sum(isinstance(entry.event, HandStarted) for entry in contest)
    assert proof.draws == proof.games > 1
    half = verify(contest[: len(contest) // 2])
    assert not half.finished
    assert half.hands > 0
    at = next(at for at, entry in enumerate(contest) if isinstance(entry.event, ActionTaken))
    started = verify(contest[:at])
    assert (started.hands, started.unfinished_hand) == (0, True), "an unfinished hand must not count as proved"


class EndsAStageEarly(RandomContest):
    """Ends a stage one game early, although the operator did not end it."""

    def stage_over(self, plan: StagePlan) -> bool:
        return super().stage_over(plan) or self.tournament.games_in_stage == plan.games - 1 > 0


class PlaysAGameTooMany(RandomContest):
    def stage_over(self, plan: StagePlan) -> bool:
        return super().stage_over(replace(plan, games=plan.games + 1))


class EndsAGameEarly(RandomContest):
    def game_over(self, plan: StagePlan, hands: int) -> bool:
        return super().game_over(plan, hands + 1)


class DealsAHandTooMany(RandomContest):
    def game_over(self, plan: StagePlan, hands: int) -> bool:
        return super().game_over(replace(plan, hands=plan.hands + 1), hands)


class DrawsAgain(RandomContest):
    """Draws seats with keys that do not follow from the seed."""

    def seats(self, plan: StagePlan, key: bytes) -> tuple[int, ...]:
        return super().seats(plan, key[::-1])


class RetiresByOtherDice(RandomContest):
    def retired(self, broke: list[tuple[int, int]], key: bytes) -> list[tuple[int, int]]:
        return super().retired(broke, key[::-1])


class ForgetsToRetire(RandomContest):
    def retired(self, broke: list[tuple[int, int]], key: bytes) -> list[tuple[int, int]]:
        return super().retired(broke, key)[:-1]


class AdvancesAnotherBot(RandomContest):
    """Lets the seventh bot advance instead of the sixth."""

    def stage_end(self, number: int, plan: StagePlan) -> StageEnded:
        ended = super().stage_end(number, plan)
        others = ended.ranking[6:7]
        return replace(ended, advancing=ended.advancing[:5] + others) if others and plan.advance else ended


class GivesTheFinalistsMore(RandomContest):
    def fresh_stack(self, stage: int) -> int:
        return super().fresh_stack(stage) + 5000 * (stage - 1)


class LeavesTheTrialsOut(RandomContest):
    def following(self) -> tuple[int, StagePlan] | None:
        found = super().following()
        return (2, QUICK_DRAW_FORMAT.stages[1]) if found and found[0] == 1 else found


class PlaysTrialsForNobody(RandomContest):
    def following(self) -> tuple[int, StagePlan] | None:
        return super().following() if self.tournament.stage else (1, QUICK_DRAW_FORMAT.stages[0])


class PaysASecondBot(RandomContest):
    """Pays each bot as if each had its own player."""

    def placings(self) -> tuple[Placing, ...]:
        alone = [replace(entrant, player="") for entrant in self.opened.entrants]
        return final_placings(replace(self.opened, entrants=tuple(alone)), self.tournament)


ENOUGH = 10
"""The test of each kind ends after this many refuted evenings."""
DISHONEST = [
    EndsAStageEarly, PlaysAGameTooMany, EndsAGameEarly, DealsAHandTooMany, DrawsAgain, RetiresByOtherDice,
    ForgetsToRetire, AdvancesAnotherBot, GivesTheFinalistsMore, PlaysTrialsForNobody, PaysASecondBot,
]  # fmt: skip


def uncut(kind: type[RandomContest]) -> Iterator[tuple[RandomContest, list[Event]]]:
    """Yields the same 150 evenings for each kind of contest, each with its events. No stage is ended early."""
    for random_contest in random_contests("forged", 150, kind):
        random_contest.cuts = 0.0
        yield random_contest, list(random_contest.events())


@pytest.fixture(scope="module")
def honest() -> list[list[Event]]:
    return [events for _, events in uncut(RandomContest)]


@pytest.mark.parametrize("kind", DISHONEST)
def test_a_dishonest_evening_is_refuted_although_every_checksum_is_valid(
    kind: type[RandomContest], honest: list[list[Event]]
) -> None:
    forged = 0
    for (dishonest, events), right in zip(uncut(kind), honest, strict=True):
        if events != right:
            forged += 1
            with pytest.raises(Refuted):
                follow(dishonest, events)
        if forged == ENOUGH:
            break
    assert forged >= 3, "the forgery must have been tried several times"


def test_cuts_withdrawals_and_skipped_trials_lead_to_remarks() -> None:
    without_trials = LeavesTheTrialsOut(random.Random(1), 12)
    (remark,) = follow(without_trials, without_trials.events()).proof.remarks
    assert remark.startswith("High Noon is announced differently than in the rule book")
    random_contest = RandomContest(random.Random(1), 14, absent=2, cuts=0.05)
    remarks = follow(random_contest, random_contest.events()).proof.remarks
    assert remarks[0] == f"bot {random_contest.absent[0]} was withdrawn before the first stage: it never came"
    assert "The Trials was ended early by the operator" in remarks
