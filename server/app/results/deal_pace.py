"""Estimates how long a stage of deals will still take. In a deal, all tables play the same cards."""

from statistics import fmean

from server.game.events import DealEnded, Event, StageStarted
from server.text.grammar import rough_duration_text


class DealPace:
    """Measures how long the deals of the current stage took.

    Estimates use the mean of all deals except the longest, because there may have been a break in the longest deal.
    Estimates from the median would be too short, because the show spends little time on most deals.
    """

    def __init__(self) -> None:
        self._deals_left = 0
        self._began_s: float | None = None
        self._durations_s: list[float] = []

    def apply(self, event: Event, at_s: float) -> None:
        """Applies an event that happened at `at_s`, in seconds of any clock."""
        match event:
            case StageStarted():
                self._deals_left, self._began_s, self._durations_s = event.deals or 0, at_s, []
            case DealEnded():
                self._deals_left -= 1
                if self._began_s is not None:
                    self._durations_s.append(at_s - self._began_s)
                self._began_s = at_s

    def forget_durations(self) -> None:
        """Forgets how long deals took. The caller does this after a break, such as a crash."""
        self._began_s, self._durations_s = None, []

    @property
    def time_left_text(self) -> str:
        """Returns a text such as ", about 8 minutes left", or "" if the time is unknown or no deal is left."""
        if not (self._durations_s and self._deals_left > 0):
            return ""
        usual_s = fmean(sorted(self._durations_s)[:-1] or self._durations_s)
        return f", {rough_duration_text(self._deals_left * usual_s)} left"
