"""A recording proves itself, and whatever is changed in it is found, even where every sum has been made to fit."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from server.game.events import (
    ActionTaken,
    BotEliminated,
    Event,
    GameStarted,
    HandEnded,
    HandStarted,
    HoleDealt,
    Placing,
    PotAwarded,
    StageEnded,
    StreetDealt,
    TournamentEnded,
    TournamentOpened,
)
from server.journal import Entry
from server.verify import Refuted, verify
from tests.contests import play_contest

Kind = TypeVar("Kind", bound=Event)


@pytest.fixture(scope="module")
def contest() -> list[Entry]:
    return play_contest(1)


def changed(entries: list[Entry], kind: type[Kind], change: Callable[[Kind], Event]) -> list[Entry]:
    """The entries with the middlemost event of `kind` changed."""
    places = [at for at, entry in enumerate(entries) if isinstance(entry.event, kind)]
    at = places[len(places) // 2]
    event = entries[at].event
    assert isinstance(event, kind)
    return [*entries[:at], replace(entries[at], event=change(event)), *entries[at + 1 :]]


def test_a_whole_contest_is_proved(contest: list[Entry]) -> None:
    proof = verify(contest)
    assert (proof.entries, proof.finished, proof.unfinished_hand) == (len(contest), True, False)
    assert proof.hands == sum(isinstance(entry.event, HandStarted) for entry in contest)
    assert proof.draws == proof.games > 1


@pytest.mark.parametrize("seed", range(2, 12))
def test_contests_of_any_size_are_proved(seed: int) -> None:
    assert verify(play_contest(seed, bots=seed)).finished


def test_the_same_seed_and_answers_give_the_same_journal(contest: list[Entry]) -> None:
    assert [entry.event for entry in play_contest(1)] == [entry.event for entry in contest]


def test_a_contest_that_breaks_off_is_proved_as_far_as_it_goes(contest: list[Entry]) -> None:
    proof = verify(contest[: len(contest) // 2])
    assert not proof.finished
    assert proof.hands > 0


def test_an_open_hand_at_the_end_proves_nothing(contest: list[Entry]) -> None:
    at = next(at for at, entry in enumerate(contest) if isinstance(entry.event, ActionTaken))
    proof = verify(contest[:at])
    assert (proof.hands, proof.unfinished_hand) == (0, True)


CHANGES: list[tuple[type[Event], Callable[[Any], Event], str]] = [
    (HoleDealt, lambda event: replace(event, cards=event.cards[::-1]), "event"),
    (StreetDealt, lambda event: replace(event, cards=event.cards[1:] + event.cards[:1] + ("2c",)), "event"),
    (ActionTaken, lambda event: replace(event, amount=event.amount + 1), "event"),
    (PotAwarded, lambda event: replace(event, amount=event.amount + 1), "event"),
    (HandStarted, lambda event: replace(event, deck_commitment="00" * 32), "commitment"),
    (HandStarted, lambda event: replace(event, button=(event.button + 1) % 6), "button"),
    (HandStarted, lambda event: replace(event, stacks=(*event.stacks[:-1], event.stacks[-1] + 100)), "stacks"),
    (HandEnded, lambda event: replace(event, deck_key="11" * 32), "commitment"),
    (HandEnded, lambda event: replace(event, deck_key="no key"), "hexadecimal"),
    (GameStarted, lambda event: replace(event, seats=event.seats[1:] + event.seats[:1]), "stacks|seats"),
    (GameStarted, lambda event: replace(event, draw_key="22" * 32), "seats drawn|dice"),
    (GameStarted, lambda event: replace(event, game=event.game + 1), "number of the game"),
    (BotEliminated, lambda event: replace(event, place=event.place - 1), "place"),
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


@pytest.mark.parametrize(("kind", "change", "told"), CHANGES)
def test_every_change_is_found(
    contest: list[Entry], kind: type[Event], change: Callable[[Any], Event], told: str
) -> None:
    with pytest.raises(Refuted, match=told):
        verify(changed(contest, kind, change))


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
