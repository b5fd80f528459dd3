"""`highnoon luck RECORDING...`: shows each bot's winnings, luck and earnings (the winnings without the luck), and how
certain the earnings are.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from broadcast.archive.indexing import RECORDING_SUFFIX
from broadcast.odds.certainty import MIN_UNITS, Interval, chances_better, interval_of
from broadcast.odds.earned import NOTHING_EARNED, Earned, Earnings, in_whole_chips
from broadcast.odds.others_play import OthersPlay, Shares, shares_of
from server.app.recordings.recording_files import open_recording
from server.app.season.views import bot_name
from server.console import print_json, say
from server.errors import Refusal
from server.game.events import DealEnded, Event, TournamentOpened
from server.hand_histories.import_hands import scale_of_recording
from server.journal.journal import JournalDamaged, read_journal
from server.season.files import LEDGER_SUFFIX, SeasonFiles
from server.season.ledger import read_ledger
from server.season.season_state import Standings
from server.text.characters import printable
from server.text.grammar import count_text
from server.text.regular_file import regular_files
from server.verify.season import is_ledger

MAX_IN_TABLE = 12
"""If there are at most this many bots, a table compares each pair of bots. The JSON always compares all pairs."""


class BotKey(Struct, frozen=True):
    """Identifies a bot across recordings."""

    bot: str
    player: str


class UnitResults(Struct, frozen=True):
    """The bots' results in one unit: a game, a deal, or a whole tournament that counts as one game. `is_deal` says
    whether the unit is a deal.
    """

    results: dict[BotKey, Earned]
    is_deal: bool = False


class BotResult(Struct, frozen=True):
    """A bot's result over all units (see `UnitResults`) in which it played."""

    name: str
    units: int
    total: Earned
    luck: int
    """The bot's total luck, in whole chips."""
    interval: Interval | None
    """The 95 % interval of the bot's earnings per unit, or None if the interval is unknown."""
    shares: Shares | None
    """The bot's winnings have three parts: luck, the other bots' play, and its own play. `shares` says how much each
    part adds to the width of the 95 % interval of the winnings. It is None if the units are not deals or if there
    is no interval.
    """

    @property
    def others(self) -> int:
        """The part of the bot's earnings that came from the other bots' play, in whole chips."""
        return round(self.total.others)

    @property
    def earned(self) -> int | Fraction:
        """The chips that the bot won, minus its luck."""
        return self.total.won - self.luck

    @property
    def bounds(self) -> tuple[int, int] | tuple[None, None]:
        """Returns the ends of the 95 % interval of the bot's total earnings, in whole chips."""
        if self.interval is None:
            return None, None
        return round(self.units * self.interval.low), round(self.units * self.interval.high)


class Report(Struct, frozen=True):
    """The results of all bots. The bot that earned most comes first. `all_deals` says whether all units are deals.

    `chances` is keyed by pairs of bots. It has the chance, from 0 to 1, that the first bot is better than the second.
    """

    results: list[BotResult]
    chances: dict[tuple[str, str], float]
    all_deals: bool


def luck(paths: Sequence[Path], *, as_json: bool) -> int:
    """Prints luck and earnings in recordings, as a table or as JSON. Returns 0.

    Raises OSError, or Refusal if a recording was altered or there is no finished hand.
    """
    units = [unit for path in dict.fromkeys(paths) for unit in _read_units(path)]
    if not units:
        raise Refusal("these recordings have no finished hand")
    report = _add_up(units)
    if as_json:
        print_json(_as_json(report))
        return 0
    for line in _table_lines(report):
        say(line)
    return 0


def _read_units(path: Path) -> Iterator[UnitResults]:
    """Yields the units in a recording, in a season, or in a folder of recordings and seasons. Skips unusable files in a
    folder, and prints why.

    Raises OSError, Refusal.
    """
    ledger = path.with_name(path.name + LEDGER_SUFFIX) if path.is_dir() else path
    if ledger.is_file():
        try:
            yield from _units_of_season(ledger) if is_ledger(ledger) else _units_of_recording(path)
        except JournalDamaged as error:
            raise Refusal(f"{ledger}: {error}") from None
        except (LookupError, ValueError):
            raise Refusal(f"{ledger} contradicts itself: its entries do not follow from one another") from None
        return
    files = [*regular_files(path, RECORDING_SUFFIX), *regular_files(path, LEDGER_SUFFIX)]
    if not files:
        raise Refusal(f"there is no recording ({RECORDING_SUFFIX}) and no season ({LEDGER_SUFFIX}) in {path}")
    for file in sorted(files):
        try:
            yield from list(_read_units(file))
        except (OSError, Refusal) as error:
            print(printable(f"left out: {error}"), file=sys.stderr)


