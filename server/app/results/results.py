"""Computes a tournament's results from the entries of its journal: places, chips, prizes and remarks.

The journal may be unfinished. To get results that viewers may see, pass in only entries that have been on air.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType

from broadcast.commentary.statistics.reading_scores import ReadingCounts
from broadcast.on_air.shared_types import ReadingScores
from server.app.results.deal_report import DealTallies, DealTally, early_end_remark
from server.app.results.series_report import SeriesTallies, Tally
from server.app.results.tie_remarks import game_tie_remarks, stage_tie_remarks, stage_title
from server.game import events
from server.game.events import Event
from server.game.tournament import RankKey, evolve, open_tournament
from server.journal.journal import Entry
from server.text.grammar import name_in_sentence, out_of

_ORDINALS = ("", "first", "second", "third")


class Row(Struct, frozen=True):
    """One bot's row in the results. `place` is final if the row is `decided`. `note` says why the bot gets no prize, or
    when it left.

    Only rows of a series (in which bots are ranked by games won) have a `tally`. Only rows of a stage of deals (in
    which every table plays the same cards) have `deals`. In rows with `deals`, `chips` is the sum over all deals.
    """

    place: int
    bot: int
    name: str
    player: str
    avatar: str
    """The name of the bot's picture among the prepared media, or "" for the default."""
    chips: int
    prize_cents: int = 0
    decided: bool = False
    note: str = ""
    tally: Tally | UnsetType = UNSET
    reading: ReadingScores | UnsetType = UNSET
    """How many claims in the bot's thoughts were true, or UNSET if the bot gave no thoughts."""
    deals: DealTally | UnsetType = UNSET


class Paid(Struct, frozen=True):
    """A player's prize, and the bot that won it."""

    player: str
    bot: str
    prize_cents: int


class Results(Struct, frozen=True):
    """The final results, or the standings so far. `doing` says which hand or deal the tournament has reached."""

    title: str = ""
    finished: bool = False
    doing: str = "nothing has been played yet"
    pool_cents: int = 0
    rows: tuple[Row, ...] = ()
    paid: tuple[Paid, ...] = ()
    remarks: tuple[str, ...] = ()
    """Explanations for viewers, for example of ties that were decided by lot."""
    seed_commitment: str = ""
    seed: str = ""


def compute_results(entries: Iterable[Entry]) -> Results:
    """Computes the results after `entries`, which are a whole journal or its beginning."""
    results_so_far = ResultsSoFar()
    for entry in entries:
        results_so_far.apply(entry.event)
    return results_so_far.results()


def save_results(results: Results, recording: Path) -> Path:
    """Writes the results as JSON beside `recording`, and replaces older results. Returns the path. Raises OSError."""
    path = recording.with_suffix(".results.json")
    path.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")
    return path


class ResultsSoFar:
    """Computes the results of a contest event by event."""

    def __init__(self) -> None:
        self._contest: _Contest | None = None
        self._results: Results | None = Results()

    def apply(self, event: Event) -> None:
        if isinstance(event, events.TournamentOpened):
            self._contest = _Contest(event)
        elif self._contest:
            self._contest.apply(event)
        self._results = None

    def results(self) -> Results:
        """The results so far. Returns the same object until the next event."""
        if self._results is None:
            self._results = self._contest.results() if self._contest else Results()
        return self._results


