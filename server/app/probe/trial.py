"""Tries a bot in every situation of its contest, and reports which ones it masters."""

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from server.app.decisions.faults import shown
from server.bots.bot import Answer
from server.bots.record import Record, Wrong
from server.contests import CONTESTS
from server.contests.situations import LONG_NAMES, Manner, Situation, deck_for
from server.game.decisions import Action, Decision, IllegalAction
from server.game.events import BotDisconnected, ChatSent, Entrant, Event, Fault, Street, TurnStarted
from server.game.hand import Hand, blind_seats
from server.game.view import View
from server.journal.bus import Bus
from server.tournament.dealer import Seated, Table
from server.tournament.resumable_log import ResumableLog

SEATS = 6
"""The most bots at a table in a trial."""
STORM = 60
"""The number of chats in a storm."""
SOON = 0.5
"""A bot that uses more than this share of its time gets a remark: on a busy evening it may be late."""
HURRIED_MS = 1
"""The thinking time of a bot that is made late on purpose."""
PATIENCE = 3
"""After this many consecutive timeouts without a valid answer, the trial stops."""
PACE, SILENCE = "answers in good time", "acts only when it is asked"
"""The checks of all situations together."""
ALL_STREETS: set[Street] = set(get_args(Street))
OTHERS = ("Ada", "Bo", "Cy", "Dee", "Eli")


class Check(Struct, frozen=True):
    """One check: the contest's rule, whether the bot passed, what it said, and what was expected.

    For a passed check, `expected` is what would be even better; "" without a remark.
    """

    name: str
    rule: str
    ok: bool
    said: str
    expected: str
    tried: bool = True
    """Whether the check was made; a bot that has left cannot be tried further."""


class _Asked(Struct, frozen=True):
    hand: Hand
    turn: TurnStarted
    answer: Answer


