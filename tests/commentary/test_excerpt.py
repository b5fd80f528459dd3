"""The part of a thought that is shown gives the reason, or has what is not true, and is short enough to be read."""

import random

import pytest

from broadcast.commentary.excerpt import MAX_CHARACTERS, excerpt

LONG = (
    "I am in the cutoff and everybody has folded to me, so nothing has happened in this hand so far that I could use."
)
REASON = "I raise because the blinds fold too often."


@pytest.mark.parametrize(
    ("thought", "shown"),
    [
        ("A pair.", "A pair."),
        (f"{LONG} {REASON} {LONG}", f"{REASON}"),
        (f"{LONG} I need 4 to 1 and get 3 to 1 on my draw. {LONG}", "I need 4 to 1 and get 3 to 1 on my draw."),
        (f"{LONG} {LONG}", LONG),
        (f"{LONG} {REASON} So I bet.", f"{REASON} So I bet."),
        (f"{LONG} He is weak, and knows it. So I call.", "He is weak, and knows it. So I call."),
        (
            f"{LONG[:-1]}, and he has called me on every street of it, because he likes to call, and he is rich.",
            "…because he likes to call, and he is rich.",
        ),
        ("很" * 300, "很" * (MAX_CHARACTERS - 1) + "…"),
    ],
)
def test_sentence_that_gives_the_reason_is_shown(thought: str, shown: str) -> None:
    assert excerpt(thought).text == shown


def test_untrue_claim_is_shown_rather_than_the_reason() -> None:
    thought = f"{LONG} {REASON} And I have a full house. {LONG}"
    at = thought.index("a full house")
    part = excerpt(thought, [(at, at + 12)])
    assert part.text[at + part.shift :].startswith("a full house")
    assert "because" not in part.text


WORDS = ("I", "have", "two pair", "because", "so that", "odds", "12.5", "call", "Señor", "(maybe)", "好", "e\u0301")
STOPS = ("", "", "", ",", ";", ".", "!", "…", "。", " and")


def test_part_of_any_thought_is_short_and_ends_with_a_word() -> None:
    dice = random.Random(1)
    for _ in range(3000):
        thought = " ".join(dice.choice(WORDS) + dice.choice(STOPS) for _ in range(dice.randrange(1, 110)))[:600].strip()
        words = [(at, at + 8) for at in range(len(thought)) if thought.startswith("two pair", at)]
        untrue = words[:1] if dice.random() < 0.5 else []
        part = excerpt(thought, untrue)
        assert 0 < len(part.text) <= MAX_CHARACTERS
        assert thought[part.start : part.end] == part.text[part.start + part.shift : part.end + part.shift]
        assert all(part.start <= start and end <= part.end for start, end in untrue)
        for edge in (part.start, part.end):
            assert not thought[edge - 1 : edge + 1].replace("_", " ").isalnum() or edge in (0, len(thought))
