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
    failed = report(counts, chosen.thoughts, spent)
    for half in (*HALVES, SEALED):
        counts, _ = read(written_thoughts(half))
        failed |= report_prose(half, counts)
    return failed


def read(said: Iterable[tuple[Known, Thought]], show: int = 0) -> tuple[Counter[tuple[str, str]], float]:
    """Checks thoughts; returns what became of each kind of claim, and the seconds that it took.

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


def report_prose(half: str, counts: Counter[tuple[str, str]]) -> int:
    """Prints what was found in a half of the free prose; returns 1 if a true claim was struck, otherwise 0."""
    states = [f"false {outcome}" for outcome in ("struck", "softened", "confirmed", "left")]
    states += [f"true {outcome}" for outcome in ("struck", "confirmed", "left")]
    print(f"| {half:12} |", " | ".join(states), "|")
    for kind in sorted({kind for kind, _ in counts} - {"opinion"}):
        print(f"| {kind:12} |", " | ".join(f"{counts[kind, state]:{len(state)}}" for state in states), "|")
    total = Counter[str]()
    for (_, state), amount in counts.items():
        total[state] += amount
    false, true, opinions = (
        sum(amount for state, amount in total.items() if state.startswith(what))
        for what in ("false", "true", "opinion")
    )
    print(
        f"{half} half: {total['false struck'] / false:.1%} of {false} false struck, {total['false softened']} softened"
    )
    print(
        f"{half} half: {total['true struck']} true struck, goal 0; {total['true confirmed'] / true:.1%} of {true} found"
    )
    marked = (opinions - total["opinion left"]) / opinions
    print(f"{half} half: {marked:.1%} of {opinions} opinions marked, {total['opinion struck']} struck")
    return int(total["true struck"] > 0)


def report(counts: Counter[tuple[str, str]], number: int, spent: float) -> int:
    """Prints a line for each kind, and whether the goals are met; returns the exit status."""
    states = [f"{state} {outcome}" for state in ("false", "true") for outcome in ("struck", "confirmed", "left")]
    print(f"| {'kind':10} |", " | ".join(states), "|")
    for kind in sorted({kind for kind, _ in counts} - {"opinion"}):
        print(f"| {kind:10} |", " | ".join(f"{counts[kind, state]:{len(state)}}" for state in states), "|")
    total = Counter[str]()
    for (_, state), amount in counts.items():
        total[state] += amount
    false = sum(total[f"false {outcome}"] for outcome in ("struck", "softened", "confirmed", "left"))
    opinions = sum(total[f"opinion {outcome}"] for outcome in ("struck", "confirmed", "left"))
    marked = opinions - total["opinion left"]
    print(f"{total['false struck'] / false:.1%} of {false} false claims struck, goal 95 %")
    print(f"{total['true struck']} true claims struck, goal 0")
    print(f"{marked / opinions:.2%} of {opinions} opinions marked, goal at most 0.5 %")
    print(f"{1000 * spent / number:.2f} ms a thought")
    return int(total["false struck"] < 0.95 * false or total["true struck"] > 0 or marked > 0.005 * opinions)


if __name__ == "__main__":
    sys.exit(main())
