"""Cards: two characters, rank then suit."""

import pytest

from server.game.cards import DECK, check_cards, parse_cards


def test_the_full_deck_is_52_different_cards() -> None:
    assert len(DECK) == 52
    check_cards(DECK)


@pytest.mark.parametrize(
    ("text", "cards"), [("As Kd", ("As", "Kd")), ("AsKd", ("As", "Kd")), (" As  Kd ", ("As", "Kd")), ("", ())]
)
def test_cards_are_written_with_or_without_spaces(text: str, cards: tuple[str, ...]) -> None:
    assert parse_cards(text) == cards


@pytest.mark.parametrize("culprit", ["1s", "10", "as", "AS", "sA", "??", "A"])
def test_what_is_no_card_is_refused_by_name(culprit: str) -> None:
    with pytest.raises(ValueError, match="not a card") as refusal:
        parse_cards(f"Kd {culprit}")
    assert repr(culprit) in str(refusal.value)


def test_a_card_that_comes_twice_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="the card As comes twice"):
        parse_cards("As Kd As")
