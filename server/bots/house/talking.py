"""House bots of a practice table at which bots chat, in this process: they decide as all house bots do, and chat."""

import asyncio
import random
from collections.abc import Callable

from server.bots.bot import Answer
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import Occasion, Style, say
from server.bots.transports.tcp import GAP_SECONDS
from server.game.decisions import Action, Decision
from server.game.events import ChatSent, Event, HandEnded
from server.game.view import View

TALK_SECONDS = 6.0
"""The least time between two chats of a bot: a little more than the 5 seconds after which a chat is passed on."""
REPLY_SHARE = 0.15
"""How often a bot answers a chat, as a share: every bot gets every chat."""


class Talker:
    """What one bot says when there is something to say. It needs a running event loop, for the time."""

    def __init__(self, style: Style, dice: random.Random) -> None:
        self._style = style
        self._dice = dice
        self._talked_at = float("-inf")

    def remark(self, occasion: Occasion, about: str) -> str:
        """A chat for the occasion that names `about`; "" for none, or too soon after the last one."""
        now = asyncio.get_running_loop().time()
        if now - self._talked_at < TALK_SECONDS:
            return ""
        if text := say(self._style, occasion, about, self._dice):
            self._talked_at = now
        return text


class TalkingBot(InProcessBot):
    """One house bot that is seated without a connection, and chats."""

    news = (HandEnded, ChatSent)
    least_pause_seconds = GAP_SECONDS
    """So that no more hands end than a bot that is out of the game can be told of, one message after the other."""

    def __init__(
        self, bot: int, style: Style, dice: random.Random, think_seconds: float, notify: Callable[[Event], object]
    ) -> None:
        """As `InProcessBot`; `notify` is called with each ChatSent."""
        super().__init__(bot, style, dice, think_seconds)
        self._talker = Talker(style, dice)
        self._notify = notify

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """As `InProcessBot.ask`; it may say something about its action."""
        answer = await super().ask(view, resolve)
        me = view.hand.seats[view.seat]
        if answer.action and answer.action.act == "fold":
            self._talk_later("folded")
        elif answer.action and answer.action.act in ("bet", "raise") and answer.action.bet == me.bet + me.stack:
            self._talk_later("all in")
        return answer

    def tell(self, event: Event, view: View) -> None:
        """It may say something about the hand that is over, or answer a chat."""
        if isinstance(event, HandEnded):
            self._talk_about(view)
        elif isinstance(event, ChatSent) and event.bot != self.id and self._dice.random() < REPLY_SHARE:
            author = next((entrant.name for entrant in view.entrants if entrant.bot == event.bot), "")
            self._talk("heard", author)

    def _talk_about(self, view: View) -> None:
        """Chats about a hand that is over, if the bot has bet in it."""
        hand = view.hand
        names = [entrant.name for entrant in view.entrants]
        winners = [award.seat for award in hand.awarded[0].awards] if hand.awarded else []
        if not winners or not hand.seats[view.seat].committed:
            return
        if view.seat in winners:
            losers = [at for at, seat in enumerate(hand.seats) if seat.committed and at not in winners]
            self._talk("won", names[self._dice.choice(losers)] if losers else "folks")
        else:
            self._talk("lost" if hand.seats[view.seat].stack else "busted", names[winners[0]])

    def _talk_later(self, occasion: Occasion) -> None:
        """Once the action is in the journal, without a break after it."""
        asyncio.get_running_loop().call_soon(self._talk, occasion, "")

    def _talk(self, occasion: Occasion, about: str) -> None:
        if text := self._talker.remark(occasion, about):
            self._notify(ChatSent(self.id, text))
