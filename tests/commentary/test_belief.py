"""A thought says that its bot is ahead if it gives a good chance to win, or names a made hand."""

import pytest

from broadcast.commentary.belief import believes_ahead
from broadcast.commentary.claims.reader import ThoughtReader
from server.game.events import NoteGiven
from tests.commentary.test_drama import duel, last_hand


def belief(thought: str) -> bool:
    """Whether a bot that bets six high on a flop of ace, king and nine believes that it is ahead."""
    script = duel("raise:700 call raise:900 fold", ("Ah Qd", "6h 2d"), "Ac Kd 9h Ts 3c")
    reader = ThoughtReader()
    for entry in script.entries[: -len(last_hand(script))]:
        reader.apply(entry.event)
    for each in last_hand(script):
        reader.apply(each.event)
    reading = reader.apply(NoteGiven(2, 3, thought))
    assert reading
    return believes_ahead(thought, reading)


@pytest.mark.parametrize(
    "thought",
    [
        "I am about 60% to win.",
        "My equity is about 50%, even with six high.",
        "I have a pair of sixes.",
        "He may be bluffing. I have two pair and bet for value.",
    ],
)
def test_bot_with_an_even_chance_or_a_made_hand_believes_that_it_is_ahead(thought: str) -> None:
    assert belief(thought)


@pytest.mark.parametrize(
    "thought",
    [
        "A bet feels right.",
        "I am about 20% to win.",
        "I have a pair of sixes, but I am about 30% to win.",
        "I have six high.",
        "I don't have a pair.",
        "He has a set of nines.",
        "I have a flush draw.",
        "I'm bluffing with a pair of sixes.",
        "A bet of 900 as a bluff. I am about 60% to win.",
    ],
)
def test_bot_with_a_smaller_chance_or_a_bluff_does_not_believe_that_it_is_ahead(thought: str) -> None:
    assert not belief(thought)
