"""House bots (bots that come with this program) for practice tables. They run in this process without a connection.
Some of them chat.

A bot sees only what any other bot would see in the same seat. The module `styles` makes the decisions. In `styles`,
amounts are in hundredths of the big blind.
"""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence

from server.bots.bot import Answer
from server.bots.house.styles import Occasion, Situation, Style, chat_line, choose_decision, pause_of
from server.bots.transports.tcp import MESSAGE_GAP_SECONDS
from server.game.decisions import Action, Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import ChatSent, Event, HandEnded, TurnStarted
from server.game.hand import Hand
from server.game.view import View

STYLE_BIG_BLIND = 100
"""The big blind in the units of `styles`."""
MIN_CHAT_GAP_SECONDS = 6.0
"""The shortest time between two chats of a bot. The server requires 5 seconds."""
REPLY_CHANCE = 0.15
"""The chance that a bot replies to a chat, from 0 to 1. It is low because every bot at the table may reply."""


class InProcessBot:
    """A house bot without a connection."""

    notified_events: tuple[type[Event], ...] = ()
    """The bot keeps no state, so it needs no news."""
    min_pause_seconds = 0.0

    def __init__(self, bot: int, style: Style, dice: random.Random, think_seconds: float = 0.0) -> None:
        """`bot` is the bot's number. `dice` makes its random choices. The bot thinks for at most `think_seconds`."""
        self.id = bot
        self._style = style
        self._dice = dice
        self._think_seconds = think_seconds

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Returns the action that the bot's style chooses, after a pause. The action is always legal. `resolve` turns a
        decision into an action under the rules.
        """
        pause = max(pause_of(self._style, self._think_seconds, self._dice), self.min_pause_seconds)
        await asyncio.sleep(pause)  # Even a pause of 0 lets other tasks run.
        decision = decision_at(view, self._style, self._dice)
        return Answer(resolve(decision), round(pause * 1000))

    def notify(self, event: Event, view: View) -> None:
        """Does nothing."""


def decision_at(view: View, style: Style, dice: random.Random) -> Decision:
    """Returns the decision of a bot of this style in the seat of `view`. The bot posts every blind."""
    turn = view.turn
    if turn.blind:
        return PostBlind(turn.to_call)
    decision = choose_decision(style, situation_at(view), dice)
    if isinstance(decision, RaiseTo):
        return _raise_within(decision.raise_to, view.hand, turn)
    return Call() if isinstance(decision, Fold) and turn.to_call == 0 else decision


def situation_at(view: View) -> Situation:
    """Returns the situation of the seat of `view`, in the units of `styles`."""
    hand, own_seat = view.hand, view.hand.seats[view.seat]
    return Situation(
        hole=own_seat.cards,
        board=hand.board,
        bet=_style_chips(own_seat.bet, hand),
        stack=_style_chips(own_seat.stack, hand),
        current_bet=_style_chips(hand.current_bet, hand),
        pot=_style_chips(sum(seat.committed for seat in hand.seats), hand),
        opponents=len(hand.live) - 1,
    )


def _raise_within(style_total: int, hand: Hand, turn: TurnStarted) -> Decision:
    """Returns the legal raise nearest to `style_total`. If no raise is legal, returns a call."""
    if not turn.max_raise_to:
        return Call()
    raise_to = style_total * hand.big_blind // STYLE_BIG_BLIND
    return RaiseTo(min(max(raise_to, turn.min_raise_to), turn.max_raise_to))


def _style_chips(chips: int, hand: Hand) -> int:
    return chips * STYLE_BIG_BLIND // hand.big_blind


class Talker:
    """The chat of one bot. It uses the clock of the running event loop."""

    def __init__(self, style: Style, dice: random.Random, send: Callable[[str], object]) -> None:
        """`send` is called with each chat."""
        self._style = style
        self._dice = dice
        self._send = send
        self._talked_at = float("-inf")

    def talk(self, occasion: Occasion, mentioned_name: str) -> None:
        """Sometimes chats about an occasion, and may mention `mentioned_name`. Does not chat twice within
        MIN_CHAT_GAP_SECONDS.
        """
        now = asyncio.get_running_loop().time()
        if now - self._talked_at < MIN_CHAT_GAP_SECONDS:
            return
        if text := chat_line(self._style, occasion, mentioned_name, self._dice):
            self._talked_at = now
            self._send(text)

    def reply_to(self, author: str) -> None:
        """Sometimes replies to a chat by `author`."""
        if self._dice.random() < REPLY_CHANCE:
            self.talk("heard", author)

    def talk_about_hand(
        self, own_seat: int, bets: Mapping[int, int], winners: Sequence[int], names: Mapping[int, str], stack: int
    ) -> None:
        """Sometimes chats about a finished hand in which seat `own_seat` has bet. `stack` is that seat's new stack."""
        if not winners or not bets.get(own_seat):
            return
        if own_seat in winners:
            losers = [other for other, bet in bets.items() if bet and other not in winners]
            self.talk("won", names[self._dice.choice(losers)] if losers else "folks")
        else:
            self.talk("lost" if stack else "busted", names[winners[0]])


class TalkingBot(InProcessBot):
    """A house bot without a connection that also chats."""

    notified_events = (HandEnded, ChatSent)
    min_pause_seconds = MESSAGE_GAP_SECONDS
    """The shortest pause before an action. Without this pause, hands could end so fast that messages pile up for bots
    that are out of the game.
    """

    def __init__(
        self, bot: int, style: Style, dice: random.Random, think_seconds: float, notify: Callable[[Event], object]
    ) -> None:
        """Takes the arguments of `InProcessBot`, and `notify`, which is called with each chat of the bot."""
        super().__init__(bot, style, dice, think_seconds)
        self._talker = Talker(style, dice, lambda text: notify(ChatSent(bot, text)))

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Returns an action as `InProcessBot.ask` does, and sometimes chats about the action."""
        answer = await super().ask(view, resolve)
        own_seat = view.hand.seats[view.seat]
        if answer.action and answer.action.act == "fold":
            self._talk_later("folded")
        elif (
            answer.action
            and answer.action.act in ("bet", "raise")
            and answer.action.bet == own_seat.bet + own_seat.stack
        ):
            self._talk_later("all in")
        return answer

    def notify(self, event: Event, view: View) -> None:
        """Sometimes chats about a finished hand, or replies to a chat."""
        hand = view.hand
        if isinstance(event, HandEnded):
            bets = {index: seat.committed for index, seat in enumerate(hand.seats)}
            winners = [award.seat for award in hand.pot_awards[0].awards] if hand.pot_awards else []
            names = {seat: entrant.name for seat, entrant in enumerate(view.entrants)}
            self._talker.talk_about_hand(view.seat, bets, winners, names, hand.seats[view.seat].stack)
        elif isinstance(event, ChatSent) and event.bot != self.id:
            self._talker.reply_to(next((entrant.name for entrant in view.entrants if entrant.bot == event.bot), ""))

    def _talk_later(self, occasion: Occasion) -> None:
        """Sometimes chats, but only after the caller has recorded the action."""
        asyncio.get_running_loop().call_soon(self._talker.talk, occasion, "")
