"""Turns a hand in the notation of poker sites into PHH (Poker Hand History). All functions are pure.

Sites identify players by seat and name. PHH identifies them by their order from the small blind.
"""

from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from server.hand_histories.phh_reader import BadHistory, PublishedHand, amount_of

Blind = Literal["ante", "small", "big"]
Player = TypeVar("Player", bound=Hashable)


def parse_chips(value: Any) -> Decimal:
    """Parses an amount of chips in a site's file. Raises BadHistory, with a message that quotes the amount."""
    try:
        return amount_of(value)
    except ValueError as error:
        raise BadHistory(f"the amount {str(value)[:20]!r} {error}") from None


class SeatedPlayer(Struct, frozen=True):
    """A player at the table: the site's seat number, the name, and the chips before the hand."""

    seat: int
    name: str
    stack: Decimal


class SiteHand(Generic[Player]):
    """Collects a hand line by line. The site identifies players by values of type `Player`. `where` names the hand."""

    def __init__(self, where: str, players: Mapping[Player, SeatedPlayer], small: Decimal, big: Decimal) -> None:
        self._where, self._players = where, players
        self._small, self._big = small, big
        self._posts: dict[Blind, dict[Player, Decimal]] = {"ante": {}, "small": {}, "big": {}}
        self._hole: dict[Player, str] = {}
        self._actions: list[tuple[Player | None, str]] = []
        self._bets: dict[Player, Decimal] = {}
        self._net_paid = dict.fromkeys(players, Decimal(0))
        self._total_won = self._total_rake = Decimal(0)
        self._folded: set[Player] = set()
        self._players_in_hand: set[Player] = set()

    def posts(self, player: Player, blind: Blind, amount: Decimal) -> None:
        """Records a blind or an ante. Raises BadHistory for a second small or big blind."""
        if blind != "ante":
            if self._posts[blind]:
                raise BadHistory(f"two players post a {blind} blind, but in High Noon only one does")
            self._bets[player] = amount
        self._posts[blind][player] = amount
        self._pay(player, amount)

    def holds(self, player: Player, cards: Sequence[str]) -> None:
        """Records the hole cards of a player, if the file shows both cards."""
        self._players_in_hand.add(player)
        if len(cards) == 2:
            self._hole[player] = "".join(cards)

    def folds(self, player: Player) -> None:
        """Records a fold. A second fold of the same player changes nothing."""
        if player not in self._folded:
            self._folded.add(player)
            self._add_act(player, "f")

    def calls(self, player: Player, amount: Decimal = Decimal(0)) -> None:
        """Records a call with `amount` more chips, or a check."""
        self._bets[player] = self._bets.get(player, Decimal(0)) + amount
        self._pay(player, amount)
        self._add_act(player, "cc")

    def raises_by(self, player: Player, amount: Decimal) -> None:
        """Records a bet or raise with `amount` more chips."""
        total = self._bets.get(player, Decimal(0)) + amount
        self._bets[player] = total
        self._pay(player, amount)
        self._add_act(player, f"cbr {total:f}")

    def raises_to(self, player: Player, total: Decimal) -> None:
        """Records a bet or raise to `total` chips on this street."""
        self.raises_by(player, total - self._bets.get(player, Decimal(0)))

    def receives(self, player: Player, amount: Decimal) -> None:
        """Records chips that a player won, or got back because nobody called the bet."""
        self._total_won += amount
        self._pay(player, -amount)

    def pays_rake(self, amount: Decimal) -> None:
        """Records the site's rake. When High Noon replays the hand, the winner gets the rake."""
        self._total_rake += amount

    def deals_board(self, cards: Sequence[str]) -> None:
        """Records the cards of a street."""
        self._bets = {}
        self._actions.append((None, f"d db {''.join(cards)}"))

    def to_published(self, event: str, start_time: str) -> PublishedHand:
        """Returns the hand, with `start_time` in ISO 8601. Raises BadHistory if High Noon cannot deal it."""
        players = self._in_phh_order()
        player_codes = {player: f"p{number}" for number, player in enumerate(players, 1)}
        dealt = [f"d dh {player_codes[player]} {self._hole.get(player, '????')}" for player in players]
        acts = [f"{player_codes[player]} {act}" if player is not None else act for player, act in self._actions]
        stacks = tuple(parse_chips(self._players[player].stack) for player in players)
        ante = max(self._posts["ante"].values(), default=Decimal(0))
        antes = [ante if player in self._posts["ante"] else Decimal(0) for player in players]
        finishing_stacks = tuple(self._players[player].stack - self._net_paid[player] for player in players)
        return PublishedHand(
            where=self._where,
            # If two play, the big blind is PHH's first player, but PHH lists the small blind's ante first.
            antes=tuple(antes[::-1] if len(antes) == 2 else antes),
            blinds=(self._small, self._big, *[Decimal(0)] * (len(players) - 2)),
            min_bet=self._big,
            stacks=stacks,
            finishing_stacks=finishing_stacks if self._total_won and not self._total_rake else (),
            actions=(*dealt, *acts),
            players=tuple(self._players[player].name for player in players),
            seats=tuple(self._players[player].seat for player in players),
            event=event,
            start_time=start_time,
            replay_difference="the site kept a rake, but High Noon does not: winners get more here"
            if self._total_rake
            else "",
        )

    def _add_act(self, player: Player, act: str) -> None:
        self._players_in_hand.add(player)
        self._actions.append((player, act))

    def _pay(self, player: Player, amount: Decimal) -> None:
        if amount > 0:
            self._players_in_hand.add(player)
        self._net_paid[player] += amount

    def _in_phh_order(self) -> list[Player]:
        """Returns the players who got cards, from the small blind on. If two play, the big blind comes first."""
        clockwise = sorted(self._players_in_hand, key=lambda player: self._players[player].seat)
        if len(clockwise) < 2:
            raise BadHistory("fewer than two players are in the hand")
        for blind in ("small", "big"):
            if not self._posts[blind]:
                raise BadHistory(f"nobody posts the {blind} blind, but in High Noon somebody must")
        small, big = (next(iter(self._posts[blind])) for blind in ("small", "big"))
        first_index = clockwise.index(small)
        clockwise = clockwise[first_index:] + clockwise[:first_index]
        if clockwise[1] != big:
            raise BadHistory("the player after the small blind does not post the big blind")
        return clockwise[::-1] if len(clockwise) == 2 else clockwise
