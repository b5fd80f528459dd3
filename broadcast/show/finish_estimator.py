"""Estimates how much longer the current stage takes on air, and the speed at which the stage ends on time.

The governor makes the show run at that speed: it multiplies the operator's speed by a factor. The estimate uses the
number of planned hands. It also uses the hands on air so far: how long they took at speed 1, and how often bots went
broke. No I/O, and no clock.
"""

import math

from msgspec.structs import replace

from server.game import events
from server.game.events import Event

MIN_FACTOR, MAX_FACTOR = 0.75, 2.0
"""The limits of the factor by which the governor multiplies the operator's speed."""
MAX_CHANGE = 0.1
"""The largest relative change of the factor after one hand."""
MIN_CHANGE = 0.03
"""Smaller relative changes of the factor are left out, unless the factor is to become MIN_FACTOR, 1 or MAX_FACTOR."""
HAND_MS, PRIOR_HANDS = 23_000.0, 3
"""A first guess of how long a hand takes, in milliseconds. The guess has the weight of PRIOR_HANDS hands that were
shown.
"""
GAME_MS = 18_000.0
"""A first guess of the time for the seating and the leaderboard of a game together, in milliseconds."""
PRIOR_BROKE_BOTS, PRIOR_BROKE_HANDS = 0.2, 20
"""A first guess of how often bots go broke: PRIOR_BROKE_BOTS bots in PRIOR_BROKE_HANDS hands."""


