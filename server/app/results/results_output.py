"""Shows the results of a contest as a page, as JSON and as text. Prints a contest's progress in the terminal."""

from collections.abc import Callable, Sequence

from fastapi import APIRouter, Request
from fastapi.responses import Response
from msgspec.structs import asdict

from broadcast.api.answers import json_with_etag
from broadcast.on_air.shared_types import ReadingScores
from broadcast.show_pages import bot_address
from broadcast.web.answers import Answer, AnswerCache, compressed_answer
from broadcast.web.routes import Route
from broadcast.web.templates import page_templates
from server.app.results.deal_pace import DealPace
from server.app.results.results import Results, Row
from server.bots.dialects.messages import MILLION
from server.console import ProgressLine, dollars_and_cents, say
from server.game.events import DealEnded, DecidedBy, GameStarted, HandStarted, StageStarted, TournamentEnded
from server.journal.bus import Bus
from server.text.characters import printable
from server.text.grammar import out_of, short_name

RELOAD_SECONDS = 15
"""How many seconds pass before the page of a running contest reloads."""
CHANCES_NOTE = {
    "chips": "These chances come from chips won. The command highnoon luck compares chips earned; its chances differ.",
    "earned": "These chances come from chips earned.",
}
_EARNED_PARTS = ("own", "luck", "others")
"""The parts of what a bot won in deals: by its own play, by the luck of the board, and by the play of others before the
bot's first decision.
"""
_PARTS_NOTE = "won = luck + earned, and earned = own + others; in percent, each part's share of the interval's width"

SELF_REPORTED_NOTE = "Tokens and costs are what the bots say themselves."


def results_router(results: Callable[[], Results], reload_seconds: int = RELOAD_SECONDS) -> APIRouter:
    """Returns the routes of the results page and of the results as JSON. The page reloads every `reload_seconds`
    seconds until the contest is over.

    `results` returns the public results. It must return the same object until the results change.
    """
    router = APIRouter(route_class=Route)
    template = page_templates().get_template("shared/results.html")
    cache = AnswerCache()

    def page(request: Request, current_results: Results) -> Answer:
        values = {
            "results": current_results,
            "dollars": dollars_and_cents,
            "chance": chance_text,
            "spending": spending_texts,
            "by_own_account": SELF_REPORTED_NOTE,
            "compared_by": CHANCES_NOTE[_decided_by(current_results.rows)],
            "by_earned": _decided_by(current_results.rows) == "earned",
            "bot_address": bot_address,
            "again": reload_seconds,
        }
        text = template.render(request=request, **values)
        return compressed_answer(text.encode())

    @router.get("/results")
    async def as_page(request: Request) -> Response:
        """The final results, or the standings so far."""
        current_results = results()
        return (await cache.get("page", current_results, lambda: page(request, current_results))).response_for(request)

    @router.get("/api/v1/results", response_model=Results, tags=["Shows"])
    @router.get("/results.json", response_model=Results)
    async def as_json(request: Request) -> Response:
        """The results for programs. Prizes are in cents."""
        current_results = results()
        answer = await cache.get("json", current_results, lambda: json_with_etag(current_results))
        return answer.response_for(request)

    return router


def results_table(results: Results) -> str:
    """Returns the final results, or the standings so far, as text.

    For a series (separate games, ranked by wins), the text includes games won and answer statistics. For a stage of
    deals, the text includes the chance that each bot is better than each other bot. If bots gave thoughts, the text
    says how many of their claims were false.
    """
    is_series = any(row.tally for row in results.rows)
    player_width = max([len(short_name(row.player)) for row in results.rows] + [6])
    amount_heading = "won" if is_series or any(row.deals for row in results.rows) else "chips"
    amount_heading = "earned" if _decided_by(results.rows) == "earned" else amount_heading
    rows = [f"{'place':>5}  {'bot':<30}  {'player':<{player_width}}  {amount_heading:>7}  {'prize':>8}"]
    for row in results.rows:
        place = f"{row.place}" if row.decided else f"({row.place})"
        prize = dollars_and_cents(row.prize_cents) if row.prize_cents else ""
        reached = row.tally.games_won if row.tally else row.chips
        name, player = short_name(row.name), short_name(row.player)
        line = f"{place:>5}  {name:<30}  {player:<{player_width}}  {reached:>7,}  {prize:>8}  {row.note}"
        rows.append(printable(line.rstrip()))
    if is_series:
        rows += ["", *_answer_table(results.rows), ""]
    if any(row.deals for row in results.rows):
        rows += ["", *_deals_table(results.rows), "", *_comparison_table(results.rows)]
    if any(row.reading for row in results.rows):
        rows += ["", *_reading_table(results.rows), "", *_spending_table(results.rows), ""]
    if not results.finished:
        rows.append(f"so far: {printable(results.doing)}")
    return "\n".join([*rows, *map(printable, results.remarks)])


def _answer_table(rows: Sequence[Row]) -> list[str]:
    lines = [f"{'bot':<30}  {'actions':>7}  {'mean time':>9}  {'timeouts':>8}  {'errors':>6}  {'share':>6}"]
    for row in rows:
        if tally := row.tally:
            time, share = f"{tally.mean_think_ms:,} ms", f"{tally.action_error_share:.1%}"
            counts = f"{tally.actions:>7,}  {time:>9}  {tally.timeouts:>8,}  {tally.action_errors:>6,}  {share:>6}"
            lines.append(printable(f"{short_name(row.name):<30}  {counts}"))
    return lines


