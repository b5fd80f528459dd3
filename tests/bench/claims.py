"""Are false claims in thoughts found, and only these? Reads 2,000 thoughts with planted claims on hands really played.

Run: `make bench BENCH=claims`; shorter: `ARGS="--thoughts 200"`. The goals: at least 95 % of the false claims struck,
no true one struck, and at most 0.5 % of the opinions marked. `--show` prints what went wrong.
"""

import random
import sys
import time
from collections import Counter

from broadcast.commentary.claims.checker import claims_in
from tests.bench.common.scales import options, print_machine
from tests.commentary.claims.planted import thoughts
from tests.commentary.claims.situations import BOTS, situations

CONTESTS = (*BOTS, "enova", "arena")


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    chosen = options(__doc__, thoughts=2000, show=0, seed=1)
    print_machine()
    known = [each for contest in CONTESTS for seed in (11, 12, 13) for each in situations(contest, seed).values()]
    counts, spent = Counter[tuple[str, str]](), 0.0
    for knows, thought in thoughts(known, chosen.thoughts, random.Random(chosen.seed)):
        started = time.perf_counter()
        claims = claims_in(thought.text, knows)
        spent += time.perf_counter() - started
        for planted in thought.planted:
            marked = [each for each in claims if each.start < planted.end and planted.start < each.end]
            struck = [each for each in marked if not each.right]
            state = {True: "true", False: "false", None: "opinion"}[planted.right]
            outcome = "struck" if struck else "confirmed" if marked else "left"
            counts[planted.kind, f"{state} {outcome}"] += 1
            if outcome != {"true": "confirmed", "false": "struck", "opinion": "left"}[state] and chosen.show:
                chosen.show -= 1
                words = thought.text[planted.start : planted.end]
                truths = [(thought.text[each.start : each.end], each.truth) for each in marked]
                print(f"{state} {outcome}: {words!r} {truths} {knows.cards} {knows.board} {knows.acts[-3:]}")
    return report(counts, chosen.thoughts, spent)


def report(counts: Counter[tuple[str, str]], number: int, spent: float) -> int:
    """Prints a line for each kind, and whether the goals are met; returns the exit status."""
    states = [f"{state} {outcome}" for state in ("false", "true") for outcome in ("struck", "confirmed", "left")]
    print(f"| {'kind':10} |", " | ".join(states), "|")
    for kind in sorted({kind for kind, _ in counts} - {"opinion"}):
        print(f"| {kind:10} |", " | ".join(f"{counts[kind, state]:{len(state)}}" for state in states), "|")
    total = Counter[str]()
    for (_, state), amount in counts.items():
        total[state] += amount
    false = sum(total[f"false {outcome}"] for outcome in ("struck", "confirmed", "left"))
    opinions = sum(total[f"opinion {outcome}"] for outcome in ("struck", "confirmed", "left"))
    marked = opinions - total["opinion left"]
    print(f"{total['false struck'] / false:.1%} of {false} false claims struck, goal 95 %")
    print(f"{total['true struck']} true claims struck, goal 0")
    print(f"{marked / opinions:.2%} of {opinions} opinions marked, goal at most 0.5 %")
    print(f"{1000 * spent / number:.2f} ms a thought")
    return int(total["false struck"] < 0.95 * false or total["true struck"] > 0 or marked > 0.005 * opinions)


if __name__ == "__main__":
    sys.exit(main())