class Tried:
    """The bot on trial at the table: records its questions and answers; refuses or hurries it if the situation does."""

    def __init__(self, bot: Seated, manner: Manner) -> None:
        self.asked: list[_Asked] = []
        self._bot = bot
        self.news, self.notify = bot.news, bot.notify
        self._manner = manner

    @property
    def streets(self) -> set[Street]:
        """The streets on which the bot has acted."""
        return {each.hand.street for each in self.asked}

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Asks the bot in the manner of the situation."""
        turn = view.hand.turn
        assert turn is not None, "it is its turn"
        first = not self.asked
        if first and self._manner == "late":
            turn = replace(turn, think_ms=HURRIED_MS)
            view = replace(view, hand=replace(view.hand, turn=turn))
        if first and self._manner == "chat storm" and ChatSent in self._bot.news:
            for number in range(STORM):
                self._bot.notify(ChatSent(2, f"{number}: I have seen better hands on a clock, {{friend}}!"), view)
        refusing = _refusing_once(resolve) if first and self._manner == "refused" else resolve
        answer = await self._bot.ask(view, refusing)
        self.asked.append(_Asked(view.hand, turn, answer))
        return answer


def _refusing_once(resolve: Callable[[Decision], Action]) -> Callable[[Decision], Action]:
    refused: list[Decision] = []

    def resolving(decision: Decision) -> Action:
        if not refused:
            refused.append(decision)
            raise IllegalAction("it is refused once, to see whether the bot continues")
        return resolve(decision)

    return resolving


class _Other:
    """Another bot at the table, which follows a script."""

    news: tuple[type[Event], ...] = ()

    def __init__(self, situation: Situation) -> None:
        self._play = situation.others

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        return Answer(resolve(self._play(view.hand)), 0)

    def notify(self, event: Event, view: View) -> None:
        pass


class Trial(Record):
    """The trial of one bot, which is entrant number 1."""

    def __init__(
        self, contest: str, name: str, chosen: Sequence[Situation] | None = None, seed: bytes = bytes(32)
    ) -> None:
        """Tries the `chosen` situations, by default all; the cards follow from `seed`."""
        self.manner: Manner = ""
        """The present manner of sending messages; the wrappers between bot and table read it for each message."""
        self._situations = tuple(CONTESTS[contest].situations() if chosen is None else chosen)
        self._seed = seed
        self.entrants = [Entrant(number, each) for number, each in enumerate((name, *OTHERS), 1)]
        self._contest = CONTESTS[contest]
        self._rules = self._contest.format.rules
        self._wrong: list[Wrong] = []
        self._gone = ""
        self._silent = 0
        """The number of consecutive timeouts without a valid answer."""
        self._answers: list[_Asked] = []

    def hear(self, event: Event) -> None:
        """Applies an event that the bot caused out of turn."""
        if isinstance(event, BotDisconnected):
            self._gone = event.reason

    def wrong(self, wrong: Wrong) -> None:
        """Records a fault of the bot."""
        self._wrong.append(wrong)

    async def run(self, bot: Seated, hear: Callable[[Check], object]) -> list[Check]:
        """Tries all situations; calls `hear` with each check once it is known."""
        checks: list[Check] = []
        for number, situation in enumerate(self._situations, 1):
            checks.append(await self._try(bot, number, situation))
            hear(checks[-1])
        for check in (self._pace(), self._silence()):
            checks.append(check)
            hear(check)
        return checks

    async def _try(self, bot: Seated, number: int, situation: Situation) -> Check:
        if self._gone or self._silent >= PATIENCE:
            late = f"no valid answer came in time {PATIENCE} times in a row"
            why = f"it had left: {self._gone}" if self._gone else late
            expected = "it stays and answers to the end"
            return Check(situation.name, situation.rule, False, f"not tried: {why}", expected, tried=False)
        tried = Tried(bot, situation.manner)
        self.manner, before = situation.manner, len(self._wrong)
        table = self._table(number, situation, tried)
        for hand in range(1, situation.hands + 1):
            if not self._gone and not (situation.all_streets and tried.streets == ALL_STREETS):
                await self._play(table, situation, hand)
        self.manner = ""
        counted = tried.asked[1:] if situation.manner in ("late", "refused") else tried.asked
        self._answers += counted
        for each in counted:
            self._silent = self._silent + 1 if _late(each) else 0
        wrong = next((each for each in counted if each.answer.fault), None)
        if wrong is None and situation.all_streets and (unseen := ALL_STREETS - tried.streets):
            said = f"in {situation.hands} hands it never had to act on the {' and the '.join(sorted(unseen))}"
            return Check(situation.name, situation.rule, True, said, "how it acts there is not known")
        if wrong is None and (counted or not tried.asked):
            return Check(situation.name, situation.rule, True, f"{len(tried.asked)} valid answers", "")
        failed = wrong or tried.asked[-1]
        said = f"it left: {self._gone}" if self._gone else self._said(failed.answer.fault, before)
        return Check(situation.name, situation.rule, False, said, self._contest.words.expected_in(failed.hand))

    def _said(self, fault: Fault, since: int) -> str:
        """The last fault of that kind: its reason, and as much of the message as arrived."""
        found = [each for each in self._wrong[since:] if each.fault == fault and not each.late]
        if not found:
            return fault
        sent = f": {shown(found[-1].sent)}" if found[-1].sent else ""
        return f"{fault}; {found[-1].reason}{sent}"

    def _table(self, number: int, situation: Situation, tried: Tried) -> Table:
        others = LONG_NAMES if situation.long_names else OTHERS
        seated: list[Seated] = [_Other(situation) for _ in range(situation.seats)]
        seated[situation.seat] = tried
        rest = (replace(one, name=name) for one, name in zip(self.entrants[1:], others, strict=True))
        entrants = [self.entrants[0] if seat == situation.seat else next(rest) for seat in range(situation.seats)]
        log = ResumableLog(Bus(None, time.monotonic), lambda _: None)
        return Table(self._rules, number, tuple(entrants), tuple(seated), log)

    async def _play(self, table: Table, situation: Situation, hand: int) -> None:
        """Plays a hand in which seat 0 acts first and the last seat is the big blind."""
        chips = self._contest.format.starting_stack
        stacks = [chips] * situation.seats
        if situation.mine:  # the total stays the same: "the total number of chips in a game is 100"
            mine = round(situation.mine * self._rules.levels[0].big)
            stacks[situation.seat] = mine
            stacks[situation.seat - 1] += chips - mine
        if situation.one_is_out:
            stacks[situation.seat - 1] = 0
        last = situation.seats - 1
        button = next(each for each in range(situation.seats) if blind_seats(self._rules, each, stacks)[1] == last)
        await table.play_hand(hand, button, stacks, deck_for(situation, hand, self._seed))

    def _pace(self) -> Check:
        rule = f"An answer counts that comes within {self._rules.think_ms / 1000:g} s."
        begun = self._answers[self._contest.starts_with_game :]  # the start of the bot is not thinking time
        times = [each.answer.think_ms for each in begun if each.answer.fault != "disconnected"]
        slowest, soon = max(times, default=0), SOON * self._rules.think_ms
        said = f"half of its answers within {median(times or [0]):.0f} ms, the slowest {slowest} ms"
        if any(map(_late, self._answers)):
            said = "; ".join([said, *(each.reason for each in self._wrong if each.late and _in_earnest(each))][:2])
            return Check(PACE, rule, False, said, f"all within {self._rules.think_ms} ms")
        advice = f"better all within {soon:.0f} ms, because a busy machine needs some of it"
        return Check(PACE, rule, True, said, advice if slowest > soon else "")

    def _silence(self) -> Check:
        unasked = [each.reason for each in self._wrong if "nobody had asked" in each.reason]
        rule, expected = "A bot acts when it is asked, once.", "one action for each request"
        return Check(SILENCE, rule, not unasked, "; ".join(unasked[:1]), expected if unasked else "")


def _in_earnest(wrong: Wrong) -> bool:
    """Whether the bot had its full time, so that it was not made late on purpose."""
    return bool(wrong.hand and wrong.hand.turn and wrong.hand.turn.think_ms > HURRIED_MS)


def _late(asked: _Asked) -> bool:
    """Whether its time ran out without a valid answer."""
    return bool(asked.answer.fault) and asked.answer.think_ms >= asked.turn.think_ms


def passed(checks: Sequence[Check]) -> int:
    """The number of passed checks."""
    return sum(check.ok for check in checks)