def _deals_table(rows: Sequence[Row]) -> list[str]:
    parts = "".join(f"  {part:>8}  {'':>4}" for part in _EARNED_PARTS)
    heading = f"{'chips per deal':<30}  {'deals':>5}  {'won':>8}  {'95 % interval':>20}  {'earned':>8}"
    lines = [f"{heading}{parts}  {'best bot':>9}"]
    some_compared = any(row.deals and row.deals.better for row in rows)
    for row in rows:
        if tally := row.deals:
            has_interval = tally.low is not None and tally.high is not None
            interval = f"{tally.low:+,.0f} to {tally.high:+,.0f}" if has_interval else "too early"
            best = chance_text(tally.best) or ("-" if some_compared and not tally.better else "too early")
            shares = {part: f"{share}%" for part, share in asdict(tally.shares).items()} if tally.shares else {}
            parts = "".join(f"  {getattr(tally, part):>+8,.0f}  {shares.get(part, ''):>4}" for part in _EARNED_PARTS)
            amounts = f"{tally.won:>+8,.0f}  {interval:>20}  {tally.earned:>+8,.0f}{parts}  {best:>9}"
            lines.append(printable(f"{short_name(row.name):<30}  {tally.deals:>5,}  {amounts}".rstrip()))
    return [*lines, _PARTS_NOTE]


def _comparison_table(rows: Sequence[Row]) -> list[str]:
    """Returns a table with the chance that each bot is better than each other bot in the long run. The columns are
    numbered by place.
    """
    compared = [row for row in rows if row.deals and row.deals.better]
    if not compared:
        return []
    lines = [f"{'is better than the bot in place':<32}" + "".join(f"{row.place:>7}" for row in compared)]
    for row in compared:
        better = row.deals.better if row.deals else {}
        cells = "".join(f"{chance_text(better.get(other.bot)):>7}" for other in compared)
        lines.append(printable(f"{row.place:>3}  {short_name(row.name):<27}{cells}".rstrip()))
    return [*lines, CHANCES_NOTE[_decided_by(rows)], ""]


def _decided_by(rows: Sequence[Row]) -> DecidedBy:
    """Returns "earned" if the rows are from a stage of deals that ranks bots by earnings, otherwise "chips"."""
    return "earned" if any(row.deals and row.deals.decided_by == "earned" for row in rows) else "chips"


def _reading_table(rows: Sequence[Row]) -> list[str]:
    lines = [f"{'bot':<30}  {'thoughts':>8}  {'claims':>6}  {'false':>6}  {'estimates':>9}  {'Brier':>6}"]
    for row in rows:
        if reading := row.reading:
            brier = f"{reading.brier:.3f}" if reading.brier is not None else ""
            claims = f"{reading.claims:>6,}  {reading.false_claims:>6,}"
            counts = f"{reading.thoughts:>8,}  {claims}  {reading.estimates:>9,}  {brier:>6}"
            lines.append(printable(f"{short_name(row.name):<30}  {counts}".rstrip()))
    return lines


def _spending_table(rows: Sequence[Row]) -> list[str]:
    lines = [f"{'bot':<30}  {'s/answer':>8}  {'s/hand':>8}  {'tokens/hand':>11}  {'cost/hand':>11}"]
    for row in rows:
        if scores := row.reading:
            answer, hand, tokens, cost = spending_texts(scores)
            amounts = f"{answer:>8}  {hand:>8}  {tokens:>11}  {cost:>11}"
            lines.append(printable(f"{short_name(row.name):<30}  {amounts}".rstrip()))
    return [*lines, SELF_REPORTED_NOTE]


def spending_texts(scores: ReadingScores) -> tuple[str, str, str, str]:
    """Returns what a bot spent on thinking, as texts: seconds per answer and per hand, tokens per hand, dollars per
    hand. A text is "" if the amount is unknown.
    """
    seconds, hands = scores.think_ms / 1000, max(1, scores.hands)
    tokens, cost = scores.tokens, scores.cost_millionths
    return (
        f"{seconds / scores.answers:,.2f}" if scores.answers else "",
        f"{seconds / hands:,.2f}",
        "" if tokens is None else f"{tokens / hands:,.0f}",
        "" if cost is None else f"${cost / MILLION / hands:,.5f}",
    )


def chance_text(share: float | None) -> str:
    """Returns a chance from 0 to 1 as a text in percent, or "" if it is unknown. Never returns 0 % or 100 %, because
    chances are estimates.
    """
    if share is None:
        return ""
    return "<1%" if share < 0.01 else ">99%" if share > 0.99 else f"{share:.0%}"


async def follow_progress(bus: Bus, after_seq: int = 0) -> None:
    """Prints the current game and hand until the tournament is over. Begins after entry number `after_seq`.

    In a stage of deals, also prints how much time is left, which `pace` estimates. After a restart, `pace` forgets how
    long earlier deals took.
    """
    line, pace = ProgressLine(), DealPace()
    stage, game, hands, deal = StageStarted(0, "", 0, 0, (), ()), 0, 0, 1
    async for entry in bus.follow():
        pace.apply(entry.event, entry.at_ms / 1000)
        if entry.seq == after_seq:
            pace.forget_durations()
        match entry.event:
            case StageStarted():
                stage, game, deal = entry.event, 0, 1
            case GameStarted(hands=hands):
                game += 1
            case DealEnded():
                deal = entry.event.deal + 1
                if entry.event.decided and entry.seq > after_seq:
                    line.end()
                    sure = f"{stage.sure_percent} % certain, as the event file asks"
                    say(f"the title is decided after {entry.event.deal} of {stage.deals} deals: {sure}")
            case HandStarted(hand=hand) if entry.seq > after_seq:
                position = f"deal {out_of(deal, stage.deals)}" if stage.deals else f"game {out_of(game, stage.games)}"
                line.show(f"{printable(stage.title)}, {position}{pace.time_left_text}", f", hand {out_of(hand, hands)}")
            case TournamentEnded():
                line.show("the last hand has been played; the show continues to its end")
                break
    line.end()