def _units_of_recording(path: Path) -> Iterator[UnitResults]:
    events = [entry.event for entry in open_recording(path).entries]
    opened = [event for event in events if isinstance(event, TournamentOpened)]
    names = {entrant.bot: BotKey(entrant.name, entrant.player) for event in opened for entrant in event.entrants}
    # One chip of an imported file may be recorded as several chips.
    scale = scale_of_recording(opened[0]) if opened else 1
    for unit in _units_of_events(events, names):
        yield UnitResults({name: result.divided(scale) for name, result in unit.results.items()}, unit.is_deal)


def _units_of_season(ledger: Path) -> Iterator[UnitResults]:
    """Yields a unit for each finished game that counts in a season. Bots have their current names."""
    standings, store = Standings(), SeasonFiles(ledger)
    standings.apply_entries(read_ledger(ledger).entries)
    names = {number: BotKey(bot_name(standings, player), player.name) for number, player in standings.players.items()}
    for game in standings.games:
        if game.over and not game.void_reason:
            yield from _units_of_events(
                [entry.event for entry in read_journal(store.game_files(game.number).journal).entries], names
            )


def _units_of_events(events: Iterable[Event], names: Mapping[int, BotKey]) -> Iterator[UnitResults]:
    earnings, others_play, deal_positions = Earnings(), OthersPlay(), list[int]()
    for event in events:
        earnings.apply(event)
        others_play.apply(event)
        if isinstance(event, DealEnded):
            deal_positions.append(len(earnings.units) - 1)
            for bot, chips in others_play.end_deal().items():
                earnings.units[-1][bot] += Earned(others=chips)
    for index, unit in enumerate(earnings.units):
        if unit:
            yield UnitResults({names[bot]: result for bot, result in unit.items()}, index in deal_positions)


def _add_up(units: Sequence[UnitResults]) -> Report:
    totals: dict[BotKey, Earned] = {}
    for unit in units:
        for name, result in unit.results.items():
            totals[name] = totals.get(name, NOTHING_EARNED) + result
    rounded = in_whole_chips({name: total.luck for name, total in totals.items()})
    labels = _make_labels(totals)
    results = [{labels[name]: float(result.earned) for name, result in unit.results.items()} for unit in units]
    all_deals = all(unit.is_deal for unit in units)
    lines = []
    for name, total in totals.items():
        earned_per_unit = [unit[labels[name]] for unit in results if labels[name] in unit]
        shares = _shares([unit.results[name] for unit in units if name in unit.results]) if all_deals else None
        lines.append(
            BotResult(labels[name], len(earned_per_unit), total, rounded[name], interval_of(earned_per_unit), shares)
        )
    chances = chances_better(results)
    all_chances = chances | {(other, one): 1 - chance for (one, other), chance in chances.items()}
    return Report(sorted(lines, key=lambda line: (-line.earned, line.name)), all_chances, all_deals)


def _shares(deals: Sequence[Earned]) -> Shares | None:
    own_play = [float(deal.earned - deal.others) for deal in deals]
    return shares_of(own_play, [float(deal.luck) for deal in deals], [float(deal.others) for deal in deals])


def _make_labels(names: Iterable[BotKey]) -> dict[BotKey, str]:
    """Returns the label of each bot. If several bots share a name, their labels include the players' names."""
    name_counts = Counter(name.bot for name in names)
    return {name: f"{name.bot} ({name.player})" if name_counts[name.bot] > 1 else name.bot for name in names}


def _as_json(report: Report) -> dict[str, Any]:
    bots = [
        {
            "name": line.name,
            "hands": line.total.hands,
            "won": _rounded_chips(line.total.won),
            "luck": line.luck,
            "earned": _rounded_chips(line.earned),
            "low": line.bounds[0],
            "high": line.bounds[1],
            **(_parts_as_json(line) if report.all_deals else {}),
        }
        for line in report.results
    ]
    pairs = [
        {"better": one.name, "than": other.name, "chance": chance and round(chance, 4)}
        for one, other in combinations(report.results, 2)
        for chance in [report.chances.get((one.name, other.name))]
    ]
    return {"bots": bots, "pairs": pairs}


