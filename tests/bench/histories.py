"""Do 10,000 exported hands come out with the same stacks in pokerkit, and is any of 10,000 damaged files a crash?

The peer: pokerkit, whose time stands beside that of our own reader. Exit status 1 if a hand comes out differently.
Run: `make bench BENCH=histories ARGS="--hands 500 --files 500"`; without ARGS all.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.hand_histories.from_recording import Recorded
from server.hand_histories.import_hands import import_hands
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.phh_writer import phh, phhs
from server.hand_histories.standard_rules import unusual
from server.verify.published_hands import prove_published
from tests.bench.common.scales import options, print_machine
from tests.hand_histories.recordings import BEGUN, USUAL, damaged_files, dice_hands, stacks_elsewhere

SPARE = 10
"""Hands played besides, for those in which chips are left over that pokerkit shares out otherwise."""
FILES = sorted((Path(__file__).parents[1] / "data" / "phh").glob("*.phh"))


def main() -> int:
    flags = options(__doc__, hands=10_000, files=10_000)
    print_machine()
    wrong = sum(replayed(antes, -(-flags.hands // len(USUAL))) for antes in USUAL)
    slowest = spoil(flags.files)
    return 0 if wrong == 0 and slowest < 5 else 1


def replayed(antes: str, count: int) -> int:
    """How many of `count` hands pokerkit refuses, or plays to other stacks."""
    played = dice_hands(random.Random(f"bench {antes}"), USUAL[antes], count + SPARE)
    hands = [hand for hand in played if not unusual(hand)][:count]
    texts = [f"[1]\n{phh(hand, BEGUN)}\n" for hand in hands]
    begun = time.perf_counter()
    wrong = sum(not _same(hand, text) for hand, text in zip(hands, texts, strict=True))
    theirs = time.perf_counter() - begun
    begun = time.perf_counter()
    ours = [import_hands(text.encode()) for text in texts]
    mine = time.perf_counter() - begun
    remarks = sum(bool(imported.remarks) for imported in ours)
    peer = f"{wrong} wrong in pokerkit ({1000 * theirs / count:.1f} ms a hand)"
    own = f"{remarks} wrong in ours ({1000 * mine / count:.1f} ms a hand)"
    print(f"{antes}: {len(hands):,} of {len(played):,} hands, {peer}, {own}", flush=True)
    return wrong + remarks


def _same(hand: Recorded, text: str) -> bool:
    try:
        stacks = stacks_elsewhere(text)
    except ValueError as error:
        print(f"refused: {error}")
        return False
    return stacks == [[hand.ended.stacks[seat] for seat in hand.players]]


def spoil(count: int) -> float:
    """The longest that one of `count` damaged files took, in seconds; anything but a refusal or a recording raises."""
    contents = [path.read_bytes() for path in FILES]
    contents.append("\n".join(phhs(dice_hands(random.Random(1), USUAL["antes"], 3), BEGUN)).encode())
    refused, slowest = 0, 0.0
    for content in damaged_files(random.Random("bench"), contents, count):
        begun = time.perf_counter()
        try:
            prove_published(import_hands(content).entries)
        except BadHistory:
            refused += 1
        slowest = max(slowest, time.perf_counter() - begun)
    print(f"{count:,} damaged files: {refused:,} refused, the others prove; the slowest took {1000 * slowest:.0f} ms")
    return slowest


if __name__ == "__main__":
    sys.exit(main())