class _Contest:
    def __init__(self, opened: events.TournamentOpened) -> None:
        self._opened = opened
        self._entrants = {entrant.bot: entrant for entrant in opened.entrants}
        self._tournament = open_tournament(opened)
        self._end_event: events.TournamentEnded | None = None
        self._stacks: dict[int, int] = {}
        self._finished_hands = 0
        self._withdrawal_reasons: dict[int, str] = {}
        self._left_in_hand: dict[int, str] = {}
        """For each absent bot that could still have won a prize: the hand in which the bot left, as text."""
        self._hand = 0
        self._remarks: list[str] = []
        self._series_tallies = SeriesTallies()
        self._deal_tallies = DealTallies()
        self._reading_counts = ReadingCounts()
        self._reading_counts.apply(opened)

    def apply(self, event: Event) -> None:
        before, self._tournament = self._tournament, evolve(self._tournament, event)
        self._series_tallies.apply(event)
        self._deal_tallies.apply(event)
        self._reading_counts.apply(event)
        match event:
            case events.GameStarted(seats=seats, stacks=stacks):
                self._stacks, self._finished_hands, self._hand = dict(zip(seats, stacks, strict=True)), 0, 0
            case events.HandStarted(hand=hand):
                self._hand = hand
            case events.HandEnded(stacks=stacks):
                self._stacks = dict(zip(self._stacks, stacks, strict=True))
                self._finished_hands += 1
            case events.GameEnded(ranking=ranking) if ranking:
                self._remarks += game_tie_remarks(event, before, self._entrants)
            case events.StageEnded():
                self._stacks = {}
                self._remarks += stage_tie_remarks(event, before, self._entrants)
            case events.StageCut():
                self._remarks.append(f"The operator ended {stage_title(self._tournament)} early.")
            case events.DealEnded(decided=True) if stage := self._tournament.stage:
                leader = min(stage.bots, key=self._tournament.rank_key_of)
                self._remarks.append(early_end_remark(stage, event, name_in_sentence(self._entrants[leader].name)))
            case events.TournamentEnded():
                self._end_event = event
            case _:
                self._record_presence(event)

    def _record_presence(self, event: Event) -> None:
        match event:
            case events.BotWithdrawn(bot=bot, reason=reason):
                self._withdrawal_reasons[bot] = reason
            case events.BotDisconnected(bot=bot) if self._may_win(bot):
                self._left_in_hand[bot] = self._describe_hand()
            case events.BotConnected(bot=bot):
                self._left_in_hand.pop(bot, None)

    def results(self) -> Results:
        opened, rows = self._opened, self._make_rows()
        paid_rows = [row for row in rows if row.prize_cents]
        return Results(
            opened.title,
            self._end_event is not None,
            self._describe_progress(),
            sum(opened.prizes_cents),
            tuple(rows),
            tuple(Paid(row.player or row.name, row.name, row.prize_cents) for row in paid_rows),
            tuple(self._remarks + self._explain_leftover_chips() + self._explain_unpaid_prizes(len(paid_rows))),
            opened.seed_commitment,
            self._end_event.seed if self._end_event else "",
        )

    def _describe_progress(self) -> str:
        stage, tournament = self._tournament.stage, self._tournament
        if self._end_event is not None:
            return "final result"
        if stage is None:
            return "before the first hand"
        if not tournament.in_stage:
            return f"after {stage.title}"
        return f"{stage.title}, {self._stage_progress(stage)}"

    def _stage_progress(self, stage: events.StageStarted) -> str:
        tournament = self._tournament
        if stage.deals:
            return f"after deal {out_of(len(tournament.deal_scores), stage.deals)}"
        hand = f"hand {out_of(self._finished_hands, stage.hands)}"
        if stage.games == 1:
            return f"after {hand}"
        if tournament.game is None:
            return f"after game {out_of(tournament.games_in_stage, stage.games)}"
        return f"game {out_of(tournament.games_in_stage, stage.games)}, after {hand}"

    def _may_win(self, bot: int) -> bool:
        has_more_games = self._tournament.in_series or self._tournament.has_deals
        return self._end_event is None and (has_more_games or not self._place(bot))

    def _describe_hand(self) -> str:
        """The current or latest hand, such as "The Trials, game 3, hand 2"."""
        stage, games = self._tournament.stage, self._tournament.games_in_stage
        if stage is None or not self._hand:
            return f"the start of {stage.title}" if stage else "the start"
        if stage.deals:
            return f"{stage.title}, deal {min(len(self._tournament.deal_scores) + 1, stage.deals)}"
        game = "" if stage.games == 1 else f", game {games}"
        return f"{stage.title}{game}, hand {self._hand}"

    def _make_rows(self) -> list[Row]:
        """Returns the rows. Bots that are still playing come first, the best at the top. Bots whose places are decided
        follow.
        """
        records, stacks = self._tournament.records, self._chips()
        ranking = sorted(records, key=lambda bot: (self._place(bot), *self._sort_key(bot, stacks[bot]), bot))
        tallies = self._series_tallies.report(self._tournament) if self._tournament.in_series else {}
        prizes = {placing.bot: placing.prize_cents for placing in self._end_event.placings} if self._end_event else {}
        remarks, reading, deals = self._row_notes(ranking), self._reading_counts.scores(), self._deal_tallies.report()
        return [
            Row(
                place, bot, entrant.name, entrant.player, entrant.avatar,
                stacks[bot], prizes.get(bot, 0), bool(self._place(bot)), remarks.get(bot, ""), tallies.get(bot, UNSET),
                reading.get(bot, UNSET), deals.get(bot, UNSET),
            )
            for place, bot in enumerate(ranking, 1)
            for entrant in (self._entrants[bot],)
        ]  # fmt: skip

    def _place(self, bot: int) -> int:
        """Returns a bot's place, or 0 if the place is not decided yet. During a series, `Record.place` is only the
        place in one game.
        """
        record = self._tournament.records[bot]
        return 0 if self._tournament.in_stage and self._tournament.in_series and not record.withdrawn else record.place

    def _sort_key(self, bot: int, chips: int) -> RankKey:
        """The sort key of a bot whose place is not decided. The best bot comes first."""
        tournament = self._tournament
        return tournament.rank_key_of(bot) if tournament.in_series or tournament.has_deals else (-chips, 0)

    def _chips(self) -> dict[int, int]:
        records, tournament = self._tournament.records, self._tournament
        chips: Mapping[int, int] = self._stacks if tournament.game else {}
        if tournament.has_deals and tournament.in_stage:
            chips = {bot: sum(deal.get(bot, 0) for deal in tournament.deal_scores) for bot in tournament.stage_bots}
        return {bot: 0 if record.withdrawn else chips.get(bot, record.stack) for bot, record in records.items()}

    def _row_notes(self, ranking: Sequence[int]) -> dict[int, str]:
        """Returns notes for rows, keyed by bot number: why a bot was withdrawn or gets no prize, and when it left."""
        remarks = {bot: f"withdrawn: {reason}" for bot, reason in self._withdrawal_reasons.items()}
        prizes_left = sum(cents > 0 for cents in self._opened.prizes_cents) if self._end_event else 0
        bot_counts: dict[str, int] = {}
        for bot in (bot for bot in ranking if bot not in self._withdrawal_reasons):
            player = self._entrants[bot].player
            number = bot_counts[player] = bot_counts.get(player, 0) + 1
            if number == 1 or not player:
                prizes_left -= 1
            elif prizes_left > 0:
                ordinal = _ORDINALS[number] if number < len(_ORDINALS) else "next"
                remarks[bot] = f"{player}'s {ordinal} bot: the prize goes to the next player"
        for bot, since in self._left_in_hand.items():
            remarks[bot] = "; ".join(filter(None, (remarks.get(bot), f"gone since {since}")))
        return remarks

    def _explain_leftover_chips(self) -> list[str]:
        """A remark on the chips of bots that are not in the last stage."""
        stage, records = self._tournament.stage, self._tournament.records
        if stage is None or stage.advance:
            return []
        left_behind = [record for bot, record in records.items() if bot not in stage.bots and record.stack]
        if left_behind and stage.deals:
            return [f"For bots that are not in {stage.title}, the deals of the stage before count."]
        return [f"Bots that are not in {stage.title} keep their chips from the stage before."] if left_behind else []

    def _explain_unpaid_prizes(self, paid: int) -> list[str]:
        """A remark on who gets the remaining prizes."""
        promised = sum(cents > 0 for cents in self._opened.prizes_cents)
        if self._end_event is None or paid >= promised:
            return []
        if not paid:
            return ["Nobody has played, so nobody is paid."]
        return [f"{promised} prizes, {paid} player{'s' * (paid > 1)}: the winner takes the rest."]
