"""`highnoon spar A --against B`: plays each deal from every seat, at full speed, until one bot is certainly better."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from broadcast.odds.earned import EarnedByBot
from broadcast.report import MatchLine, render_match
from server.app.sparring.bot_launcher import BotLauncher
from server.app.sparring.deals_job import DealsOrder
from server.app.sparring.mirrored_tables import BotLeft, MirroredTables, sparring_format
from server.app.sparring.on_workers import play_on_workers, prepare_for_workers
from server.app.sparring.result import MatchStanding, Result, Score, draw_graph
from server.app.sparring.sides import Side, read_sides, resolve_contest
from server.console import ProgressBar, print_json, print_to_stderr, say
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import Entrant, Event, FaultNoted
from server.shuffle import fresh_seed
from server.text.characters import printable
from server.text.grammar import count_text
from server.workers.connect_to_workers import connect_to_workers

MAX_SIDES = 6
"""The maximum number of sides (the bots of a match) at one table."""
MAX_DUELLISTS = 12
"""The maximum number of bots in a round robin."""
BAR_UPDATE_DEALS = 50
"""The number of deals between updates of the progress bar."""
GRAPH_WIDTH, PAGE_WIDTH = 60, 300
"""The width of the graph, in points, in the terminal and on the page."""
MAX_FAULTS = 5
"""The maximum number of different faults to print for each bot."""


class SparOptions(Struct, frozen=True):
    """The options of the command. `bot` is the author's own bot, and `against` are the bot's opponents. A bot is given
    as a folder, a command, an address, or the style of a built-in bot.
    """

    bot: str
    against: tuple[str, ...]
    contest: str
    """The contest's id. If it is "", bots at HTTP addresses are asked for their contest."""
    hands: int
    seed: bytes | None
    record: Path | None
    page: Path | None
    scheduler: str
    """The address of a Dask scheduler whose workers play the match, or "" to play it on this machine."""
    certificates: Path | None
    as_json: bool


async def spar(match: SparOptions) -> int:
    """Plays a match. Prints each bot's earnings (its winnings without the luck), and how certain they are. Returns 0,
    or 1 if a bot disconnected early.

    In a contest for two players, three or more bots play a round robin: each pair plays a match, all with the same
    deals. Then the table of the round robin is printed too. Raises OSError, CannotRun, or Refusal if a bot cannot play
    or the match is not possible.
    """
    bots = (match.bot, *match.against)
    match = replace(match, contest=await resolve_contest(bots, match.contest))
    is_duel = CONTESTS[match.contest].is_duel
    max_bots = MAX_DUELLISTS if is_duel else MAX_SIDES
    if not 2 <= len(bots) <= max_bots:
        raise Refusal(f"{len(bots)} bots cannot spar in {match.contest}: it takes 2 to {max_bots}")
    sides, seed = read_sides(bots, match.contest), match.seed or fresh_seed()
    if not is_duel or len(sides) == 2:
        _, status = await _play_match(match, sides, seed)
        return status
    if match.page:
        raise Refusal("a page shows a single match: name two bots")
    matches = list(combinations(sides, 2))
    results, statuses = [], []
    for number, pair in enumerate(matches, 1):
        print_to_stderr(
            f"match {number} of {len(matches)}: {printable(pair[0].name)} against {printable(pair[1].name)}"
        )
        pair_match = replace(match, record=match.record and match.record / f"match-{number}")
        score, status = await _play_match(pair_match, pair, seed, quiet=match.as_json)
        results += [score.result()] if score.deals else []
        statuses.append(status)
    table = _round_robin([side.name for side in sides], results)
    if match.as_json:
        print_json({"matches": list(map(_as_json, results)), "bots": table})
    else:
        say("round robin: chips per 100 hands, as the mean of each bot's matches")
        for line in table:
            say(f"  {line['name']!s:{max(len(side.name) for side in sides)}} {line['earned_per_100']:+9.0f}")
    return max(statuses)