class FinishEstimator:
    """Estimates the end of each stage of one show, and the speed at which the first stage ends on time.

    `finish_by` is when the first stage should be over, in seconds of the show's clock. 0 means that there is no
    deadline.
    """

    def __init__(self, finish_by: float = 0.0) -> None:
        self._finish_by = finish_by
        self._governor = 1.0
        self._first_stage = 0
        self._seats = 0
        self._start_stage(None)

    def _start_stage(self, stage: events.StageStarted | None) -> None:
        if stage and stage.deals:  # several tables play each deal, and one is on air
            stage = replace(stage, games=stage.deals)
        self._stage = stage
        if stage and not self._first_stage:
            self._first_stage = stage.stage
        self._game_count = self._game_hands = self._hands_dealt = self._hands_shown = 0
        self._bots_out = self._bots_out_before_game = 0
        self._hand_ms = self._game_ms = self._this_hand_ms = 0.0
        self._planned_ms = 60_000.0 * stage.minutes if stage and stage.minutes else math.inf
        self._is_in_game = self._is_in_hand = False

    def record(self, event: Event, ms: float) -> None:
        """Records that `event` was shown for `ms` milliseconds at speed 1."""
        match event:
            case events.StageStarted():
                self._start_stage(event)
            case events.GameStarted(hands=hands, seats=seats):
                self._game_count += 1
                self._game_hands, self._hands_dealt, self._is_in_game = hands, 0, True
                self._bots_out_before_game, self._seats = self._bots_out, len(seats)
            case events.HandStarted(hand=hand):
                self._hands_dealt, self._is_in_hand, self._this_hand_ms = hand, True, 0.0
            case events.BotEliminated():
                self._bots_out += 1
            case events.GameEnded():
                self._is_in_game = False
            case events.StageEnded():
                self._stage = None
        self._planned_ms -= ms
        if self._is_in_hand:
            self._hand_ms += ms
            self._this_hand_ms += ms
        elif self._game_count:
            self._game_ms += ms
        if isinstance(event, events.HandEnded):
            self._hands_shown, self._is_in_hand = self._hands_shown + 1, False

    @property
    def has_deadline(self) -> bool:
        """Whether the current stage has a deadline. Before any stage has begun, the answer is about the first stage."""
        stage = self._stage.stage if self._stage else 0
        return bool(self._finish_by) and stage == self._first_stage

    def eta_s(self, pace: float) -> float:
        """Returns how many seconds of real time the current stage still takes if the show runs at the speed `pace`, or
        0 if unknown.
        """
        return self.stage_left_ms() / 1000 / pace if pace else 0.0

    def update_governor(self, now: float, pace: float) -> float:
        """Returns the new factor for the operator's speed, from MIN_FACTOR to MAX_FACTOR. The factor changes in small
        steps.

        `now` is the time in seconds, and `pace` is the speed at which the show would run without the factor.
        """
        target = 1.0
        if self.has_deadline and self._stage and pace:
            left_s = self._finish_by - now
            needed = self.stage_left_ms() / 1000 / pace / left_s if left_s > 0 else MAX_FACTOR
            target = min(max(needed, MIN_FACTOR), MAX_FACTOR)
        if abs(target / self._governor - 1) > MIN_CHANGE or target in (MIN_FACTOR, 1.0, MAX_FACTOR):
            lowest, highest = self._governor * (1 - MAX_CHANGE), self._governor * (1 + MAX_CHANGE)
            self._governor = min(max(target, lowest), highest)
        return self._governor

    def stage_left_ms(self) -> float:
        """Returns how much longer the current stage will take, in milliseconds at speed 1."""
        stage = self._stage
        if stage is None:
            return 0.0
        hands = self._hands_left(stage)
        games = hands / stage.hands if stage.hands else stage.games - self._game_count
        left_ms = hands * self._ms_per_hand + games * self._ms_around_game + self._hand_left_ms
        return min(left_ms, max(0.0, self._planned_ms))

    def game_left_ms(self) -> float:
        """Returns how much longer the current game will take, in milliseconds at speed 1, or 0 between games."""
        stage = self._stage
        if not (stage and self._is_in_game):
            return 0.0
        hands = self._game_hands - self._hands_dealt if self._game_hands else math.inf
        rivals = self._seats - 1 - (self._bots_out - self._bots_out_before_game)
        return (
            min(hands, rivals / self._broke_per_hand, self._hands_left(stage)) * self._ms_per_hand + self._hand_left_ms
        )

    def game_ms(self) -> float:
        """Returns how long one game of the current stage is likely to take, in milliseconds at speed 1."""
        if self._stage is None:
            return 0.0
        until_broke = (min(self._stage.seats, len(self._stage.bots)) - 1) / self._broke_per_hand
        return min(self._stage.hands or math.inf, until_broke) * self._ms_per_hand + self._ms_around_game

    def hands_ms(self, hands: int) -> float:
        """Returns how long the rest of the current hand and `hands` more hands will take, in ms at speed 1."""
        return hands * self._ms_per_hand + self._hand_left_ms

    @property
    def is_planned(self) -> bool:
        """Whether the number of hands of the stage is planned. Otherwise the stage ends when enough bots are out."""
        return self._stage is not None and math.isfinite(self._planned_hands(self._stage))

    @property
    def _ms_per_hand(self) -> float:
        return (self._hand_ms + PRIOR_HANDS * HAND_MS) / (self._hands_shown + PRIOR_HANDS)

    @property
    def _ms_around_game(self) -> float:
        return (self._game_ms + GAME_MS) / (self._game_count + 1)

    @property
    def _broke_per_hand(self) -> float:
        return (self._bots_out + PRIOR_BROKE_BOTS) / (self._hands_shown + PRIOR_BROKE_HANDS)

    @property
    def _hand_left_ms(self) -> float:
        return max(0.0, self._ms_per_hand - self._this_hand_ms) if self._is_in_hand else 0.0

    def _hands_left(self, stage: events.StageStarted) -> float:
        planned = self._planned_hands(stage)
        if stage.deals:  # nobody goes broke: each deal begins with fresh stacks
            return max(0.0, planned)
        return max(0.0, min(planned, self._bots_to_go_broke(stage) / self._broke_per_hand))

    def _planned_hands(self, stage: events.StageStarted) -> float:
        """Returns how many more hands the stage has if nobody goes broke."""
        if not (stage.games and stage.hands):  # the number of hands has no limit
            return math.inf
        planned = float((stage.games - self._game_count) * stage.hands)
        return planned + self._game_hands - self._hands_dealt if self._is_in_game else planned

    def _bots_to_go_broke(self, stage: events.StageStarted) -> int:
        """Returns how many bots must go broke before the stage ends. In a series of separate games, all bots but one go
        broke in each game.
        """
        if not stage.series:
            return len(stage.bots) - self._bots_out - max(1, stage.advance)
        per_game = len(stage.bots) - 1
        in_this_game = per_game - (self._bots_out - self._bots_out_before_game) if self._is_in_game else 0
        return (stage.games - self._game_count) * per_game + in_this_game
