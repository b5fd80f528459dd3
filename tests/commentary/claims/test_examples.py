"""Each kind of claim has examples: a thought with its claims in brackets, and the truth if a claim is wrong."""

import re
from collections.abc import Iterator, Sequence
from types import ModuleType

import pytest

from broadcast.commentary.claims.checker import claims_in
from broadcast.commentary.claims.kinds import made_hand
from broadcast.commentary.claims.speech.known import Known
from server.game.cards import parse_cards

KINDS: Sequence[ModuleType] = (made_hand,)


def examples() -> Iterator[tuple[str, str, str, str]]:
    for kind in KINDS:
        for line in kind.EXAMPLES.strip().splitlines():
            situation, thought, truth = (part.strip() for part in line.split("|"))
            yield kind.KIND, situation, thought, truth


@pytest.mark.parametrize(("kind", "situation", "thought", "truth"), [*examples()])
def test_example(kind: str, situation: str, thought: str, truth: str) -> None:
    cards, _, board = situation.partition(",")
    known = Known(0, parse_cards(cards), parse_cards(board))
    plain = re.sub(r"[\[\]]", "", thought)
    found = claims_in(plain, known)
    wanted = [] if truth == "no claim" else re.findall(r"\[(.+?)\]", thought)
    assert [plain[claim.start : claim.end] for claim in found] == wanted
    assert [claim.truth for claim in found if not claim.right] == ([truth] if truth not in ("", "no claim") else [])
    assert all(claim.kind == kind for claim in found)
