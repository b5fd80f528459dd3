"""Promises about attackers: at the sockets, and inside a box."""

from tests.bench.floods import BACK_SECONDS, DESK_SECONDS, MOST_TIMES, Latencies, measured, tell
from tests.bench.hostile import weighed
from tests.bench.promised.outcome import Outcome


def held_off(seconds: int = 30) -> Outcome:
    """Floods, dead handshakes, readers of nothing and chatting bots against an evening, beside a quiet time."""
    found, stayed = measured(seconds)
    quiet = found.pop("quiet")
    for kind, each in found.items():
        tell(kind, each, quiet)
    missed = sum(_missed(each, quiet) for each in found.values()) + (not stayed)
    bots = max(each.bots for each in found.values()) / quiet.bots
    viewers = max(each.viewers for each in found.values()) / quiet.viewers
    desk = max(each.desk for each in found.values())
    figure = f"at worst bots {bots:.1f}x, viewers {viewers:.1f}x their quiet p99, the desk {desk:.1f} s"
    goal = f"{MOST_TIMES:.0f}x, {DESK_SECONDS:.0f} s, all given back in {BACK_SECONDS:.0f} s"
    return Outcome("kinds of attack", len(found), missed, figure, goal)


def _missed(found: Latencies, quiet: Latencies) -> int:
    """How many of the four goals an attack kept from being reached."""
    return sum(
        (
            found.bots > MOST_TIMES * quiet.bots,
            found.viewers > MOST_TIMES * quiet.viewers,
            found.desk > DESK_SECONDS,
            found.back > BACK_SECONDS,
        )
    )


def boxed_in(questions: int = 300) -> Outcome:
    """Fourteen hostile bots in each kind of box that this machine has, beside three honest ones."""
    boxes, escaped = weighed(3, questions)
    return Outcome("boxes with a hostile bot", boxes, escaped, "others answer on", "all contained")
