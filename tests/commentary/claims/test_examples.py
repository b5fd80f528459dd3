"""False claims in thoughts are struck and nothing else: in examples, in planted claims and in labelled free prose."""

import random
import re
from collections.abc import Iterator

import pytest

from broadcast.commentary.claims import kinds
from broadcast.commentary.claims.checker import MAX_MENTIONS, claims_in, estimates_in
from broadcast.commentary.claims.kinds import chance
from broadcast.commentary.claims.speech.bot_knowledge import BOARD_SIZES, STREETS, BotKnowledge, HandAction
from server.game.cards import parse_cards
from tests.commentary.claims.planted import Planted, situations, thoughts
from tests.commentary.claims.prose import HALVES, written_thoughts

KINDS = [kind for kind in vars(kinds).values() if hasattr(kind, "KIND")]
"""The modules that read one kind of claim each."""


def known_in(situation: str) -> BotKnowledge:
    """The knowledge of the bot on the button, which has two opponents.

    The situation names cards ("Qc 3d, Kc 7s 2h"), chips ("pot 300, call 100", "stack 900") or what the first opponent
    did ("raise 300"). "; then call" adds the bot's own act.
    """
    situation, _, then = situation.partition("; then ")
    pot, call, stacks, acts = 300, 0, (5000, 5000, 5000), list[HandAction]()
    live: tuple[int, ...] = (0, 1, 2)
    hole, shared = parse_cards("Qc 3d"), parse_cards("")
    if numbers := re.fullmatch(r"pot (\d+), call (\d+)", situation):
        pot, call = int(numbers[1]), int(numbers[2])
    elif numbers := re.fullmatch(r"stack (\d+)", situation):
        stacks = (int(numbers[1]), 5000, 4000)
    elif numbers := re.fullmatch(r"raise 300, call(; (?:bet|check) ?(\d*))?", situation):
        live = (0, 1)
        acts = [
            HandAction("preflop", 1, "raise", 300, 300, False, 150, 100),
            HandAction("preflop", 2, "fold", 0, 0, False, 450, 300),
        ]
        if numbers[1]:
            bet, shared = int(numbers[2] or 0), parse_cards("Kc 7s 2h")
            acts.append(HandAction("preflop", 0, "call", 300, 300, False, 450, 300))
            acts.append(HandAction("flop", 1, "bet" if bet else "check", bet, bet, False, 750, 0))
    else:
        cards, _, there = situation.partition(",")
        hole, shared = parse_cards(cards), parse_cards(there)
    doing, _, chips = then.partition(" ")
    bet = int(chips or 300)
    act = HandAction("preflop", 0, doing, bet, bet, False, 450, 300) if then else None  # type: ignore[arg-type]
    street = next(street for street in STREETS if BOARD_SIZES[street] == len(shared))
    return BotKnowledge(
        0, hole, shared, street, button=0, blinds=(1, 2), starting_stacks=stacks, stacks=stacks, bets=(0, call, 0),
        live=live, action_order=(1, 2, 0) if shared else (0, 1, 2),
        pot=pot, to_call=call, acts=tuple(acts), chosen_act=act,
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
REPEATED = (
    "i have |a |9s 8s |only a flush, a flush, |he raised | |top pair, |any ace, any king, |and then bet the flop and |"
    "2-8-4-9-|still |belle and |belle, |he just then already |it 3 over my 3 "
)


@pytest.mark.parametrize("opening", OPENINGS)
def test_thought_that_stutters_or_repeats_itself_is_checked_quickly_and_has_few_claims(opening: str) -> None:
    """A pattern that can read the same words in two ways would never return, and pytest would say where it hangs."""
    known = known_in("Qc 3d, Kc 7s 2h")
    for word in STUTTERED.split():
        thought = f"{(opening + f'{word} ' * 600)[:550]} I want to represent a set, and have won."
        claims_in(thought, known)
        estimates_in(thought)
    for words in REPEATED.split("|"):
        assert len(claims_in(opening + words * 600, known)) <= MAX_MENTIONS


def test_planted_claims_are_found_and_nothing_else() -> None:
    known = (*situations("arena", 2), *situations("acpc", 2))
    false, struck = 0, set[tuple[str, Planted]]()
    for knows, thought in thoughts(known, 300, random.Random(7)):
        false += sum(planted.right is False for planted in thought.planted)
        for claim in claims_in(thought.text, knows):
            for planted in thought.planted:
                if claim.start < planted.end and planted.start < claim.end:
                    assert planted.right is not None, thought.text
                    assert claim.right or not planted.right, thought.text
                    struck |= set() if claim.right else {(thought.text, planted)}
    assert len(struck) >= 0.95 * false > 50


@pytest.mark.parametrize("half", HALVES)
def test_nothing_but_false_claims_is_struck_in_free_prose(half: str) -> None:
    false, struck, opinions, marked = 0, set[tuple[str, int]](), 0, set[tuple[str, int]]()
    for knows, thought in written_thoughts(half):
        false += sum(each.right is False and not each.kind.startswith("chance") for each in thought.planted)
        opinions += sum(each.kind == "opinion" for each in thought.planted)
        for claim in claims_in(thought.text, knows):
            hits = [each for each in thought.planted if claim.start < each.end and each.start < claim.end]
            wrong = {(thought.text, each.start) for each in hits if each.right is False}
            assert claim.right or wrong, (thought.text[claim.start : claim.end], claim.truth)
            struck |= wrong if not claim.right else set()
            marked |= {(thought.text, each.start) for each in hits if each.kind == "opinion"}
    assert len(struck) > 0.95 * false > 300
    assert len(marked) < 0.005 * opinions


def test_a_sentence_in_other_words_is_struck_only_if_it_is_false() -> None:
    for knows, thought in written_thoughts("paraphrases"):
        struck = [thought.text[each.start : each.end] for each in claims_in(thought.text, knows) if not each.right]
        assert bool(struck) == (thought.planted[0].right is False), (thought.text, struck)
