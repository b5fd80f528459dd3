"""How often are false claims in thoughts found, by kind of claim?

Reads 2,000 thoughts with planted claims about hands that were really played. Also reads thoughts in free prose
(`tests/data/prose`), whose writer did not know the checker. Goals: of the planted claims, at least 95 % of the false
ones and none of the true ones are struck. At most 0.5 % of the opinions are marked.
Run: `make bench BENCH=claims`; shorter: `ARGS="--thoughts 200"`.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable

from broadcast.commentary.claims.checker import claims_in
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from tests.bench.common.scales import options
from tests.commentary.claims.planted import BOT_COUNTS, Thought, situations, thoughts
from tests.commentary.claims.prose import HALVES, SEALED, is_softened, written_thoughts


def report(name: str, labelled: Iterable[tuple[BotKnowledge, Thought]]) -> tuple[float, int, float]:
    """Checks thoughts, and prints how often each kind of claim was judged in which way.

    Returns the share of the false claims that were struck, the number of true ones that were struck, and the share of
    the opinions that were marked.
    """
    states = {True: "true", False: "false", None: "opinion"}
    counts, total = Counter[tuple[str, str]](), Counter[str]()
    for knows, thought in labelled:
        claims = claims_in(thought.text, knows)
        for planted in thought.planted:
            if planted.kind.startswith("chance"):
                continue  # estimates are no claims
            marked = [each for each in claims if each.start < planted.end and planted.start < each.end]
            outcome = "struck" if not all(each.right for each in marked) else "confirmed" if marked else "left"
            if planted.right is False and outcome != "struck" and is_softened(thought, planted):
                outcome = "softened"
            counts[planted.kind, f"{states[planted.right]} {outcome}"] += 1
    for (_, judged), amount in counts.items():
        total[judged] += amount
        total[judged.split()[0]] += amount
    for kind in sorted({kind for kind, _ in counts}):
        cells = [f"{amount} {judged}" for (each, judged), amount in sorted(counts.items()) if each == kind]
        print(f"| {name} | {kind} | {', '.join(cells)} |")
    struck, marked_opinions = total["false struck"] / total["false"], 1 - total["opinion left"] / total["opinion"]
    print(f"{name}: {struck:.1%} of {total['false']} false struck, {total['false softened']} softened")
    print(f"{name}: {total['true struck']} of {total['true']} true struck, goal 0; {total['true confirmed']} confirmed")
    print(f"{name}: {marked_opinions:.2%} of {total['opinion']} opinions marked, {total['opinion struck']} struck")
    return struck, total["true struck"], marked_opinions


if __name__ == "__main__":
    flags = options(__doc__, thoughts=2000, seed=1)
    contests = (*BOT_COUNTS, "enova", "arena")
    known = [each for contest in contests for seed in (11, 12, 13) for each in situations(contest, seed)]
    planted = report("planted", thoughts(known, flags.thoughts, random.Random(flags.seed)))
    prose = [report(f"{half} half", written_thoughts(half)) for half in (*HALVES, SEALED)]
    sys.exit(planted[0] < 0.95 or planted[2] > 0.005 or any(wrong for _, wrong, _ in (planted, *prose)))
