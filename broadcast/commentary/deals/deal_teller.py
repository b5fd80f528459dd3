"""Writes captions and comparisons for a stage of deals, in which several tables play the same cards. No I/O."""

from collections.abc import Sequence

from msgspec import UNSET

from broadcast.commentary.deals.comparison import compare_tables
from broadcast.commentary.deals.deal_facts import DealFacts
from broadcast.on_air.events import (
    CaptionSpoken,
    DealCompared,
    PairsCompared,
    SceneShown,
    StandingsChanged,
    TitleChance,
    TitleOddsChanged,
)
from broadcast.on_air.shared_types import DealComparison, PairChance, SeatHeld, Standing
from broadcast.on_air.table_state import TableEntry
from server.game import events
from server.game.events import Event, StageStarted
from server.text.grammar import chance_text, count_text, join_within_width, name_in_sentence, number_in_words, out_of

_NAMES_ROOM = 70
"""The room for a list of names in a caption, in units of `text_width`."""
_PAST_TENSE = {"fold": "folded", "check": "checked", "call": "called", "bet": "bet", "raise": "raised"}


class DealTeller:
    """Returns the captions and events that the commentary adds to each recorded event in a stage of deals."""

    def __init__(self, facts: DealFacts) -> None:
        """`facts` are the facts about the stage. Apply each event to `facts` before you pass it to this object."""
        self._facts = facts
        self._stage = facts.stage
        self._names: dict[int, str] = {}
        self._ranks: dict[int, int] = {}
        self._is_only_compared = False
        """Whether the show of the latest deal was only a brief comparison of its tables."""

    def caption(self, entry: TableEntry) -> str | None:
        """Returns the special caption that an event has in a stage of deals, or "" if it has no caption there. Returns
        None if the event keeps its usual caption.
        """
        event, self._names = entry.event, entry.table.names
        match event:
            case StageStarted():
                return self._stage_start_caption(event)
            case events.GameStarted(seats=seats):
                return self._leader_caption() or f"{self._deal_name}: {self._listed(seats)} sit down."
            case events.HandStarted(hand=hand, button=button):
                which = f", hand {out_of(hand, self._stage.hands)}" if self._stage.hands > 1 else ""
                return f"{self._deal_name}{which}. {self._name(entry.table.bots[button])} has the button."
            case events.StageEnded():
                return self._stage_end_caption(event)
            case events.TournamentEnded(placings=placings) if placings and self._is_decided:
                return f"{self._name(placings[0].bot)} wins the tournament after {self._deals_played}!"
        return "" if isinstance(event, events.GameEnded) else None

    def events_after(self, entry: TableEntry) -> list[Event]:
        """Returns what goes on air right after a recorded event of a stage of deals. Does not include the event's
        caption. The scene "matrix" shows which bots beat which, and the scene "certainty" shows the standings.
        """
        match entry.event:
            case events.DealEnded():
                self._is_only_compared = entry.coverage.detail == "only comparison"
                return self._compare(entry, entry.event)
            case events.GameStarted() if self._facts.are_pairs_due:
                return [PairsCompared(self._pairs()), SceneShown("matrix")]
            case events.GameStarted() if self._facts.are_standings_due and not self._is_only_compared:
                self._facts.record_standings_shown()
                return [SceneShown("certainty")]
            case events.StageEnded() if pairs := self._pairs():
                return [PairsCompared(pairs), SceneShown("certainty" if self._is_decided else "matrix")]
            case events.StageEnded() if self._facts.deals:
                return [SceneShown("certainty")]
        return []

    def _compare(self, entry: TableEntry, event: events.DealEnded) -> list[Event]:
        deal = self._facts.comparison = compare_tables(event.deal, entry.tables)
        chances = tuple(
            TitleChance(bot, _chance_in_permille(chance)) for bot, chance in self._facts.title_chances.items()
        )
        return [
            CaptionSpoken(self._comparison_caption(deal)),
            *([TitleOddsChanged(chances)] if chances else []),
            StandingsChanged(self._standings(), self._stage.advance),
            DealCompared(deal),
        ]

    def _standings(self) -> tuple[Standing, ...]:
        rows = []
        for rank, each in enumerate(self._facts.standings, 1):
            moved = self._ranks.get(each.bot, rank) - rank
            low, high = (UNSET if bound is None else bound for bound in (each.low, each.high))
            rows.append(Standing(rank, each.bot, each.won, moved, each.deals, 0, 0, each.mean, low, high))
            self._ranks[each.bot] = rank
        return tuple(rows)

    def _pairs(self) -> tuple[PairChance, ...]:
        """Returns, for each pair of bots, the chance that the first bot is better. Returns () until enough deals have
        been played.
        """
        better = self._facts.chances_better.items()
        return tuple(
            PairChance(one, other, _chance_in_permille(chance)) for (one, other), chance in better if one < other
        )

    @property
    def _deal_name(self) -> str:
        return f"Deal {out_of(self._facts.deals + 1, self._stage.deals or 0)}"

    def _stage_start_caption(self, stage: StageStarted) -> str:
        tables = number_in_words(min(stage.seats, len(stage.bots)))
        counts = (
            "the luck of the board does not count"
            if self._facts.is_decided_by_earnings
            else "fresh stacks for every deal"
        )
        return f"{stage.title}: the same cards at {tables} tables, and {counts}."

    def _leader_caption(self) -> str:
        """Says who leads, and how certain it is that this bot is the best. Returns "" before the second deal."""
        if not self._facts.deals:
            return ""
        first = self._facts.standings[0]
        lead = f"{self._name(first.bot)} leads after {count_text(self._facts.deals, 'deal')}"
        chance = self._chance_clause(first.bot)
        return f"{lead}{chance}." if chance else f"{lead}. It's too early to say who is best."

    def _stage_end_caption(self, event: events.StageEnded) -> str:
        if event.advancing:
            return f"That's the end of {self._stage.title}. {self._listed(event.advancing)} ride on."
        if not event.ranking:
            return ""
        best = self._name(event.ranking[0])
        sure = self._facts.title_chances.get(event.ranking[0])
        if sure is not None and self._is_decided:
            return (
                f"After {self._deals_played}, it is {chance_text(_chance_in_permille(sure))} certain that {best} is "
                "the best bot."
            )
        return f"{best} finishes first{self._chance_clause(event.ranking[0])}."

    def _chance_clause(self, bot: int) -> str:
        """Returns the end of a sentence about `bot`: its chance to be the best. Returns "" until enough deals have been
        played.
        """
        sure = self._facts.title_chances.get(bot)
        return "" if sure is None else f", and is {chance_text(_chance_in_permille(sure))} likely to be the best bot"

    @property
    def _is_decided(self) -> bool:
        """Whether the title is as certain as the event file demands, so that the stage ends early."""
        return self._facts.last_deal is not None and self._facts.last_deal.decided

    @property
    def _deals_played(self) -> str:
        return f"{self._facts.deals} of {count_text(self._stage.deals or 0, 'deal')}"

    def _comparison_caption(self, deal: DealComparison) -> str:
        """Says what the worst and the best bot did with the same cards at the deciding point of the deal.

        An example: "Doc folded under the gun. Same seat, same cards at another table, and Tess won 3,000." If Tess's
        table was on air, the caption is: "At another table, Doc folded under the gun. Same seat, same cards here, and
        Tess won 3,000."
        """
        if deal.alike:
            return f"All {number_in_words(len(deal.tables))} tables got the same result."
        results = {each.bot: each for each in deal.held}
        best, worst = results[deal.best], results[deal.worst]
        did = f"{self._name(worst.bot)} {self._worst_play_clause(worst, deal.position)}"
        made = self._best_play_clause(best, "" if self._without_luck in did else self._without_luck)
        if best.game == deal.tables[0].game:
            return f"At another table, {did}. Same seat, same cards here, and {made}."
        return f"{did}. Same seat, same cards at another table, and {made}."

    def _worst_play_clause(self, worst: SeatHeld, position: str) -> str:
        """Says what the worst bot did from its position, and how many chips it won or lost. Its `score` is the chips
        that it won, minus its luck if bots are ranked by chips earned.
        """
        act = _deciding_act(worst)
        where = position if act in ("fold", "check") else position.replace("in the", "from the")
        is_limp = act == "call" and position == "under the gun" and worst.acts[worst.at].street == "preflop"
        did = f"{'limped' if is_limp else _PAST_TENSE[act]} {where}"
        if worst.won * worst.score < 0:
            return f"{did}, {_against_the_board(worst)}"
        if worst.score > 0:
            return f"{did} and {self._verb_for_won} only {worst.score:,}{self._without_luck}"
        return did if act == "fold" or not worst.score else f"{did} and lost {-worst.score:,}{self._without_luck}"

    def _best_play_clause(self, best: SeatHeld, without_luck: str) -> str:
        """Says what the best bot did with the cards. The text `without_luck` follows an amount of chips earned."""
        name = self._name(best.bot)
        if best.won * best.score < 0:
            return f"{name} {_against_the_board(best)}"
        if best.score > 0:
            return f"{name} {self._verb_for_won} {best.score:,}{without_luck}"
        return f"{name} lost only {-best.score:,}{without_luck}" if best.score else f"{name} lost nothing"

    @property
    def _verb_for_won(self) -> str:
        return "made" if self._facts.is_decided_by_earnings else "won"

    @property
    def _without_luck(self) -> str:
        return " with luck taken out" if self._facts.is_decided_by_earnings else ""

    def _name(self, bot: int) -> str:
        return name_in_sentence(self._names.get(bot, ""))

    def _listed(self, bots: Sequence[int]) -> str:
        return join_within_width([self._name(bot) for bot in bots], _NAMES_ROOM)


def _against_the_board(result: SeatHeld) -> str:
    """Describes a bot that played well but lost chips to bad luck, or played badly but won chips by good luck."""
    if result.won < 0:
        return f"played it well, got unlucky and lost {-result.won:,}"
    return f"played it badly, got lucky and won {result.won:,}"


def _deciding_act(result: SeatHeld) -> str:
    """Returns what a bot did at the deciding point of the deal. `at` is the index of that act."""
    return result.acts[result.at].act


def _chance_in_permille(chance: float) -> int:
    """Converts a chance from 0 to 1 into tenths of a percent.

    The result is at least 1 and at most 999, because no number of deals makes anything certain.
    """
    return min(999, max(1, round(1000 * chance)))
