"""House bots (High Noon's own bots) of the contest Arena.

Start one with `python -m server.contests.arena.venue.house --name NAME --style loose --seed 7`. The bots read game
states and answer with actions. The module `styles` decides for them. There, amounts are in hundredths of the big blind.
"""

import json
import random
import sys
from typing import Any

from server.bots.house.http_program import run_house_bot
from server.bots.house.styles import Situation, Style, choose_decision
from server.game.decisions import Decision, Fold, RaiseTo

State = dict[str, Any]
"""A game state. High Noon's own server sends it, so the bot does not check it."""
STYLE_BIG_BLIND = 100
"""The big blind in the units of `styles`."""


class ArenaHouseBot:
    """One bot. It keeps no state, because every request has the whole game state."""

    def __init__(self, style: Style, dice: random.Random) -> None:
        self._style = style
        self._dice = dice

    def answer(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Returns the status and body of the bot's answer to a request."""
        if path == "/health":
            return 200, b'{"status": "healthy"}'
        if path != "/action":
            return 404, b""
        state = json.loads(body)
        decision = choose_decision(self._style, situation_in(state), self._dice)
        return 200, json.dumps(action_for(decision, state)).encode()


def situation_in(state: State) -> Situation:
    """Returns the situation of the bot whose turn it is, with amounts in the units of `styles`."""
    own_player = state["players"][state["current_player"]]
    others = (player for player in state["players"].values() if player is not own_player)
    big = state["big_blind"]
    return Situation(
        hole=tuple(own_player["hole_cards"]),
        board=tuple(state["community_cards"]),
        bet=own_player["current_bet"] * STYLE_BIG_BLIND // big,
        stack=own_player["chips"] * STYLE_BIG_BLIND // big,
        current_bet=state["current_bet"] * STYLE_BIG_BLIND // big,
        pot=state["pot"] * STYLE_BIG_BLIND // big,
        opponents=sum(player["state"] in ("active", "all_in") for player in others),
    )


def action_for(decision: Decision, state: State) -> State:
    """Returns the valid action nearest to `decision`, as the fields of the answer."""
    amount_by_action = {action["action"]: action["amount"] for action in state["valid_actions"]}
    if isinstance(decision, RaiseTo):
        raise_to = decision.raise_to * state["big_blind"] // STYLE_BIG_BLIND
        if raises := amount_by_action.get("raise"):
            return {"action": "raise", "amount": min(max(raise_to, raises["min"]), raises["max"])}
        if "all_in" in amount_by_action:
            return {"action": "all_in", "amount": amount_by_action["all_in"]}
    check = "check" if "check" in amount_by_action else ""
    action = check or ("fold" if isinstance(decision, Fold) else "call")
    return {"action": action, "amount": amount_by_action[action]}


if __name__ == "__main__":
    run_house_bot(ArenaHouseBot, sys.argv[1:])
