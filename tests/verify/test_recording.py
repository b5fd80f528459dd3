"""A recording proves itself, and any change in it is found, even where all checksums have been corrected."""

import random
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import (
    ActionTaken,
    BotEliminated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandStarted,
    HoleDealt,
    Placing,
    PotAwarded,
    StageCut,
    StageEnded,
    StageStarted,
    StreetDealt,
    TournamentEnded,
    TournamentOpened,
)
from server.game.prizes import final_placings
from server.game.tournament import StagePlan
from server.journal.journal import Entry
from server.shuffle import key_of
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import play_contest
from tests.support.random_contests import PlayedContest, RandomContest, follow, random_contests

Kind = TypeVar("Kind", bound=Event)


@pytest.fixture(scope="module")
def contest() -> list[Entry]:
    return play_contest(1)


def changed(entries: list[Entry], kind: type[Kind], change: Callable[[Kind], Event]) -> list[Entry]:
    """The entries with the middlemost event of `kind` changed."""
    found = [at for at, entry in enumerate(entries) if isinstance(entry.event, kind)]
    at = found[len(found) // 2]
    event = entries[at].event
    assert isinstance(event, kind)
    return [*entries[:at], replace(entries[at], event=change(event)), *entries[at + 1 :]]


def test_a_whole_contest_is_proved(contest: list[Entry]) -> None:
    proof = verify(contest)
    assert (proof.entries, proof.finished, proof.unfinished_hand) == (len(contest), True, False)
    assert proof.hands == sum(isinstance(entry.event, HandStarted) for entry in contest)
    assert proof.draws == proof.games > 1


def test_a_contest_that_breaks_off_is_proved_as_far_as_it_goes(contest: list[Entry]) -> None:
    proof = verify(contest[: len(contest) // 2])
    assert not proof.finished
    assert proof.hands > 0


def test_an_unfinished_hand_proves_nothing(contest: list[Entry]) -> None:
    at = next(at for at, entry in enumerate(contest) if isinstance(entry.event, ActionTaken))
    proof = verify(contest[:at])
    assert (proof.hands, proof.unfinished_hand) == (0, True)


CHANGES: list[tuple[type[Event], Callable[[Any], Event], str]] = [
    (HoleDealt, lambda event: replace(event, cards=event.cards[::-1]), "cards in hole_dealt should be"),
    (
        StreetDealt,
        lambda event: replace(event, cards=event.cards[1:] + event.cards[:1] + ("2c",)),
        "cards in street_dealt should be",
    ),
    (ActionTaken, lambda event: replace(event, amount=event.amount + 1), "amount in action_taken should be"),
    (PotAwarded, lambda event: replace(event, amount=event.amount + 1), "amount in pot_awarded should be"),
    (HandStarted, lambda event: replace(event, deck_commitment="00" * 32), "seal that was put on the deck"),
    (HandStarted, lambda event: replace(event, button=(event.button + 1) % 6), "button"),
    (HandStarted, lambda event: replace(event, stacks=(*event.stacks[:-1], event.stacks[-1] + 100)), "stacks"),
    (HandEnded, lambda event: replace(event, deck_key="11" * 32), "seal that was put on the deck"),
    (HandEnded, lambda event: replace(event, deck_key="no key"), "hexadecimal"),
    (GameStarted, lambda event: replace(event, seats=event.seats[1:] + event.seats[:1]), "stacks|seats"),
    (GameStarted, lambda event: replace(event, draw_key="22" * 32), "bots drawn|dice"),
    (GameStarted, lambda event: replace(event, game=event.game + 1), "number of the game"),
    (GameStarted, lambda event: replace(event, hands=event.hands + 1), "number of hands"),
    (GameStarted, lambda event: replace(event, draw_key=""), "not drawn"),
    (GameStarted, lambda event: replace(event, stacks=event.stacks[::-1]), "stacks"),
    (GameEnded, lambda event: replace(event, game=event.game + 1), "number of the game that ends"),
    (HandStarted, lambda event: replace(event, hand=event.hand + 1), "number of the hand"),
    (BotEliminated, lambda event: replace(event, place=event.place - 1), "place"),
    (BotEliminated, lambda event: replace(event, seat=event.seat ^ 1), 'next bot that is out should be .*, "seat"'),
    (BotEliminated, lambda event: replace(event, bot=99), "next bot that is out"),
    (StageStarted, lambda event: replace(event, stacks=(*event.stacks[:-1], 6000)), "stacks at the start of the stage"),
    (StageStarted, lambda event: replace(event, bots=event.bots[::-1]), "bots of the stage"),
    (StageStarted, lambda event: replace(event, stage=1), "out of order"),
    (StageEnded, lambda event: replace(event, stage=event.stage + 1), "number of the stage"),
    (StageEnded, lambda event: replace(event, stacks=event.stacks[::-1]), "stacks at the end"),
    (StageEnded, lambda event: replace(event, ranking=event.ranking[::-1]), "ranking"),
    (StageEnded, lambda event: replace(event, draw_key="33" * 32), "ranking|dice"),
    (TournamentEnded, lambda event: replace(event, seed="44" * 32), "seed"),
    (
        TournamentEnded,
        lambda event: replace(event, placings=(Placing(1, event.placings[0].bot, 1, 9999), *event.placings[1:])),
        "final table",
    ),
    (TournamentOpened, lambda event: replace(event, prizes_cents=(1, 2, 3)), "final table"),
    (TournamentOpened, lambda event: replace(event, seed_commitment="55" * 32), "seed"),
]


@pytest.mark.parametrize(("kind", "change", "reason"), CHANGES)
def test_every_change_is_found(
    contest: list[Entry], kind: type[Event], change: Callable[[Any], Event], reason: str
) -> None:
    with pytest.raises(Refuted, match=reason):
        verify(changed(contest, kind, change))


# -- forgeries in which every sum fits -------------------------------------------------------------


class EndsAStageEarly(RandomContest):
    """Leaves out the last game of a stage that nobody has cut."""

    def stage_over(self, plan: StagePlan) -> bool:
        return super().stage_over(plan) or self.tournament.games_in_stage == plan.games - 1 > 0


class GoesOnTooLong(RandomContest):
    def stage_over(self, plan: StagePlan) -> bool:
        return super().stage_over(replace(plan, games=plan.games + 1))


class PlaysOnWithSix(RandomContest):
    """Continues the Trials although six are left."""

    def stage_over(self, plan: StagePlan) -> bool:
        return super().stage_over(replace(plan, advance=5) if plan.advance else plan)

    def game_over(self, plan: StagePlan, hands: int) -> bool:
        return super().game_over(replace(plan, advance=5) if plan.advance else plan, hands)


class EndsAGameEarly(RandomContest):
    def game_over(self, plan: StagePlan, hands: int) -> bool:
        return super().game_over(plan, hands + 1)


class DealsAHandTooMuch(RandomContest):
    def game_over(self, plan: StagePlan, hands: int) -> bool:
        return super().game_over(replace(plan, hands=plan.hands + 1), hands)


class DrawsFive(RandomContest):
    def seats(self, plan: StagePlan, key: bytes) -> tuple[int, ...]:
        return super().seats(plan, key)[:5]


class SeatsAFriend(RandomContest):
    """Lets bot 1 play whenever it can."""

    def seats(self, plan: StagePlan, key: bytes) -> tuple[int, ...]:
        drawn = super().seats(plan, key)
        return drawn if 1 in drawn or 1 not in self.tournament.alive() else (1, *drawn[1:])


class DrawsAgain(RandomContest):
    """Draws with other dice than those of the seed."""

    def seats(self, plan: StagePlan, key: bytes) -> tuple[int, ...]:
        return super().seats(plan, key[::-1])


class RetiresByTheSeats(RandomContest):
    """Ranks equals by their seats."""

    def retired(self, broke: list[tuple[int, int]], key: bytes) -> list[tuple[int, int]]:
        return self.tournament.eliminated(broke, lambda bots, _drawn: sorted(bots))


class RetiresByOtherDice(RandomContest):
    def retired(self, broke: list[tuple[int, int]], key: bytes) -> list[tuple[int, int]]:
        return super().retired(broke, key[::-1])


class ForgetsToRetire(RandomContest):
    def retired(self, broke: list[tuple[int, int]], key: bytes) -> list[tuple[int, int]]:
        return super().retired(broke, key)[:-1]


class SendsSevenOn(RandomContest):
    def stage_end(self, number: int, plan: StagePlan) -> StageEnded:
        return super().stage_end(number, replace(plan, advance=plan.advance and 7))


class SendsAnotherOn(RandomContest):
    """Lets the seventh advance instead of the sixth."""

    def stage_end(self, number: int, plan: StagePlan) -> StageEnded:
        ended = super().stage_end(number, plan)
        others = ended.ranking[6:7]
        return replace(ended, advancing=ended.advancing[:5] + others) if others and plan.advance else ended


class RanksEqualsByNumber(RandomContest):
    """Leaves out the lot at the line."""

    def stage_end(self, number: int, plan: StagePlan) -> StageEnded:
        key = key_of(self.seed, f"stage {number}").hex()
        return self.tournament.end_stage(plan.advance, key, lambda bots, _drawn: sorted(bots))


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
    """Pays each bot for itself."""

    def placings(self) -> tuple[Placing, ...]:
        alone = [replace(entrant, player="") for entrant in self.opened.entrants]
        return final_placings(replace(self.opened, entrants=tuple(alone)), self.tournament)


class PaysWhoNeverCame(RandomContest):
    def placings(self) -> tuple[Placing, ...]:
        there = {bot: replace(record, withdrawn=False) for bot, record in self.tournament.records.items()}
        return final_placings(self.opened, replace(self.tournament, records=there))


class KeepsACent(RandomContest):
    def placings(self) -> tuple[Placing, ...]:
        first, *rest = super().placings()
        return (replace(first, prize_cents=first.prize_cents - 1), *rest)


ENOUGH = 10
"""How many refuted evenings of a kind are enough."""
DISHONEST = [
    EndsAStageEarly, GoesOnTooLong, PlaysOnWithSix, EndsAGameEarly, DealsAHandTooMuch, DrawsFive, SeatsAFriend,
    DrawsAgain, RetiresByTheSeats, RetiresByOtherDice, ForgetsToRetire, SendsSevenOn, SendsAnotherOn,
    RanksEqualsByNumber, GivesTheFinalistsMore, PlaysTrialsForNobody, PaysASecondBot, PaysWhoNeverCame, KeepsACent,
]  # fmt: skip


def uncut(kind: type[RandomContest]) -> Iterator[tuple[RandomContest, list[Event]]]:
    """The same 150 evenings, without cuts, for each kind of contest, with their events."""
    for random_contest in random_contests("forged", 150, kind):
        random_contest.cuts = 0.0
        yield random_contest, list(random_contest.events())


@pytest.fixture(scope="module")
def honest() -> list[list[Event]]:
    return [events for _, events in uncut(RandomContest)]


@pytest.mark.parametrize("kind", DISHONEST)
def test_a_dishonest_evening_is_refuted_although_every_sum_fits(
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
    assert forged >= 3, "the forgery must have been tried"


def test_trials_that_were_left_out_are_remarked_on() -> None:
    random_contest = LeavesTheTrialsOut(random.Random(1), 12)
    (remark,) = follow(random_contest, random_contest.events()).proof.remarks
    assert remark.startswith("stage 2 is announced differently than in the rule book")


def test_cuts_and_withdrawals_are_remarked_on() -> None:
    random_contest = RandomContest(random.Random(1), 14, absent=2, cuts=0.05)
    remarks = follow(random_contest, random_contest.events()).proof.remarks
    assert remarks[0] == f"bot {random_contest.absent[0]} was withdrawn before the first stage: it never came"
    assert "stage 1 was ended early by the operator" in remarks


# -- forgeries of a recording with bots withdrawn and a stage cut ----------------------------------


@pytest.fixture(scope="module")
def cut_short() -> list[Entry]:
    """14 bots, two of them absent; the Trials are cut in the middle of a game."""
    for number in range(1000):
        entries = PlayedContest(random.Random(number), 14, absent=2, cuts=0.03).entries()
        cuts = [at for at, entry in enumerate(entries) if isinstance(entry.event, StageCut)]
        if (
            len(cuts) == 1
            and entries[cuts[0]].event == StageCut(1)
            and isinstance(entries[cuts[0] - 1].event, HandEnded)
        ):
            return entries
    raise AssertionError("one of a thousand random contests is cut in the middle of a game")


def test_a_contest_that_was_cut_short_is_proved(cut_short: list[Entry]) -> None:
    assert verify(cut_short).finished


def without(entries: list[Entry], kind: type[Event]) -> list[Entry]:
    return [entry for entry in entries if not isinstance(entry.event, kind)]


def moved(entries: list[Entry], kind: type[Event], by: int) -> list[Entry]:
    """The entries with the first event of a kind moved `by` entries."""
    at = next(at for at, entry in enumerate(entries) if isinstance(entry.event, kind))
    rest = [*entries[:at], *entries[at + 1 :]]
    return [*rest[: at + by], entries[at], *rest[at + by :]]


def repeated(entries: list[Entry], kind: type[Event]) -> list[Entry]:
    at = next(at for at, entry in enumerate(entries) if isinstance(entry.event, kind))
    return [*entries[:at], entries[at], *entries[at:]]


FORGED: list[tuple[Callable[[list[Entry]], list[Entry]], str]] = [
    (lambda entries: without(entries, StageCut), "ends after . of 6 hands, and nobody cut it short"),
    (lambda entries: without(entries, BotWithdrawn), "bots of the stage"),
    (lambda entries: without(entries, StageEnded), "within a stage"),
    (lambda entries: without(entries, StageStarted), "outside one"),
    (lambda entries: without(entries, GameEnded), "within a game"),
    (lambda entries: without(entries, BotEliminated), "is not out|final table|ranking"),
    (lambda entries: moved(entries, StageCut, -3), "middle of a hand"),
    (lambda entries: moved(entries, StageCut, 1), "nobody cut it short"),
    (lambda entries: moved(entries, BotWithdrawn, 1), "final table"),
    (lambda entries: moved(entries, BotWithdrawn, 2), "bots of the stage"),
    (lambda entries: moved(entries, BotWithdrawn, 50), "bots of the stage"),
    (lambda entries: moved(entries, StageStarted, 1), "outside one"),
    (lambda entries: repeated(entries, StageCut), "although it is over"),
    (lambda entries: repeated(entries, BotEliminated), "next bot that is out"),
    (lambda entries: repeated(entries, GameEnded), "was not started"),
    (lambda entries: [*entries, entries[-1]], "after its end"),
    (lambda entries: [*entries[:1], *entries], "opened twice"),
    (lambda entries: [*entries[:2], entries[1], *entries[2:]], "not waiting for the first stage"),
    (lambda entries: changed(entries, StageCut, lambda event: replace(event, stage=2)), "stage that is cut"),
    (lambda entries: changed(entries, BotWithdrawn, lambda event: replace(event, bot=99)), "not waiting"),
    (lambda entries: changed(entries, StageStarted, lambda event: replace(event, games=event.games + 1)), "nobody cut"),
]


@pytest.mark.parametrize(("forge", "reason"), FORGED)
def test_a_forgery_of_a_contest_that_was_cut_short_is_found(
    cut_short: list[Entry], forge: Callable[[list[Entry]], list[Entry]], reason: str
) -> None:
    with pytest.raises(Refuted, match=reason):
        verify(forge(cut_short))


def test_twenty_contests_of_all_sizes_are_proved() -> None:
    for random_contest in random_contests("proved", 20, PlayedContest):
        assert verify(random_contest.entries()).finished


def test_a_missing_event_of_a_hand_is_found(contest: list[Entry]) -> None:
    dealt = next(at for at, entry in enumerate(contest) if isinstance(entry.event, HoleDealt))
    with pytest.raises(Refuted):
        verify([*contest[:dealt], *contest[dealt + 1 :]])


def test_a_hand_left_out_is_found(contest: list[Entry]) -> None:
    begin, *_ = (at for at, entry in enumerate(contest) if isinstance(entry.event, HandStarted))
    end, *_ = (at for at, entry in enumerate(contest) if isinstance(entry.event, HandEnded))
    with pytest.raises(Refuted):
        verify([*contest[:begin], *contest[end + 1 :]])


def test_what_is_no_recording_of_a_tournament_is_refused() -> None:
    with pytest.raises(Refuted, match="empty"):
        verify([])
    with pytest.raises(Refuted, match="does not begin"):
        verify([Entry(1, 0, HandEnded((), ""))])