def _parts_as_json(line: BotResult) -> dict[str, Any]:
    shares = line.shares and asdict(line.shares)
    return {"others": line.others, "own": _rounded_chips(line.earned - line.others), "shares": shares}


def _rounded_chips(chips: int | Fraction) -> int | float:
    """Returns a number of chips for printing. Only imported hands may have fractions of a chip."""
    return int(chips) if chips == int(chips) else round(float(chips), 2)


def _table_lines(report: Report) -> Iterator[str]:
    width = max(len("bot"), *(len(line.name) for line in report.results))
    units = "deals" if report.all_deals else "games"
    yield f"    {'bot':<{width}}  {units:>5}  {'hands':>7}  {'won':>9}  {'luck':>9}  {'earned':>9}  95 % interval"
    for place, line in enumerate(report.results, 1):
        low, high = line.bounds
        interval = f"{low:+,} to {high:+,}" if low is not None else "-"
        chips = f"{_rounded_chips(line.total.won):>+9,}  {line.luck:>+9,}  {_rounded_chips(line.earned):>+9,}"
        yield printable(
            f"{place:>2}  {line.name:<{width}}  {line.units:>5,}  {line.total.hands:>7,}  {chips}  {interval}"
        )
    yield "won = luck + earned, in chips; a bot's luck is how much the cards of the board were worth to it"
    if any(line.interval is None for line in report.results):
        tournament_note = "" if report.all_deals else " (a tournament may count as one)"
        yield f"no interval (-): fewer than {MIN_UNITS} {units}{tournament_note}, or all {units} are alike"
    if unknown := max(line.total.unknown for line in report.results):
        yield f"without the luck in {count_text(unknown, 'hand')}, because some cards are not known"
    if report.all_deals:
        yield from _parts_lines(report)
    if report.chances:
        yield from _chance_matrix(report)


def _parts_lines(report: Report) -> Iterator[str]:
    """Yields lines about the two parts of each bot's earnings: one part from the other bots' play, and one from its own
    play. The lines also say how much luck and the two parts add to the width of the 95 % interval.
    """
    width = max(len("bot"), *(len(line.name) for line in report.results))
    yield ""
    yield "earned = others + own; others: from the other bots' play before the bot's first decision in each hand"
    yield "the last three columns: how much each part adds to the width of the 95 % interval of the bot's winnings"
    yield f"    {'bot':<{width}}  {'others':>9}  {'own':>9}  {'luck':>5}  {'others':>6}  {'own':>5}"
    for place, line in enumerate(report.results, 1):
        chips = f"{line.others:>+9,}  {_rounded_chips(line.earned - line.others):>+9,}"
        shares = line.shares
        widths = f"  {shares.luck:>4}%  {shares.others:>5}%  {shares.own:>4}%" if shares else ""
        yield printable(f"{place:>2}  {line.name:<{width}}  {chips}{widths}")


def _chance_matrix(report: Report) -> Iterator[str]:
    """Yields the table of the chances that one bot is better than another, by the chips that the bots earned."""
    if len(report.results) > MAX_IN_TABLE:
        yield f"with {len(report.results)} bots, only --json has the chance that one bot is better than another"
        return
    yield ""
    yield "the chance, in percent, that the bot in the row is better than the bot in the column"
    won = "; in a contest that is decided by chips won, the results page compares those, so its chances differ"
    yield f"by chips earned{won if report.all_deals else ''}"
    width = max(len(line.name) for line in report.results)
    yield f"    {'':<{width}}" + "".join(f"  {place:>3}" for place in range(1, len(report.results) + 1))
    for place, one in enumerate(report.results, 1):
        cells = (_percent_text(report.chances.get((one.name, other.name))) for other in report.results)
        yield printable(f"{place:>2}  {one.name:<{width}}" + "".join(f"  {cell:>3}" for cell in cells))


def _percent_text(chance: float | None) -> str:
    if chance is None:
        return ""
    percent = round(100 * chance)
    return "<1" if percent < 1 else ">99" if percent > 99 else str(percent)
