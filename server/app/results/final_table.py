"""The final table of an event, or the standing so far, as text for the terminal."""

from collections.abc import Sequence

from server.app.results.results import Results, Row
from server.console import dollars, plain
from server.text.grammar import short_name


def final_table(results: Results) -> str:
    """The final table, or the standing so far, as text: place, bot, player, chips, prize, and why.

    In a series, games won stand in place of chips, and a second table says how each bot answered.
    """
    series = any(row.tally for row in results.rows)
    wide = max([len(short_name(row.player)) for row in results.rows] + [6])
    rows = [f"{'place':>5}  {'bot':<30}  {'player':<{wide}}  {'won' if series else 'chips':>7}  {'prize':>8}"]
    for row in results.rows:
        place = f"{row.place}" if row.decided else f"({row.place})"
        prize = dollars(row.prize_cents) if row.prize_cents else ""
        reached = row.tally.games_won if row.tally else row.chips
        name, player = short_name(row.name), short_name(row.player)
        line = f"{place:>5}  {name:<30}  {player:<{wide}}  {reached:>7,}  {prize:>8}  {row.note}"
        rows.append(plain(line.rstrip()))
    if series:
        rows += ["", *_answers(results.rows), ""]
    if not results.finished:
        rows.append(f"so far: {plain(results.doing)}")
    return "\n".join([*rows, *map(plain, results.remarks)])


def _answers(rows: Sequence[Row]) -> list[str]:
    """How each bot answered, as text."""
    lines = [f"{'bot':<30}  {'actions':>7}  {'mean time':>9}  {'timeouts':>8}  {'errors':>6}  {'share':>6}"]
    for row in rows:
        if one := row.tally:
            time, share = f"{one.mean_think_ms:,} ms", f"{one.action_error_share:.1%}"
            counts = f"{one.actions:>7,}  {time:>9}  {one.timeouts:>8,}  {one.action_errors:>6,}  {share:>6}"
            lines.append(plain(f"{short_name(row.name):<30}  {counts}"))
    return lines
