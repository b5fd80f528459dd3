"""`highnoon decisions RECORDING --bot NAME`: shows what a bot knew at each decision, and how many chips its answers
gave up.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from server.app.decisions.decisions import Decision, decisions_of, plain_decision
from server.app.recordings.open import find_bot, open_recording
from server.console import print_json, say
from server.errors import Refusal
from server.text.characters import printable

MAX_LISTED = 20
"""The maximum number of decisions to list. The JSON has all of them."""


def decisions(path: Path, name: str, *, as_json: bool) -> int:
    """Prints the costliest decisions of the bot `name` in a recording, or all its decisions as JSON; returns 0.

    Raises OSError, JournalDamaged, or Refusal if there is no such bot or the recording is inconsistent.
    """
    events = [entry.event for entry in open_recording(path).entries]
    _, entrant = find_bot(path, events, name)
    try:
        found = list(decisions_of(events, entrant.bot))
    except (LookupError, ValueError):
        raise Refusal(f"{path} contradicts itself: highnoon verify shows where") from None
    if as_json:
        print_json({"bot": entrant.name, "decisions": [plain_decision(each) for each in found]})
        return 0
    for line in _lines(entrant.name, found):
        say(line)
    return 0


def _lines(name: str, found: Sequence[Decision]) -> Iterator[str]:
    if not found:
        yield f"{printable(name)} had nothing to decide"
        return
    slowest = max(each.think_ms for each in found)
    faults = sum(bool(each.fault) for each in found)
    mean = sum(each.think_ms for each in found) / len(found)
    times = f"{mean:.0f} ms on average, {slowest:,} ms at most"
    yield f"{printable(name)}: {len(found)} decisions, {times}; {faults} faults"
    exact = [each for each in found if each.gave_up is not None]
    costly = sorted((each for each in exact if each.gave_up), key=lambda each: -(each.gave_up or 0))
    if not exact:
        yield "  no call or fold ended the betting, so it is not known exactly how many chips the answers gave up"
        return
    total = sum((each.gave_up or Fraction() for each in exact), Fraction())
    yield f"  {len(exact)} were calls or folds that ended the betting; they gave up {float(total):,.0f} chips in total"
    for each in costly[:MAX_LISTED]:
        yield f"  {_line(each)}"
    if len(costly) > MAX_LISTED:
        yield f"  and {len(costly) - MAX_LISTED} more, which --json lists"


def _line(each: Decision) -> str:
    board = f" on {' '.join(each.board)}" if each.board else ""
    done = {"fold": "folded", "call": "called"}[each.act] + (f" ({each.fault})" if each.fault else "")
    needs, share = (100 * float(part) if part is not None else 0.0 for part in (each.needs, each.share))
    return (
        f"game {each.game} hand {each.hand}: {' '.join(each.cards)}{board}, {each.to_call:,} to call, "
        f"pot {each.pot:,}, needs {needs:.0f} %, had {share:.0f} %: {done}, "
        f"which gave up {float(each.gave_up or 0):,.0f}"
    )
