"""The shown part of a thought tells the bot's hand, belief and decision, and is short enough to be read."""

import random

import pytest

from broadcast.commentary.excerpt import MAX_CHARACTERS, choose_excerpt, comparable_sentences
from broadcast.on_air.shared_types import Checked

LONG = "I am in the cutoff and everybody has left it to me, so nothing has happened in this hand that I could use."
REASON = "I raise because the blinds fold too often."


@pytest.mark.parametrize(
    ("thought", "shown"),
    [
        (f"{LONG} {REASON} {LONG}", REASON),
        (f"{LONG} I need 4 to 1 and get 3 to 1 on my draw. {LONG}", "I need 4 to 1 and get 3 to 1 on my draw."),
        (f"{LONG} {REASON} So I bet.", f"{REASON} So I bet."),
        (f"{LONG} Buck knows it. So I call.", "Buck knows it. So I call."),
        (
            f"Two pair, kings and sevens. {LONG} The board is wet. I am about 70% to win. Buck has 9. I raise to 450.",
            "Two pair, kings and sevens. … I am about 70% to win. … I raise to 450.",
        ),
        (
            "Looking at seven, ace, jack, deuce, eight: I have king high. I raise to 4,200, because Buck folds far too "
            "often to bets.",
            "…I have king high. I raise to 4,200, because Buck folds far too often to bets.",
        ),
        (
            f"{LONG[:-1]}, and he has called me on every street of it, because he likes to call, and he is rich.",
            "…because he likes to call, and he is rich.",
        ),
        ("很" * 300, "很" * (MAX_CHARACTERS - 2) + "…"),
    ],
)
def test_sentences_that_tell_the_hand_the_belief_the_decision_and_the_reason_are_shown(
    thought: str, shown: str
) -> None:
    assert choose_excerpt(thought).text == shown


def test_untrue_claim_displaces_the_reason_because_the_truth_about_it_needs_room() -> None:
    claim, truth = "a full house", "has: a pair of sevens, on the board"
    thought = f"{LONG} {REASON} And now I have {claim}. {LONG}"
    at = thought.index(claim)
    part = choose_excerpt(thought, [Checked(at, at + len(claim), right=False, truth=truth)])
    (mark,) = part.checked
    assert part.text[mark.start : mark.end] == claim
    assert REASON not in part.text
    assert (
        choose_excerpt(thought, [Checked(at, at + len(claim), right=False)]).text == f"{REASON} And now I have {claim}."
    )


def test_sentence_that_was_shown_before_is_omitted_if_another_has_something_to_tell() -> None:
    stock = "I raise because a small raise is always right here."
    told = comparable_sentences(f"{stock} I call.")
    assert choose_excerpt(f"{stock} My gutshot has four outs.", shown_before=told).text == "My gutshot has four outs."
    assert choose_excerpt(f"{stock} {LONG} My gutshot has four outs. I call.", shown_before=told).text == (
        "My gutshot has four outs. I call."
    ), "the shortest sentences may be repeated"
    assert choose_excerpt(f"{stock} Well.", shown_before=told).text == f"{stock} Well."


WORDS = ("I", "have", "two pair", "because", "so that", "odds", "12.5", "call", "Señor", "(maybe)", "好", "e\u0301")
STOPS = ("", "", "", ",", ";", ".", "!", "…", "。", " and")


def test_part_of_any_thought_is_short_and_consists_of_words_of_the_thought_in_their_order() -> None:
    dice = random.Random(1)
    for _ in range(3000):
        thought = " ".join(dice.choice(WORDS) + dice.choice(STOPS) for _ in range(dice.randrange(1, 110)))[:600].strip()
        found = [at for at in range(len(thought)) if thought.startswith("two pair", at)]
        marks = [Checked(at, at + 8, dice.random() < 0.5, dice.choice(("", "has: one pair"))) for at in found]
        part = choose_excerpt(thought, marks)
        assert 0 < len(part.text) + sum(len(mark.truth) + 3 for mark in part.checked if mark.truth) <= MAX_CHARACTERS
        assert all(part.text[mark.start : mark.end] == "two pair" for mark in part.checked)
        assert len(part.checked) == part.text.count("two pair")
        assert any(not mark.right for mark in part.checked) or all(mark.right for mark in marks)
        at = 0
        for word in part.text.replace("…", " ").split():
            at = thought.index(word, at) + len(word)
            assert thought[at : at + 1] != "\u0301"
