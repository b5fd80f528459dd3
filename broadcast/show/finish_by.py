"""Estimates how much longer the present stage takes on air, and the speed at which it ends in time. Pure: has no clock.

The estimate is based on what was shown: how long hands take at speed 1, how many are planned, how soon bots go broke.
"""

import math

from server.game import events
from server.game.events import Event

SLOWEST, FASTEST = 0.75, 2.0
"""The limits of the governor's factor."""
STEP = 0.1
"""The largest relative change from one hand to the next."""
UNNOTICED = 0.03
"""Smaller changes are not made."""
HAND_MS, PRIOR_HANDS = 36_000.0, 3
"""A first guess of how long a hand takes, which counts as this many shown hands."""
GAME_MS = 18_000.0
"""A first guess of what a game takes besides its hands: the seating, the leaderboard."""
BROKE, BROKE_HANDS = 0.2, 20
"""A first guess of how many bots go broke in how many hands."""


class FinishBy:
    """Estimates the end of each stage of one show, and the speed at which the first one ends in time.

    `finish_by` is when the first stage should be over, in seconds of the show's clock; 0 for no deadline.
    """

    def __init__(self, finish_by: float = 0.0) -> None:
        self._finish_by = finish_by
        self._governor = 1.0
        self._first = 0
        self._seats = 0
        self._begin(None)

    def _begin(self, stage: events.StageStarted | None) -> None:
        self._stage = stage
        if stage and not self._first:
            self._first = stage.stage
        self._games = self._game_hands = self._dealt = self._hands = self._out = self._out_before = 0
        self._hand_ms = self._game_ms = self._this_hand_ms = 0.0
        self._playing = self._in_hand = False

    def record(self, event: Event, ms: float) -> None:
        """Records that `event` was shown, for `ms` milliseconds at speed 1."""
        match event:
            case events.StageStarted():
                self._begin(event)
            case events.GameStarted(hands=hands, seats=seats):
                self._games, self._game_hands, self._dealt, self._playing = self._games + 1, hands, 0, True
                self._out_before, self._seats = self._out, len(seats)
            case events.HandStarted(hand=hand):
                self._dealt, self._in_hand, self._this_hand_ms = hand, True, 0.0
            case events.BotEliminated():
                self._out += 1
            case events.GameEnded():
                self._playing = False
            case events.StageEnded():
                self._stage = None
        if self._in_hand:
            self._hand_ms += ms
            self._this_hand_ms += ms
        elif self._games:
            self._game_ms += ms
        if isinstance(event, events.HandEnded):
            self._hands, self._in_hand = self._hands + 1, False

    @property
    def timed(self) -> bool:
        """Whether the present stage has a deadline; before the first one begins, whether that one has."""
        stage = self._stage.stage if self._stage else 0
        return bool(self._finish_by) and stage == self._first

    def eta_s(self, pace: float) -> float:
        """Seconds until the present stage is over at `pace`; 0 if that is unknown."""
        return self.left_ms() / 1000 / pace if pace else 0.0

    def governor(self, now: float, asked: float) -> float:
        """The factor, from `now` (seconds) on, for the operator's speed `asked`: 0.75 to 2, changed in small steps."""
        target = 1.0
        if self.timed and self._stage and asked:
            left_s = self._finish_by - now
            needed = self.left_ms() / 1000 / asked / left_s if left_s > 0 else FASTEST
            target = min(max(needed, SLOWEST), FASTEST)
        if abs(target / self._governor - 1) > UNNOTICED or target in (SLOWEST, 1.0, FASTEST):
            least, most = self._governor * (1 - STEP), self._governor * (1 + STEP)
            self._governor = min(max(target, least), most)
        return self._governor

    def left_ms(self) -> float:
        """The rest of the present stage, in milliseconds at speed 1."""
        stage = self._stage
        if stage is None:
            return 0.0
        hands = self._hands_left(stage)
        games = hands / stage.hands if stage.hands else stage.games - self._games
        return hands * self._a_hand + games * self._around_game + self._rest_of_hand

    def game_left_ms(self) -> float:
        """The rest of the present game, in milliseconds at speed 1; 0 between games."""
        stage = self._stage
        if not (stage and self._playing):
            return 0.0
        hands = self._game_hands - self._dealt if self._game_hands else math.inf
        broke = self._seats - 1 - (self._out - self._out_before)
        return min(hands, broke / self._broke_a_hand, self._hands_left(stage)) * self._a_hand + self._rest_of_hand

    def game_ms(self) -> float:
        """A whole game of the present stage, in milliseconds at speed 1."""
        if self._stage is None:
            return 0.0
        until_broke = (min(self._stage.seats, len(self._stage.bots)) - 1) / self._broke_a_hand
        return min(self._stage.hands or math.inf, until_broke) * self._a_hand + self._around_game

    def hands_ms(self, hands: int) -> float:
        """The rest of the present hand and `hands` more, in milliseconds at speed 1."""
        return hands * self._a_hand + self._rest_of_hand

    @property
    def is_planned(self) -> bool:
        """Whether the stage has a last hand, rather than ending when enough bots are out."""
        return self._stage is not None and math.isfinite(self._planned(self._stage))

    @property
    def _a_hand(self) -> float:
        return (self._hand_ms + PRIOR_HANDS * HAND_MS) / (self._hands + PRIOR_HANDS)

    @property
    def _around_game(self) -> float:
        return (self._game_ms + GAME_MS) / (self._games + 1)

    @property
    def _broke_a_hand(self) -> float:
        return (self._out + BROKE) / (self._hands + BROKE_HANDS)

    @property
    def _rest_of_hand(self) -> float:
        return max(0.0, self._a_hand - self._this_hand_ms) if self._in_hand else 0.0

    def _hands_left(self, stage: events.StageStarted) -> float:
        return max(0.0, min(self._planned(stage), self._to_go(stage) / self._broke_a_hand))

    def _planned(self, stage: events.StageStarted) -> float:
        """How many hands are still to come if nobody goes broke."""
        if not (stage.games and stage.hands):  # no limit
            return math.inf
        planned = float((stage.games - self._games) * stage.hands)
        return planned + self._game_hands - self._dealt if self._playing else planned

    def _to_go(self, stage: events.StageStarted) -> int:
        """How many bots must still go broke; in a series all but one in each game."""
        if not stage.series:
            return len(stage.bots) - self._out - max(1, stage.advance)
        a_game = len(stage.bots) - 1
        left = a_game - (self._out - self._out_before) if self._playing else 0
        return (stage.games - self._games) * a_game + left