def _round_robin(names: Sequence[str], results: Sequence[Result]) -> list[dict[str, Any]]:
    """Returns each bot's mean earnings over the bot's matches, best bot first. Leaves out bots without a match."""
    earned: dict[str, list[float]] = {name: [] for name in names}
    for result in results:
        for bot in result.bots:
            earned[bot.name].append(bot.earned_per_100)
    table = [
        {"name": name, "matches": len(amounts), "earned_per_100": round(fmean(amounts), 2)}
        for name, amounts in earned.items()
        if amounts
    ]
    return sorted(table, key=lambda line: -float(line["earned_per_100"]))


async def _play_match(
    match: SparOptions, sides: Sequence[Side], seed: bytes, *, quiet: bool = False
) -> tuple[Score, int]:
    """Plays one match, and prints its result unless `quiet`. Returns the score, and 1 if a bot disconnected, else 0."""
    deals = max(1, match.hands // len(sides))
    if match.record:
        match.record.mkdir(parents=True, exist_ok=True)
    sparring_match = _SparringMatch(match, sides, deals, seed)
    try:
        with tempfile.TemporaryDirectory(prefix="highnoon-spar-", ignore_cleanup_errors=True) as work:
            departure = await sparring_match.play(Path(work))
    finally:  # also after Ctrl-C
        if sparring_match.score.deals and not quiet:
            _print_result(match, sparring_match.score, seed)
    if departure is None:
        return sparring_match.score, 0
    print(f"highnoon: {printable(sides[departure.bot - 1].name)} left: {printable(departure.reason)}", file=sys.stderr)
    return sparring_match.score, 1


def _print_result(match: SparOptions, score: Score, seed: bytes) -> None:
    result = score.result()
    if match.as_json:
        print_json(_as_json(result))
    else:
        for line in _result_lines(result, score, seed):
            say(line)
    if match.page:
        match.page.write_text(_render_page(result, score, seed), encoding="utf-8")
        print_to_stderr(f"the page is {match.page}")


class _SparringMatch:
    def __init__(self, match: SparOptions, sides: Sequence[Side], deals: int, seed: bytes) -> None:
        self.score = Score([side.name for side in sides], deals, CONTESTS[match.contest].format.hand_stack)
        self._match = match
        self._sides = sides
        self._seed = seed
        self._bar: ProgressBar | None = None
        self._deals = deals
        self._faults: dict[int, set[str]] = {}

    async def play(self, work_folder: Path) -> BotLeft | None:
        """Plays the match to its end. Returns None, or which bot disconnected early."""
        try:
            await (self._play_on_workers(work_folder) if self._match.scheduler else self._play_here(work_folder))
        except BotLeft as bot_left:
            return bot_left
        finally:
            if self._bar:
                self._bar.close()
        return None

    async def _play_here(self, work_folder: Path) -> None:
        match, entrants = self._match, [Entrant(number, side.name) for number, side in enumerate(self._sides, 1)]
        contest_format = sparring_format(match.contest, self._deals, len(entrants))
        tables = MirroredTables(contest_format, entrants, self._seed, self._count_deal, match.record)

        def on_event(event: Event) -> None:
            tables.record_bot_event(event)
            self._print_fault(event)

        async with BotLauncher(match.contest, entrants, on_event, work_folder, print_to_stderr) as launcher:
            tables.seat_bots(
                [await launcher.launch(number, side, self._seed) for number, side in enumerate(self._sides, 1)]
            )
            self._bar = ProgressBar("hands", self._deals * len(self._sides))
            await tables.play()

    async def _play_on_workers(self, work_folder: Path) -> None:
        match = self._match
        sent_bots = prepare_for_workers(self._sides, match.contest, work_folder)
        deals = DealsOrder(match.contest, sent_bots.sides, self._seed, self._deals, 1, self._deals)
        async with connect_to_workers(match.scheduler, match.certificates, print_to_stderr) as dispatcher:
            self._bar = ProgressBar("hands", self._deals * len(self._sides))
            await play_on_workers(dispatcher, sent_bots, deals, self._count_deal, self._print_fault, match.record)

    def _count_deal(self, tables: Sequence[EarnedByBot]) -> bool:
        """Counts a deal from what each bot earned at each of its `tables`. Returns whether to play another deal."""
        self.score.add_deal(tables)
        if self._bar and self.score.deals % BAR_UPDATE_DEALS == 0:
            self._bar.step(BAR_UPDATE_DEALS * len(self._sides))
        return not self.score.can_end

    def _print_fault(self, event: Event) -> None:
        if isinstance(event, FaultNoted):
            printed_faults = self._faults.setdefault(event.bot, set())
            if event.detail not in printed_faults and len(printed_faults) < MAX_FAULTS:
                printed_faults.add(event.detail)
                print_to_stderr(f"{self._sides[event.bot - 1].name}: {event.fault}: {event.detail}")


def _as_json(result: Result) -> dict[str, object]:
    bots = [
        {key: round(value, 2) if isinstance(value, float) else value for key, value in to_builtins(bot).items()}
        for bot in result.bots
    ]
    better = None if result.better is None else round(result.better, 4)
    return {"hands": result.hands, "bots": bots, "better": better, "certain": result.certain}


def _result_lines(result: Result, score: Score, seed: bytes) -> Iterator[str]:
    yield f"{_length_text(result, score)}; chips per 100 hands"
    width = max(len(bot.name) for bot in result.bots)
    yield f"  {'':{width}} {'won':>9} {'earned':>9}   95 % interval"
    for bot in result.bots:
        yield f"  {bot.name:{width}} {bot.won_per_100:+9.0f} {bot.earned_per_100:+9.0f}   {_bounds_text(bot)}"
    yield from draw_graph(score.curve(GRAPH_WIDTH), f"what {result.bots[0].name} earned, in chips")
    yield _verdict_text(result)
    yield f"  for the same deals: --seed {seed.hex()}"


def _length_text(result: Result, score: Score) -> str:
    return f"{count_text(result.hands, 'hand')}: {score.deals} deals, each from every seat"


def _bounds_text(bot: MatchStanding) -> str:
    return "too few deals" if bot.low is None or bot.high is None else f"{bot.low:+.0f} to {bot.high:+.0f}"


def _render_page(result: Result, score: Score, seed: bytes) -> str:
    lines = [MatchLine(bot.name, bot.won_per_100, bot.earned_per_100, _bounds_text(bot)) for bot in result.bots]
    return render_match(
        lines,
        score.curve(PAGE_WIDTH),
        result.hands,
        played=_length_text(result, score),
        verdict=_verdict_text(result),
        seed=seed.hex(),
    )


def _verdict_text(result: Result) -> str:
    name = result.bots[0].name
    opponents = "the others" if len(result.bots) > 2 else result.bots[1].name
    if result.alike:
        return f"No difference at all: {name} did as well as {opponents} in every deal."
    if result.better is None:
        return f"Too few deals to tell whether {name} is better than {opponents}."
    chance, comparison = (result.better, "better") if result.better >= 0.5 else (1 - result.better, "worse")
    if result.certain:
        return f"{name} is {comparison} than {opponents}: probability {_percent_text(chance)}."
    needed = f"; about {result.needed} hands would settle it" if result.needed and result.needed > result.hands else ""
    return f"Not certain yet: {name} may be {comparison} than {opponents}, probability {_percent_text(chance)}{needed}."


def _percent_text(chance: float) -> str:
    """A probability as text, rounded down. 99.96 % becomes "more than 99.9 %"."""
    return "more than 99.9 %" if chance > 0.999 else f"{int(1000 * chance) / 10:g} %"
