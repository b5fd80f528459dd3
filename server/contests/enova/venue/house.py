"""House bots (High Noon's own bots) of the contest Enova.

Start one with `python -m server.contests.enova.venue.house --name NAME --style loose --seed 7`. The option `--register
http://host:port` enters the bot in a tournament. Bots read nested forms and answer with actions. The module `styles`
decides for them. There, amounts are in hundredths of the big blind.
"""

import json
import random
import sys
from collections.abc import Mapping
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from server.bots.house.http_program import HOST, run_house_bot
from server.bots.house.styles import Situation, Style, choose_decision
from server.contests.enova.forms import Form, bet_of, cards_of, parse_nested_form
from server.game.decisions import Decision, Fold, RaiseTo

STYLE_BIG_BLIND = 100
"""The big blind in the units of `styles`."""
REGISTER_SECONDS = 10.0


class EnovaHouseBot:
    """One bot. It remembers the big blind and its chips at the start of the hand, because requests do not contain
    them.
    """

    def __init__(self, style: Style, dice: random.Random) -> None:
        self._style = style
        self._dice = dice
        self._big_blind = 2
        self._hand = ""
        self._starting_chips = 0

    def answer(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Returns the status and body of the bot's answer to a request."""
        if path != "/player/action":
            return (200, b"OK") if path in ("/player/ready", "/player/seat", "/player/notify") else (404, b"")
        return 200, json.dumps(self._act(parse_nested_form(body))).encode()

    def _act(self, form: Form) -> Mapping[str, object]:
        minimum = int(form["minimum_bet"])
        if form["hand_identifier"] != self._hand:
            self._hand, self._starting_chips = form["hand_identifier"], int(form["your_chips"])
        if form["blind"] == "true":
            self._big_blind = max(self._big_blind, minimum)
            return self._answer("blind", minimum)
        decision = choose_decision(self._style, self._situation(form), self._dice)
        if isinstance(decision, Fold):
            return {"action": "fold"}
        return self._answer("bet", self._bet(decision, minimum, int(form["maximum_bet"])))

    def _answer(self, action: str, amount: int) -> Mapping[str, object]:
        """Returns the answer. Some styles write the amount as text, as the sample bot does."""
        return {"action": action, "amount": str(amount) if self._style.digits_as_text else amount}

    def _bet(self, decision: Decision, minimum: int, maximum: int) -> int:
        total = decision.raise_to * self._big_blind // STYLE_BIG_BLIND if isinstance(decision, RaiseTo) else minimum
        return max(min(total, maximum), minimum)

    def _situation(self, form: Form) -> Situation:
        """Returns the situation of this bot. The bot is the first active player in the form. A player's chips in the
        form include the bet on this street.
        """
        own_entry, *others = form["active_players"].values()
        bet, chips = bet_of(own_entry), int(form["your_chips"])
        earlier_pot = (self._starting_chips - chips) * (len(others) + 1)
        return Situation(
            hole=cards_of(form["your_hand"]),
            board=cards_of(form.get("community_cards", {})),
            bet=self._style_chips(bet),
            stack=self._style_chips(chips - bet),
            current_bet=self._style_chips(int(form["minimum_bet"])),
            pot=self._style_chips(earlier_pot + bet + sum(map(bet_of, others))),
            opponents=len(others),
        )

    def _style_chips(self, chips: int) -> int:
        return chips * STYLE_BIG_BLIND // self._big_blind


def register(base: str, port: int, name: str) -> None:
    """Registers the bot on this machine's `port` for the tournament at `base`. Raises OSError or SystemExit."""
    form = urlencode({"hostname": f"{HOST}:{port}", "name": name}).encode()
    opener = build_opener(ProxyHandler({}))
    try:
        opener.open(f"{base}/tournament/register", form, REGISTER_SECONDS).close()
    except HTTPError as refused:
        raise SystemExit(f"{name} was refused: {refused.read(4096).decode(errors='replace')}") from None


if __name__ == "__main__":
    run_house_bot(EnovaHouseBot, sys.argv[1:], register)
