"""The checker judges all examples right: thoughts with their claims in brackets, and the truth if a claim is wrong."""

import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from broadcast.commentary.claims.checker import MAX_MENTIONS, claims_in, estimates_in
from broadcast.commentary.claims.kinds import (
    announced,
    beaten,
    board,
    chance,
    chips,
    draws,
    history,
    made_hand,
    own_cards,
    players,
    position,
    price,
)
from broadcast.commentary.claims.speech.known import BOARD_SIZES, STREETS, Acted, Known
from server.game.cards import parse_cards

KINDS: tuple[ModuleType, ...] = (
    own_cards,
    board,
    made_hand,
    draws,
    price,
    chips,
    position,
    players,
    history,
    beaten,
    announced,
)


def known_in(situation: str) -> Known:
    """The knowledge of the bot on the button, which has two opponents.

    The situation names cards ("Qc 3d, Kc 7s 2h"), chips ("pot 300, call 100", "stack 900") or what the first opponent
    did ("raise 300"). "; then call" adds the bot's own act.
    """
    situation, _, then = situation.partition("; then ")
    cards, _, there = situation.partition(",")
    pot, call, acts = 300, 0, list[Acted]()
    stacks: tuple[int, ...] = (5000, 5000, 5000)
    live: tuple[int, ...] = (0, 1, 2)
    hole, shared = parse_cards("Qc 3d"), parse_cards("")
    if numbers := re.fullmatch(r"pot (\d+), call (\d+)", situation):
        pot, call = int(numbers[1]), int(numbers[2])
    elif numbers := re.fullmatch(r"stack (\d+)", situation):
        stacks = (int(numbers[1]), 5000, 4000)
    elif situation.startswith("raise"):
        live = (0, 1)
        acts = [
            Acted("preflop", 1, "raise", 300, 300, False, 150, 100),
            Acted("preflop", 2, "fold", 0, 0, False, 450, 300),
        ]
        acts.append(Acted("preflop", 0, "call", 300, 300, False, 450, 300))
        if flop := situation.partition("; ")[2]:
            amount = flop.partition(" ")[2]
            bet = int(amount or 0)
            acts.append(Acted("flop", 1, "bet" if bet else "check", bet, bet, False, 750, 0))
            shared = parse_cards("Kc 7s 2h")
        else:
            acts.pop()
    else:
        hole, shared = parse_cards(cards), parse_cards(there)
    doing, _, chips = then.partition(" ")
    bet = int(chips or 300)
    act = Acted("preflop", 0, doing, bet, bet, False, 450, 300) if then else None  # type: ignore[arg-type]
    street = next(street for street in STREETS if BOARD_SIZES[street] == len(shared))
    order = (1, 2, 0) if shared else (0, 1, 2)
    return Known(
        0, hole, shared, street, button=0, blinds=(1, 2), started=stacks, stacks=stacks, bets=(0, call, 0), live=live,
        order=order, pot=pot, to_call=call, acts=tuple(acts), act=act,
        names=("Doc", "Belle", "Wyatt"),
    )  # fmt: skip


def examples() -> Iterator[tuple[str, str, str, str]]:
    for kind in KINDS:
        for line in kind.EXAMPLES.strip().splitlines():
            situation, thought, truth = (part.strip() for part in line.split("|"))
            yield kind.KIND, situation, thought, truth


@pytest.mark.parametrize(("kind", "situation", "thought", "truth"), [*examples()])
def test_example(kind: str, situation: str, thought: str, truth: str) -> None:
    plain = re.sub(r"[\[\]]", "", thought)
    found = [claim for claim in claims_in(plain, known_in(situation)) if claim.kind == kind]
    wanted = [] if truth == "no claim" else re.findall(r"\[(.+?)\]", thought)
    assert [plain[claim.start : claim.end] for claim in found] == wanted
    assert [claim.truth for claim in found if not claim.right] == ([truth] if truth not in ("", "no claim") else [])


@pytest.mark.parametrize("line", chance.EXAMPLES.strip().splitlines())
def test_estimate(line: str) -> None:
    thought, value = (part.strip() for part in line.split("|"))
    plain = re.sub(r"[\[\]]", "", thought)
    assert [(plain[start:end], round(found, 2)) for start, end, found in estimates_in(plain)] == [
        (words, float(value)) for words in re.findall(r"\[(.+?)\]", thought)
    ]


STUTTERED = "a an the only just also still now already really even both all of is has have any my no not , - two pair"
OPENINGS = ("", "I have ", "Two ", "My ", "Only ", "He ", "The board is ", "I call ", "The pot is 100 ")


@pytest.mark.parametrize("opening", OPENINGS)
def test_thought_that_stutters_is_checked_as_fast_as_any_other(opening: str) -> None:
    """A pattern that can read the same words in two ways would never return, and pytest would say where it hangs."""
    for word in STUTTERED.split():
        stutter = opening + f"{word} " * 600
        thought = f"{stutter[:550]} I want to represent a set, and have won."
        claims_in(thought, known_in("Qc 3d, Kc 7s 2h"))
        estimates_in(thought)


REPEATED = (
    "i have |a |9s 8s |only a flush, a flush, |he raised | |top pair, |any ace, any king, |and then bet the flop and |"
    "2-8-4-9-|still |belle and |belle, |he just then already |it 3 over my 3 "
)


@pytest.mark.parametrize("words", REPEATED.split("|"))
def test_thought_that_repeats_itself_is_checked_quickly_and_has_few_claims(words: str) -> None:
    assert len(claims_in(words * 600, known_in("Qc 3d, Kc 7s 2h"))) <= MAX_MENTIONS
