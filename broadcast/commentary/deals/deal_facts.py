"""The facts about a stage of deals: who leads, how certain that is, and what happened in the latest deal. Pure."""

from collections.abc import Mapping

from broadcast.odds.deal_scores import DealScores, DealStanding
from broadcast.on_air.facts import DealComparison
from server.game.events import DealEnded, StageStarted


class DealFacts:
    """The facts about one stage of deals."""

    def __init__(self, stage: StageStarted) -> None:
        self.stage = stage
        self.standings: tuple[DealStanding, ...] = ()
        """The bots of the stage, best first; () before the first deal."""
        self.titles: Mapping[int, float] = {}
        """The chance that each bot is the best; {} after too few deals."""
        self.titles_before: Mapping[int, float] = {}
        """These chances before the latest deal."""
        self.better: Mapping[tuple[int, int], float] = {}
        """The chance that the first bot of a pair is better; {} after too few deals."""
        self.best_better: dict[tuple[int, int], float] = {}
        """The highest that each of these chances was before the latest deal."""
        self.led_before = 0
        """The bot that led before the latest deal; 0 for none."""
        self.leaders: set[int] = set()
        """All bots that have led before the latest deal."""
        self.last: DealEnded | None = None
        self.compared: DealComparison | None = None
        """What the bots made of the latest deal; None until the show has compared its tables."""
        self._scores = DealScores(stage)

    @property
    def by_earned(self) -> bool:
        """Whether what bots have earned decides, and not the chips that they have won."""
        return self.stage.decided_by == "earned"

    @property
    def deals(self) -> int:
        """The number of deals that are over."""
        return self._scores.deals

    @property
    def leader(self) -> int:
        """The bot with the best score per deal; 0 for none."""
        first, *others = self.standings or (None,)
        return first.bot if first and others and others[0] and first.mean > others[0].mean else 0

    def end(self, event: DealEnded) -> None:
        """Counts a deal that has ended."""
        self.led_before, self.titles_before = self.leader, self.titles
        self.leaders.add(self.leader)
        self.best_better |= {pair: max(now, self.best_better.get(pair, 0.0)) for pair, now in self.better.items()}
        self.last, self.compared = event, None
        self._scores.add(event)
        self.standings = self._scores.standings()
        self.titles, self.better = self._scores.title(), self._scores.matrix()
