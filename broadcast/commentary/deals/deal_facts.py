"""The facts about a stage of deals, in which several tables play the same cards. They say who leads, how certain the
lead is, and what happened in the latest deal. No I/O.
"""

from collections.abc import Mapping, Sequence

from broadcast.odds.deal_scores import DealScores, DealStanding
from broadcast.on_air.shared_types import DealComparison
from server.game.deals import scores_of
from server.game.events import DealEnded, StageStarted

PAIRS_EVERY = 10
"""Each time this many deals have been played, and at the end of the stage, the show says which bots beat which."""
STANDINGS_EVERY = 5
"""The standings are shown again after this many deals, even if nothing has changed."""
NOTICEABLE_CHANGE = 0.05
"""A chance of the title, from 0 to 1, has changed noticeably if it has risen or fallen by at least this much."""


class DealFacts:
    """The facts about one stage of deals."""

    def __init__(self, stage: StageStarted) -> None:
        self.stage = stage
        self.standings: tuple[DealStanding, ...] = ()
        """The bots of the stage, the best first. It is () before the end of the first deal."""
        self.title_chances: Mapping[int, float] = {}
        """The chance that each bot is the best. It is {} until enough deals have been played."""
        self.title_chances_before: Mapping[int, float] = {}
        """`title_chances` before the latest deal."""
        self.chances_better: Mapping[tuple[int, int], float] = {}
        """For each pair of bots, the chance that the first bot is better. It is {} until enough deals have been played.
        """
        self.highest_chances_better: dict[tuple[int, int], float] = {}
        """The highest chance that each pair had in `chances_better` before the latest deal."""
        self.previous_leader = 0
        """The bot that led before the latest deal, or 0 if none did."""
        self.past_leaders: set[int] = set()
        """All bots that have led before the latest deal."""
        self.last_deal: DealEnded | None = None
        self.comparison: DealComparison | None = None
        """How the bots played the latest deal. It is None until the show has compared the tables of the deal."""
        self._scores = DealScores(stage)
        self._shown_standings: tuple[int, Sequence[int], Mapping[int, float]] = (0, stage.bots, {})
        """The standings that were shown last: the number of deals, the bots in order of place, and their title chances.
        """

    @property
    def is_decided_by_earnings(self) -> bool:
        """Whether bots are ranked by chips earned, which are chips won with luck taken out. If not, they are ranked by
        chips won.
        """
        return self.stage.decided_by == "earned"

    @property
    def deals(self) -> int:
        """The number of deals that are over."""
        return self._scores.deals

    @property
    def leader(self) -> int:
        """The bot with the best score per deal. It is 0 if no bot leads alone."""
        first, *others = self.standings or (None,)
        return first.bot if first and others and others[0] and first.mean > others[0].mean else 0

    @property
    def has_title_race_changed(self) -> bool:
        """Whether the latest deal changed the lead, or noticeably changed a bot's chance of the title.

        The chances are unknown until enough deals have been played. Until then, returns whether the leader won or lost
        at least a starting stack in the deal.
        """
        if self.leader != self.previous_leader:
            return True
        if self.title_chances_before or self.last_deal is None:
            return _is_noticeable(self.title_chances_before, self.title_chances)
        return abs(scores_of(self.last_deal).get(self.leader, 0)) >= max(self.stage.stacks, default=0)

    @property
    def are_pairs_due(self) -> bool:
        """Whether it is time to show which bots beat which."""
        return bool(self.chances_better) and self.deals % PAIRS_EVERY == 0

    @property
    def are_standings_due(self) -> bool:
        """Whether it is time to show the standings.

        They are due if a place has changed since they were last shown, or if a chance of the title has changed
        noticeably. They are also due STANDINGS_EVERY deals after they were last shown. They are never due before the
        end of the first deal, or when it is time to show which bots beat which.
        """
        deals, places, titles = self._shown_standings
        if not self.deals or self.are_pairs_due:
            return False
        has_changed = [*places] != self._bots_by_place or _is_noticeable(titles, self.title_chances)
        return has_changed or self.deals - deals >= STANDINGS_EVERY

    def record_standings_shown(self) -> None:
        """Records that the standings are shown now."""
        self._shown_standings = self.deals, self._bots_by_place, self.title_chances

    @property
    def _bots_by_place(self) -> list[int]:
        return [each.bot for each in self.standings]

    def end_deal(self, event: DealEnded) -> None:
        """Counts a deal that has ended."""
        self.previous_leader, self.title_chances_before = self.leader, self.title_chances
        self.past_leaders.add(self.leader)
        self.highest_chances_better |= {
            pair: max(now, self.highest_chances_better.get(pair, 0.0)) for pair, now in self.chances_better.items()
        }
        self.last_deal, self.comparison = event, None
        self._scores.add(event)
        self.standings = self._scores.standings()
        self.title_chances, self.chances_better = self._scores.title_chances(), self._scores.chances_better()


def _is_noticeable(before: Mapping[int, float], now: Mapping[int, float]) -> bool:
    """Whether a chance differs noticeably between `before` and `now`."""
    return any(abs(chance - before.get(bot, 0.0)) >= NOTICEABLE_CHANGE for bot, chance in now.items())
