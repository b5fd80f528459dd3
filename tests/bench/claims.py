"""Are false claims in thoughts found, and only these? Reads 2,000 thoughts with planted claims on hands really played.

Run: `make bench BENCH=claims`; shorter: `ARGS="--thoughts 200"`. The goals: at least 95 % of the false claims struck,
no true one struck, and at most 0.5 % of the opinions marked. `--show` prints what went wrong. Then reads thoughts in
free prose, whose writer had not seen the checker (`tests/data/prose`): no true claim may be struck there.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterable

from broadcast.commentary.claims.checker import claims_in
from broadcast.commentary.claims.speech.known import Known
from tests.bench.common.scales import options, print_machine
from tests.commentary.claims.planted import Thought, thoughts
from tests.commentary.claims.prose import HALVES, SEALED, is_softened, written_thoughts
from tests.commentary.claims.situations import BOTS, situations

CONTESTS = (*BOTS, "enova", "arena")


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    chosen = options(__doc__, thoughts=2000, show=0, seed=1)
    print_machine()
    known = [each for contest in CONTESTS for seed in (11, 12, 13) for each in situations(contest, seed).values()]
    counts, spent = read(thoughts(known, chosen.thoughts, random.Random(chosen.seed)), chosen.show)
    struck, true_struck, marked = report("planted", counts)
    print("goals: 95 % of the false claims struck, at most 0.5 % of the opinions marked")
    print(f"{1000 * spent / chosen.thoughts:.2f} ms a thought")
    prose = [report(f"{half} half", read(written_thoughts(half))[0]) for half in (*HALVES, SEALED)]
    return int(struck < 0.95 or marked > 0.005 or true_struck + sum(wrong for _, wrong, _ in prose) > 0)


def read(said: Iterable[tuple[Known, Thought]], show: int = 0) -> tuple[Counter[tuple[str, str]], float]:
    """Checks thoughts; returns how often each kind of claim was judged in which way, and the seconds that this took.

    Prints the first `show` claims that were not judged right.
    """
    counts, spent = Counter[tuple[str, str]](), 0.0
    for knows, thought in said:
        started = time.perf_counter()
        claims = claims_in(thought.text, knows)
        spent += time.perf_counter() - started
        for planted in thought.planted:
            if planted.kind.startswith("chance"):
                continue  # estimates are no claims
            marked = [each for each in claims if each.start < planted.end and planted.start < each.end]
            struck = [each for each in marked if not each.right]
            state = {True: "true", False: "false", None: "opinion"}[planted.right]
            outcome = "struck" if struck else "confirmed" if marked else "left"
            if planted.right is False and not struck and is_softened(thought, planted):
                outcome = "softened"
            counts[planted.kind, f"{state} {outcome}"] += 1
            if outcome != {"true": "confirmed", "false": "struck", "opinion": "left"}[state] and show:
                show -= 1
                words = thought.text[planted.start : planted.end]
                truths = [(thought.text[each.start : each.end], each.truth) for each in marked]
                print(f"{state} {outcome}: {words!r} {truths} {knows.cards} {knows.board} {knows.acts[-3:]}")
    return counts, spent


def report(name: str, counts: Counter[tuple[str, str]]) -> tuple[float, int, float]:
    """Prints a line for each kind of claim, and their sums.

    Returns the part of the false claims that were struck, how many true ones were struck, and the part of the opinions
    that were marked.
    """
    states = [f"false {outcome}" for outcome in ("struck", "softened", "confirmed", "left")]
    states += [f"true {outcome}" for outcome in ("struck", "confirmed", "left")]
    print(f"| {name:12} |", " | ".join(states), "|")
    for kind in sorted({kind for kind, _ in counts} - {"opinion"}):
        print(f"| {kind:12} |", " | ".join(f"{counts[kind, state]:{len(state)}}" for state in states), "|")
    total = Counter[str]()
    for (_, state), amount in counts.items():
        total[state] += amount
    false, true, opinions = (
        sum(amount for state, amount in total.items() if state.startswith(what))
        for what in ("false", "true", "opinion")
    )
    struck, marked = total["false struck"] / false, (opinions - total["opinion left"]) / opinions
    print(f"{name}: {struck:.1%} of {false} false struck, {total['false softened']} softened")
    print(f"{name}: {total['true struck']} true struck, goal 0; {total['true confirmed'] / true:.1%} of {true} found")
    print(f"{name}: {marked:.2%} of {opinions} opinions marked, {total['opinion struck']} struck")
    return struck, total["true struck"], marked


if __name__ == "__main__":
    sys.exit(main())
