"""Lets a program play in the contest Enova: reads the server's requests, and writes answers. No I/O."""

import json
import re
from typing import get_args
from urllib.parse import urlencode

from server.bots.dialects.agent import Move
from server.bots.dialects.http_calls import Request
from server.bots.dialects.wire import Choice, LineWire, Opponent, Question, Spot, comment_fields
from server.contests.enova.forms import Form, bet_of, cards_of, parse_nested_form
from server.game.events import Street

_STREETS: dict[str, Street] = {"pre_flop" if street == "preflop" else street: street for street in get_args(Street)}


class EnovaWire(LineWire):
    """Reads the forms that one bot gets, and writes its answers. Forms do not contain the pot, so bets are added up."""

    action_path = "/player/action"
    paths = frozenset({"/player/action", "/player/seat", "/player/notify", "/player/ready"})

    def __init__(self) -> None:
        self._hand = ""
        self._starting_chips: dict[str, int] = {}
        self._chips_left: dict[str, int] = {}
        """How many chips each player of the hand has left, keyed by name: the chips in the latest form that listed the
        player, minus the player's bet in that form.
        """
        self._bet_to_match = 0
        """The amount in the bot's answer if the bot calls."""

    def registration(self, name: str, secret: str, address: str) -> Request | None:
        form = urlencode({"hostname": address, "name": name}).encode()
        return Request("POST", "/tournament/register", form, "application/x-www-form-urlencoded")

    def read(self, message: bytes) -> Question:
        form = parse_nested_form(message)
        players: list[Form] = list(form["active_players"].values())
        self._bet_to_match, maximum = int(form["minimum_bet"]), int(form["maximum_bet"])
        self._track_chips(form["hand_identifier"], players)
        chips, bet = int(form["your_chips"]), bet_of(players[0])
        spot = Spot(
            hand=int("".join(re.findall("[0-9]", form["hand_identifier"]))),
            street=_STREETS[form["betting_phase"]],
            you=0,
            your_cards=cards_of(form["your_hand"]),
            board=cards_of(form.get("community_cards", {})),
            pot=sum(self._starting_chips[name] - chips_left for name, chips_left in self._chips_left.items()),
            to_call=min(self._bet_to_match, chips) - bet,
            your_chips=chips - bet,
            your_bet=bet,
            others=tuple(_opponent(seat, player) for seat, player in enumerate(players) if seat),
            legal=_legal_moves(self._bet_to_match, maximum, bet, is_blind=form["blind"] == "true"),
        )
        return Question(spot, {seat: player["name"] for seat, player in enumerate(players)})

    def write(self, choice: Choice) -> bytes:
        answer: dict[str, str | int] = {"action": "fold"}
        if choice.action != "fold":
            action = "blind" if choice.action == "post_blind" else "bet"
            answer = {"action": action, "amount": choice.amount if choice.action == "raise" else self._bet_to_match}
        return json.dumps({**answer, **comment_fields(choice)}, ensure_ascii=False).encode()

    def _track_chips(self, hand: str, players: list[Form]) -> None:
        if hand != self._hand:
            self._hand, self._starting_chips, self._chips_left = hand, {}, {}
        for player in players:
            chips = int(player["chips"])
            self._starting_chips.setdefault(player["name"], chips)
            self._chips_left[player["name"]] = chips - bet_of(player)


def _legal_moves(minimum: int, maximum: int, bet: int, *, is_blind: bool) -> tuple[Move, ...]:
    if is_blind:
        return Move("post_blind", minimum), Move("fold", 0)
    call = Move("call", minimum - bet) if minimum > bet else Move("check", 0)
    return Move("fold", 0), call, *([Move("raise", min=minimum + 1, max=maximum)] if maximum > minimum else [])


def _opponent(seat: int, player: Form) -> Opponent:
    bet = bet_of(player)
    chips_left = int(player["chips"]) - bet
    return Opponent(seat, chips_left, bet, "active" if chips_left else "all_in")
