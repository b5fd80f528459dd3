"""How often does the checker find false claims of each kind in thoughts (bots' reasons for their acts)?

Reads thoughts in free prose (`tests/data/prose`), whose writers did not know the checker. The checker was improved with
the files in OPEN_FILES. Goals: no true claim is struck out. In OPEN_FILES, at least 95 % of the false claims are struck
out, and at most 0.5 % of the opinions are confirmed or struck out. Run: `make bench BENCH=claims`.
"""

import sys
from collections import Counter

from broadcast.commentary.claims.checker import claims_in
from tests.bench.common.scales import options
from tests.commentary.claims.prose import OPEN_FILES, SEALED_FILE, is_softened, written_thoughts


def report(file: str) -> tuple[float, int, float]:
    """Checks the thoughts in a file. Prints how many claims of each kind were struck out, confirmed or left unmarked,
    and how many false claims are softened by words such as "maybe".

    Returns the share of the false claims that were struck out, the number of true claims that were struck out, and the
    share of the opinions that were confirmed or struck out.
    """
    states = {True: "true", False: "false", None: "opinion"}
    counts, total = Counter[tuple[str, str]](), Counter[str]()
    for knowledge, thought in written_thoughts(file):
        claims = claims_in(thought.text, knowledge)
        for label in thought.labels:
            if label.kind.startswith("chance"):
                continue  # a bot's estimate of its chance is not a claim
            overlaps = [each for each in claims if each.start < label.end and label.start < each.end]
            outcome = "struck" if not all(each.right for each in overlaps) else "confirmed" if overlaps else "left"
            if label.right is False and outcome != "struck" and is_softened(thought, label):
                outcome = "softened"  # a softened statement is less than a claim
            counts[label.kind, f"{states[label.right]} {outcome}"] += 1
    for (_, judgement), amount in counts.items():
        total[judgement] += amount
        total[judgement.split()[0]] += amount
    for kind in sorted({kind for kind, _ in counts}):
        cells = [f"{amount} {judgement}" for (each, judgement), amount in sorted(counts.items()) if each == kind]
        print(f"| {file} | {kind} | {', '.join(cells)} |")
    struck, marked_opinions = total["false struck"] / total["false"], 1 - total["opinion left"] / total["opinion"]
    print(f"{file}: {struck:.1%} of {total['false']} false struck, {total['false softened']} softened")
    print(f"{file}: {total['true struck']} of {total['true']} true struck, goal 0; {total['true confirmed']} confirmed")
    print(f"{file}: {marked_opinions:.2%} of {total['opinion']} opinions marked, {total['opinion struck']} struck")
    return struck, total["true struck"], marked_opinions


if __name__ == "__main__":
    options(__doc__)
    reports = {file: report(file) for file in (*OPEN_FILES, SEALED_FILE)}
    is_goal_missed = any(reports[file][0] < 0.95 or reports[file][2] > 0.005 for file in OPEN_FILES)
    sys.exit(is_goal_missed or any(struck_true_claims for _, struck_true_claims, _ in reports.values()))
