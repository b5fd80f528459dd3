"""Records random hands, plays PHH files (poker hand histories) with the library pokerkit, and damages files."""

import random
from collections.abc import Iterator, Sequence

from pokerkit import HandHistory

from server.game.cards import DECK
from server.game.formats import Format, StagePlan
from server.game.rules import Level, Rules
from server.hand_histories.formats import read_history
from server.hand_histories.from_recording import HandRecord, recorded_hands
from server.hand_histories.phh_reader import PublishedHand
from tests.support.games.contests import play_contest

START_TIME = "2026-06-22T20:00:00.000+00:00"
USUAL_RULES = {
    "no ante": Rules(levels=(Level(50, 100),)),
    "antes": Rules(levels=(Level(50, 100, 10),)),
    "an ante of the big blind": Rules(levels=(Level(50, 100, 100),), ante_from="big_blind"),
    "a cap": Rules(levels=(Level(50, 100),), hand_cap=1000),
}
"""Variants of the standard rules that PHH can express."""


def hands_of(content: bytes) -> list[PublishedHand]:
    """Reads the usable hands of a file. Fails if there is none."""
    hands = [hand for hand in read_history(content) if isinstance(hand, PublishedHand)]
    assert hands
    return hands


def play_random_hands(dice: random.Random, rules: Rules, hands: int) -> list[HandRecord]:
    """Returns `hands` faultless hands of 2 to 9 bots. Each bot with chips can pay the big blind and the ante."""
    big_and_ante, stages = rules.levels[0].big + rules.levels[0].ante, (StagePlan("Hands", games=1, hands=9),)
    recorded = list[HandRecord]()
    while len(recorded) < hands:
        contest = Format("practice", "By dice", rules, dice.choice((2 * big_and_ante, 9 * big_and_ante, 4000)), stages)
        played = recorded_hands(play_contest(dice.randrange(1 << 32), dice.randint(2, 9), contest))
        faultless = [hand for hand in played if not any(act.fault for act in hand.acts)]
        recorded += [hand for hand in faultless if min(filter(None, hand.started.stacks)) >= big_and_ante]
    return recorded[:hands]


def stacks_in_pokerkit(text: str) -> list[list[int]]:
    """Plays a file of hands (.phhs) in pokerkit. Returns the final stacks. Raises ValueError if a hand is not over."""
    stacks = []
    for history in HandHistory.loads_all(text):
        *_, final_state = history
        if final_state.status:
            raise ValueError(f"hand {history.hand} does not end")
        stacks.append([int(stack) for stack in final_state.stacks])
    return stacks


WORDS_OF_DAMAGE = (
    "inf", "nan", "-1", "1e400", "1e-400", "0x" + "f" * 5000, "9" * 5000, "true", "'x'", "[]", "{}", "[[[[[[[[",
    '"p99 cc"', '"p1 cbr 1e9"', '"p1 cbr -5"', '"p0 f"', '"d db AsAs"', '"d dh p1 ????"', '"p1 sm"', "[1]", "variant",
    "a.b.c.d.e", '"FT"', "\\u0000", '"""', "#", "=", ",", "1000000000", "0.5", "0.12345", "1979-05-27",
    '_rules = {min_raise = "one_chip", blinds = "asked"}', '_faults = ["timeout"]', "_think_ms = [99999999999999]",
    "_rules = {raise_laps = -3}",
)  # fmt: skip


def _damage(dice: random.Random, content: bytes) -> bytes:
    """Damages a file's content once: cuts off its end, alters a byte, or drops, repeats or alters a word or action."""
    separator = dice.choice((b"', '", b"', '", b" "))
    parts = content.split(separator)
    index = dice.randrange(len(parts))
    match dice.randrange(6):
        case 0:
            return content[: dice.randrange(len(content) + 1)]
        case 1:
            byte = dice.randrange(len(content) + 1)
            new_byte = dice.choice((dice.randrange(256), *b"0123456789pcfr?\"',[]"))
            return content[:byte] + bytes([new_byte]) + content[byte + 1 :]
        case 2:
            del parts[index]
        case 3:
            parts.insert(index, parts[index])
        case 4:
            parts[index] = dice.choice(WORDS_OF_DAMAGE).encode()
        case _:
            old, new = dice.choice((dice.sample(DECK, 2), [f"p{dice.randint(1, 6)}", f"p{dice.randint(1, 7)}"]))
            parts[index] = parts[index].replace(old.encode(), new.encode())
    return separator.join(parts)


def damaged_files(dice: random.Random, contents: Sequence[bytes], count: int) -> Iterator[bytes]:
    """Yields `count` files, each of them damaged once or twice."""
    for _ in range(count):
        content = _damage(dice, dice.choice(contents))
        yield _damage(dice, content) if dice.random() < 0.5 else content
