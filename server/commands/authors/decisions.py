"""`highnoon decisions RECORDING --bot NAME`: shows what a bot knew at each decision, and how many chips its answer cost
it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from server.app.decisions.decisions import Decision, decision_to_json, decisions_of
from server.app.recordings.recording_files import find_bot, open_recording
from server.console import print_json, say
from server.errors import Refusal
from server.text.characters import printable

MAX_LISTED = 20
"""At most this many decisions are listed as text. As JSON, all decisions are printed."""


def decisions(path: Path, name: str, *, as_json: bool) -> int:
    """Prints the costliest decisions of the bot `name` in a recording. With `as_json`, prints all its decisions as
    JSON. Returns 0.

    Raises OSError, JournalDamaged, or Refusal if there is no such bot or the recording is inconsistent.
    """
    events = [entry.event for entry in open_recording(path).entries]
    _, entrant = find_bot(path, events, name)
    try:
        bot_decisions = list(decisions_of(events, entrant.bot))
    except (LookupError, ValueError):
        raise Refusal(f"{path} contradicts itself: highnoon verify shows where") from None
    if as_json:
        print_json({"bot": entrant.name, "decisions": [decision_to_json(decision) for decision in bot_decisions]})
        return 0
    for line in _summary_lines(entrant.name, bot_decisions):
        say(line)
    return 0


def _summary_lines(name: str, bot_decisions: Sequence[Decision]) -> Iterator[str]:
    """Yields the lines of text. How many chips an answer gave up is known only if a call would end the betting."""
    if not bot_decisions:
        yield f"{printable(name)} had nothing to decide"
        return
    slowest = max(decision.think_ms for decision in bot_decisions)
    faults = sum(bool(decision.fault) for decision in bot_decisions)
    mean = sum(decision.think_ms for decision in bot_decisions) / len(bot_decisions)
    times = f"{mean:.0f} ms on average, {slowest:,} ms at most"
    yield f"{printable(name)}: {len(bot_decisions)} decisions, {times}; {faults} faults"
    with_cost = [decision for decision in bot_decisions if decision.gave_up is not None]
    costly = sorted(filter(lambda decision: decision.gave_up, with_cost), key=lambda decision: -(decision.gave_up or 0))
    if not with_cost:
        yield "  no call or fold ended the betting, so it is not known exactly how many chips the answers gave up"
        return
    total = float(sum((decision.gave_up or Fraction() for decision in with_cost), Fraction()))
    yield f"  {len(with_cost)} were calls or folds that ended the betting; they gave up {total:,.0f} chips in total"
    for decision in costly[:MAX_LISTED]:
        yield f"  {_describe_decision(decision)}"
    if len(costly) > MAX_LISTED:
        yield f"  and {len(costly) - MAX_LISTED} more, which --json lists"


def _describe_decision(decision: Decision) -> str:
    board = f" on {' '.join(decision.board)}" if decision.board else ""
    fault = f" ({decision.fault})" if decision.fault else ""
    answer_text = {"fold": "folded", "call": "called"}[decision.act] + fault
    needs, share = (100 * float(part) if part is not None else 0.0 for part in (decision.needs, decision.share))
    return (
        f"game {decision.game} hand {decision.hand}: {' '.join(decision.cards)}{board}, {decision.to_call:,} to call, "
        f"pot {decision.pot:,}, needs {needs:.0f} %, had {share:.0f} %: {answer_text}, "
        f"which gave up {float(decision.gave_up or 0):,.0f}"
    )
