"""Finds the bots that stand out in the statistics, and says in what way each of them stands out. No I/O."""

from collections.abc import Callable, Iterable

from broadcast.on_air.shared_types import BotStatistics, Notice, ReadingScores
from server.text.grammar import count_text

MIN_HANDS = 10
"""Styles before the flop are compared only among bots with at least this many hands."""
MIN_ANSWERS = 20
MIN_ACTS = 10
MIN_SHOWDOWNS = 5
SMALLEST_POT = 500
"""A pot of fewer chips than this is not worth a notice."""
SLOW_MS = 200
"""Thinking times are compared only if some bot takes at least this many milliseconds on average."""
MIN_CLAIMS = 20
"""Only bots with at least this many claims in their thoughts are compared by how many of the claims are true."""
SMALLEST_LUCK = 500
"""Good or bad luck of fewer chips than this is not worth a notice."""


def vpip(row: BotStatistics) -> float:
    """VPIP, from 0 to 1: how often a bot put chips in voluntarily before the flop when it could."""
    return row.vpip / row.vpip_chances if row.vpip_chances else 0.0


def pfr(row: BotStatistics) -> float:
    """PFR, from 0 to 1: how often a bot raised before the flop when it could."""
    return row.pfr / row.pfr_chances if row.pfr_chances else 0.0


def aggression(row: BotStatistics) -> float:
    """Aggression after the flop, from 0 to 1: the share of bets and raises among all actions other than checks."""
    return row.aggressive / row.aggressive_chances if row.aggressive_chances else 0.0


def average_think_ms(row: BotStatistics) -> float:
    """Average thinking time, in milliseconds."""
    return row.think_ms / row.answers if row.answers else 0.0


def find_notices(rows: Iterable[BotStatistics]) -> list[Notice]:
    """Returns the notices on bots that stand out, at most one for each title such as "Loosest".

    A title is left out if bots tie for it, or if too few hands have been played. `rows` has one row for each bot.
    """
    bots = list(rows)
    experienced = [row for row in bots if row.hands >= MIN_HANDS and row.pfr_chances]
    timed = [row for row in bots if row.answers >= MIN_ANSWERS]
    timed = timed if max(map(average_think_ms, timed), default=0) >= SLOW_MS else []
    bold = [row for row in bots if row.aggressive_chances >= MIN_ACTS]
    shown = [row for row in bots if row.showdowns >= MIN_SHOWDOWNS and 2 * row.showdowns_won > row.showdowns]
    lucky = [row for row in bots if row.earned is not None and abs(row.luck) >= SMALLEST_LUCK]
    big, faulty = [row for row in bots if row.biggest_pot >= SMALLEST_POT], [row for row in bots if row.faults > 1]
    lucky_bots, unlucky_bots = [row for row in lucky if row.luck > 0], [row for row in lucky if row.luck < 0]
    found = (
        notice_for_best("Biggest pot", big, lambda row: row.biggest_pot, _pot_words),
        notice_for_best("Loosest", experienced, vpip, lambda row: f"plays {share_text(vpip(row))} of hands"),
        notice_for_best(
            "Tightest", experienced, lambda row: -vpip(row), lambda row: f"plays {share_text(vpip(row))} of hands"
        ),
        notice_for_best(
            "Boldest", bold, aggression, lambda row: f"bets or raises {share_text(aggression(row))} of the time"
        ),
        notice_for_best("Raises most", experienced, pfr, lambda row: f"{share_text(pfr(row))} of hands"),
        notice_for_best("Showdowns", shown, lambda row: row.showdowns_won / row.showdowns, showdown_words),
        notice_for_best("Luckiest", lucky_bots, lambda row: row.luck, lambda row: f"{row.luck:,} chips up on luck"),
        notice_for_best(
            "Unluckiest", unlucky_bots, lambda row: -row.luck, lambda row: f"{-row.luck:,} chips lost to bad luck"
        ),
        notice_for_best(
            "Quickest gun", timed, lambda row: -average_think_ms(row), lambda row: _seconds(average_think_ms(row))
        ),
        notice_for_best("Deepest thinker", timed, average_think_ms, lambda row: _seconds(average_think_ms(row))),
        notice_for_best("Most misfires", faulty, lambda row: row.faults, lambda row: count_text(row.faults, "fault")),
        *truth_notices(bots),
    )
    return [notice for notice in found if notice]


def truth_notices(rows: Iterable[BotStatistics]) -> tuple[Notice | None, Notice | None]:
    """Returns the notices on the bots with the smallest and the largest share of false claims in their thoughts, if at
    least two bots have made enough claims. A row's `reading` counts these claims.
    """
    telling = [row for row in rows if row.reading and row.reading.claims >= MIN_CLAIMS]
    telling = telling if len(telling) > 1 else []
    lying = [row for row in telling if _false_share(row)]
    return (
        notice_for_best("Straightest shooter", telling, lambda row: -_false_share(row), _truth_words),
        notice_for_best("Tallest tale", lying, _false_share, _tale_words),
    )


def notice_for_best(
    title: str,
    rows: list[BotStatistics],
    measure: Callable[[BotStatistics], float],
    describe: Callable[[BotStatistics], str],
) -> Notice | None:
    """Returns the notice that gives `title` to the bot with the highest `measure`. `describe` writes the rest of the
    notice.

    Returns None if `rows` is empty, or if several bots have the highest measure.
    """
    if not rows:
        return None
    first, *rest = sorted(rows, key=measure, reverse=True)
    is_tied = bool(rest) and measure(rest[0]) == measure(first)
    return None if is_tied else Notice(title, first.bot, describe(first))


def share_text(part: float) -> str:
    """Writes a share, given from 0 to 1, in percent: "44%"."""
    return f"{round(100 * part)}%"


def _false_share(row: BotStatistics) -> float:
    return row.reading.false_claims / row.reading.claims if row.reading and row.reading.claims else 0.0


def _truth_words(row: BotStatistics) -> str:
    scores = row.reading or ReadingScores()
    return f"{scores.claims - scores.false_claims:,} of {count_text(scores.claims, 'claim')} in its thoughts were true"


def _tale_words(row: BotStatistics) -> str:
    scores = row.reading or ReadingScores()
    return f"{scores.false_claims:,} of {count_text(scores.claims, 'claim')} in its thoughts were false"


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.1f} seconds a decision"


def _pot_words(row: BotStatistics) -> str:
    return f"{row.biggest_pot:,}{f' with {row.biggest_with}' if row.biggest_with else ''}"


def showdown_words(row: BotStatistics) -> str:
    """Says how many of its showdowns a bot has won: "won 4 of 9"."""
    return f"won {row.showdowns_won} of {row.showdowns}"
