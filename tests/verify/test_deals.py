"""Python and JavaScript prove the same about deals: who plays them, in which seats, and with whose decks."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.deals import scores_of
from server.game.events import DealEnded, GameEnded, GameStarted, StageStarted
from server.game.formats import Format, as_deals
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import play_contest
from tests.support.recordings import of_kind
from tests.verify.alterations import first_of, with_first
from tests.verify.in_javascript import Prover

DEALS = 7
BY_EARNED = as_deals(QUICK_DRAW_FORMAT, DEALS, hands=3, decided_by="earned")


@pytest.mark.parametrize("bots", [2, 3, 6, 9, 14])
@pytest.mark.parametrize("contest", [QUICK_DRAW_FORMAT, ACPC_FORMAT], ids=lambda each: each.contest)
def test_deals_of_any_number_of_bots_are_proved(contest: Format, bots: int, prover: Prover) -> None:
    entries = play_contest(bots, bots, as_deals(contest, DEALS, hands=2))
    verdict = prover.entries(entries)
    assert verdict["holds"], verdict
    counted = {claim["of"]: claim["count"] for claim in verdict["claims"]}
    assert counted["draws"] == verify(entries).deals == (DEALS if bots <= 6 else 2 * DEALS)


def changed(entries: Sequence[Entry], number: int, **changes: object) -> list[Entry]:
    """The entries with other values at the start of game `number`."""
    started = of_kind(entries, GameStarted)[number - 1]
    return [replace(entry, event=replace(started, **changes)) if entry.event is started else entry for entry in entries]


def without_a_table(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without the last table of the first deal."""
    starts = [at for at, entry in enumerate(entries) if isinstance(entry.event, GameStarted)]
    return [*entries[: starts[5]], *entries[first_of(entries, DealEnded) :]]


def with_another_group(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, but the bots of the first deal also play the second."""
    return changed(entries, 7, seats=seats_of(entries, 1))


@pytest.mark.parametrize(
    ("forge", "fault"),
    [
        (lambda entries: changed(entries, 2, seats=seats_of(entries, 2)[::-1]), "the bots drawn"),
        (lambda entries: changed(entries, 2, seats=seats_of(entries, 1)), "the bots drawn"),
        (lambda entries: changed(entries, 3, dealt_as=UNSET), "the game whose decks are dealt again"),
        (lambda entries: changed(entries, 8, dealt_as=1), "the game whose decks are dealt again"),
        (lambda entries: changed(entries, 1, draw_key=""), "were not drawn"),
        (without_a_table, "has won in the deal"),
        (with_another_group, "the bots drawn"),
    ],
    ids=["other seats", "same seats twice", "own decks", "decks of another deal", "no draw", "no table", "no lot"],
)
def test_deals_that_were_not_the_same_for_all_are_refuted(
    forge: Callable[[Sequence[Entry]], list[Entry]], fault: str, prover: Prover
) -> None:
    forged = forge(play_contest(9, 9, as_deals(QUICK_DRAW_FORMAT, DEALS)))
    with pytest.raises(Refuted, match=fault):
        verify(forged)
    assert not prover.entries(forged)["holds"]


@pytest.mark.parametrize(
    ("forge", "fault"),
    [
        (
            lambda entries: with_first(entries, DealEnded, won=of_kind(entries, DealEnded)[0].won[::-1]),
            "has won in the deal",
        ),
        (lambda entries: with_first(entries, DealEnded, decided=True), "has won in the deal"),
        (lambda entries: changed(entries, 3, stacks=(1, *(5000,) * 5)), "the stacks at the start of the game"),
    ],
    ids=["other winnings", "an early end", "other stacks"],
)
def test_results_of_deals_that_do_not_follow_from_their_tables_are_refuted(
    forge: Callable[[Sequence[Entry]], list[Entry]], fault: str
) -> None:
    with pytest.raises(Refuted, match=fault):
        verify(forge(play_contest(6, 6, as_deals(QUICK_DRAW_FORMAT, DEALS))))


def seats_of(entries: Sequence[Entry], number: int) -> tuple[int, ...]:
    return of_kind(entries, GameStarted)[number - 1].seats


def test_places_by_what_was_earned_are_proved_from_the_cards_and_differ_from_those_by_chips() -> None:
    entries = play_contest(9, 9, BY_EARNED)
    proof = verify(entries)
    assert proof.luck == 2 * DEALS * 6
    won, earned = Counter[int](), Counter[int]()
    for entry in entries:
        match entry.event:
            case StageStarted(bots=bots):
                won, earned = Counter(dict.fromkeys(bots, 0)), Counter(dict.fromkeys(bots, 0))
            case DealEnded(bots=bots):
                won.update(dict(zip(bots, entry.event.won, strict=True)))
                earned.update(scores_of(entry.event))
    assert [(each.bot, each.stack) for each in proof.placings[:6]] == earned.most_common()
    assert [bot for bot, _ in won.most_common()] != [bot for bot, _ in earned.most_common()]


def with_luck(entries: Sequence[Entry], kind: type[GameEnded | DealEnded]) -> list[Entry]:
    """The entries, but at the first end of this kind, a chip of luck has gone from one bot to another."""
    one, other, *rest = entries[first_of(entries, kind)].event.luck  # type: ignore[attr-defined]
    return with_first(entries, kind, luck=(one + 1, other - 1, *rest))


@pytest.mark.parametrize(
    ("kind", "fault"),
    [(GameEnded, "the luck of the board at the table"), (DealEnded, "what each bot has won in the deal")],
)
def test_luck_that_does_not_follow_from_the_cards_is_refuted(kind: type[GameEnded | DealEnded], fault: str) -> None:
    forged = with_luck(play_contest(9, 9, BY_EARNED), kind)
    with pytest.raises(Refuted, match=fault):
        verify(forged)
