"""Tries a bot in every situation of its contest, and reports in which situations it answers as the rules demand."""

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from server.app.decisions.faults import describe_fault
from server.bots.bot import Answer
from server.bots.message_records import BotFault, Record
from server.contests import CONTESTS
from server.contests.probe_situations import LONG_NAMES, MessageQuirk, Situation, deck_for
from server.game.decisions import Action, Decision, IllegalAction
from server.game.events import BotDisconnected, ChatSent, Entrant, Event, Street, TurnStarted
from server.game.hand import Hand, blind_seats
from server.game.view import View
from server.journal.bus import Bus
from server.tournament.dealer import SeatedBot, Table
from server.tournament.resumable_log import ResumableLog

CHAT_STORM_SIZE = 60
"""In a chat storm, the bot gets this many chats at once."""
GOOD_TIME_SHARE = 0.5
"""If a bot's slowest answer takes more than this share of the bot's time, the bot gets a remark. Such a bot might
answer too late on a busy machine.
"""
HURRIED_MS = 1
"""To make the bot late on purpose, the trial gives it only this many milliseconds for a decision."""
MAX_TIMEOUTS_IN_A_ROW = 3
"""The trial stops after this many timeouts in a row."""
PACE_CHECK, SILENCE_CHECK = "answers in good time", "acts only when it is asked"
"""The names of the checks that cover all situations together."""
ALL_STREETS: set[Street] = set(get_args(Street))
OTHER_NAMES = ("Ada", "Bo", "Cy", "Dee", "Eli")


class Check(Struct, frozen=True):
    """One check of a bot. `rule` is the contest's rule, and `ok` says whether the bot passed. `said` describes what the
    bot did, and `expected` says what it should have done.

    If the bot passed, `expected` is advice, or "".
    """

    name: str
    rule: str
    ok: bool
    said: str
    expected: str
    tried: bool = True
    """Whether the situation was tried. After a bot has disconnected or stopped answering, no further situation is
    tried.
    """


class _Turn(Struct, frozen=True):
    hand: Hand
    turn: TurnStarted
    answer: Answer


class BotOnTrial:
    """The bot on trial. Records its turns and, in some situations, refuses an answer or hurries the bot."""

    def __init__(self, bot: SeatedBot, message_quirk: MessageQuirk) -> None:
        self.turns: list[_Turn] = []
        self._bot = bot
        self.notified_events, self.notify = bot.notified_events, bot.notify
        self._quirk = message_quirk

    @property
    def streets(self) -> set[Street]:
        """The streets on which the bot has acted."""
        return {turn.hand.street for turn in self.turns}

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        """Asks the bot to act. `resolve` turns a decision into an action, or raises IllegalAction. In some situations,
        the bot gets little time or many chats, or its first answer is refused.
        """
        turn = view.hand.turn
        assert turn is not None, "a bot is asked only when it must act"
        is_first_turn = not self.turns
        if is_first_turn and self._quirk == "late":
            turn = replace(turn, think_ms=HURRIED_MS)
            view = replace(view, hand=replace(view.hand, turn=turn))
        if is_first_turn and self._quirk == "chat storm" and ChatSent in self._bot.notified_events:
            for number in range(CHAT_STORM_SIZE):
                self._bot.notify(ChatSent(2, f"{number}: I have seen better hands on a clock, {{friend}}!"), view)
        answer = await self._bot.ask(
            view, _refuse_first(resolve) if is_first_turn and self._quirk == "refused" else resolve
        )
        self.turns.append(_Turn(view.hand, turn, answer))
        return answer


def _refuse_first(resolve: Callable[[Decision], Action]) -> Callable[[Decision], Action]:
    refused: list[Decision] = []

    def resolve_later(decision: Decision) -> Action:
        if not refused:
            refused.append(decision)
            raise IllegalAction("it is refused once, to see whether the bot continues")
        return resolve(decision)

    return resolve_later


class _ScriptedBot:
    """Another bot at the table, which follows a script."""

    notified_events: tuple[type[Event], ...] = ()

    def __init__(self, situation: Situation) -> None:
        self._script = situation.others

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        return Answer(resolve(self._script(view.hand)), 0)

    def notify(self, event: Event, view: View) -> None:
        pass


class Trial(Record):
    """The trial of one bot, which is entrant number 1."""

    def __init__(
        self, contest_id: str, name: str, situations: Sequence[Situation] | None = None, seed: bytes = bytes(32)
    ) -> None:
        """Prepares a trial in the given `situations`, by default in all. `seed` decides the cards."""
        self.message_quirk: MessageQuirk = ""
        """What is unusual about messages in this situation, or "". Connections read `message_quirk` before they send a
        message.
        """
        self._situations = tuple(CONTESTS[contest_id].situations() if situations is None else situations)
        self._seed = seed
        self.entrants = [Entrant(bot, bot_name) for bot, bot_name in enumerate((name, *OTHER_NAMES), 1)]
        self._contest = CONTESTS[contest_id]
        self._rules = self._contest.format.rules
        self._bot_faults: list[BotFault] = []
        self._disconnect_reason = ""
        self._unanswered_in_a_row = 0
        """How many requests in a row the bot has not answered in time."""
        self._counted_turns: list[_Turn] = []

    def apply(self, event: Event) -> None:
        """Applies an event that the bot caused out of turn."""
        if isinstance(event, BotDisconnected):
            self._disconnect_reason = event.reason

    def record_fault(self, bot_fault: BotFault) -> None:
        """Records a fault of the bot."""
        self._bot_faults.append(bot_fault)

    async def run(self, bot: SeatedBot, on_check: Callable[[Check], object]) -> list[Check]:
        """Tries all situations. Calls `on_check` with each check as soon as the check is made."""
        checks: list[Check] = []
        for number, situation in enumerate(self._situations, 1):
            checks.append(await self._try_situation(bot, number, situation))
            on_check(checks[-1])
        for check in (self._check_pace(), self._check_silence()):
            checks.append(check)
            on_check(check)
        return checks

    async def _try_situation(self, bot: SeatedBot, number: int, situation: Situation) -> Check:
        if self._disconnect_reason or self._unanswered_in_a_row >= MAX_TIMEOUTS_IN_A_ROW:
            silent = f"it gave no valid answer in time {MAX_TIMEOUTS_IN_A_ROW} times in a row"
            why = f"it had left: {self._disconnect_reason}" if self._disconnect_reason else silent
            expected = "it stays and answers to the end"
            return Check(situation.name, situation.rule, False, f"not tried: {why}", expected, tried=False)
        bot_on_trial = BotOnTrial(bot, situation.message_quirk)
        self.message_quirk, earlier_faults = situation.message_quirk, len(self._bot_faults)
        table = self._make_table(number, situation, bot_on_trial)
        for hand in range(1, situation.hands + 1):
            if not self._disconnect_reason and not (situation.all_streets and bot_on_trial.streets == ALL_STREETS):
                await self._play(table, situation, hand)
        self.message_quirk = ""
        counted_turns = bot_on_trial.turns[1:] if situation.message_quirk in ("late", "refused") else bot_on_trial.turns
        self._counted_turns += counted_turns
        for turn in counted_turns:
            self._unanswered_in_a_row = self._unanswered_in_a_row + 1 if _is_late(turn) else 0
        faulty_turn = next((turn for turn in counted_turns if turn.answer.fault), None)
        if faulty_turn is None and situation.all_streets and (unseen := ALL_STREETS - bot_on_trial.streets):
            said = f"in {situation.hands} hands it never had to act on the {' and the '.join(sorted(unseen))}"
            return Check(situation.name, situation.rule, True, said, "how it acts there is not known")
        if faulty_turn is None and (counted_turns or not bot_on_trial.turns):
            return Check(situation.name, situation.rule, True, f"{len(bot_on_trial.turns)} valid answers", "")
        failed = faulty_turn or bot_on_trial.turns[-1]
        said = (
            f"it left: {self._disconnect_reason}"
            if self._disconnect_reason
            else describe_fault(failed.answer.fault, self._bot_faults[earlier_faults:])
        )
        return Check(
            situation.name, situation.rule, False, said, self._contest.rule_texts.legal_answers_text(failed.hand)
        )

    def _make_table(self, number: int, situation: Situation, bot_on_trial: BotOnTrial) -> Table:
        other_names = LONG_NAMES if situation.long_names else OTHER_NAMES
        bots: list[SeatedBot] = [_ScriptedBot(situation) for _ in range(situation.seats)]
        bots[situation.seat] = bot_on_trial
        scripted = (replace(entrant, name=name) for entrant, name in zip(self.entrants[1:], other_names, strict=True))
        entrants = [self.entrants[0] if seat == situation.seat else next(scripted) for seat in range(situation.seats)]
        log = ResumableLog(Bus(None, time.monotonic), lambda _: None)
        return Table(self._rules, number, tuple(entrants), tuple(bots), log)

    async def _play(self, table: Table, situation: Situation, hand: int) -> None:
        """Plays a hand. Seat 0 acts first, and the last seat has the big blind."""
        chips = self._contest.format.starting_stack
        stacks = [chips] * situation.seats
        if situation.stack_bb:  # changes two stacks, because in some contests the total must stay the same
            stack = round(situation.stack_bb * self._rules.levels[0].big)
            stacks[situation.seat] = stack
            stacks[situation.seat - 1] += chips - stack
        if situation.neighbour_is_out:
            stacks[situation.seat - 1] = 0
        seats, last_seat = range(situation.seats), situation.seats - 1
        button = next(seat for seat in seats if blind_seats(self._rules, seat, stacks)[1] == last_seat)
        await table.play_hand(hand, button, stacks, deck_for(situation, hand, self._seed))

    def _check_pace(self) -> Check:
        rule = f"An answer counts if it comes within {self._rules.think_ms / 1000:g} s."
        # With `starts_with_game`, a bot's program starts only when its game starts, so the bot's first turn is slow.
        timed_turns = self._counted_turns[self._contest.starts_with_game :]
        times = [turn.answer.think_ms for turn in timed_turns if turn.answer.fault != "disconnected"]
        slowest, good_time_ms = max(times, default=0), GOOD_TIME_SHARE * self._rules.think_ms
        said = f"half of its answers within {median(times or [0]):.0f} ms, the slowest {slowest} ms"
        if any(map(_is_late, self._counted_turns)):
            late_faults = [fault for fault in self._bot_faults if fault.late and _had_full_time(fault)]
            said = "; ".join([said, *(fault.reason for fault in late_faults)][:2])
            return Check(PACE_CHECK, rule, False, said, f"all within {self._rules.think_ms} ms")
        advice = f"better all within {good_time_ms:.0f} ms, because a busy machine needs some of the time"
        return Check(PACE_CHECK, rule, True, said, advice if slowest > good_time_ms else "")

    def _check_silence(self) -> Check:
        unasked = [fault.reason for fault in self._bot_faults if "not requested" in fault.reason]
        rule, expected = "A bot acts when it is asked, once.", "one action for each request"
        return Check(SILENCE_CHECK, rule, not unasked, "; ".join(unasked[:1]), expected if unasked else "")


def _had_full_time(bot_fault: BotFault) -> bool:
    """Whether the bot had its full time to answer. In some situations, the trial shortens the time to make the bot
    late.
    """
    return bool(bot_fault.hand and bot_fault.hand.turn and bot_fault.hand.turn.think_ms > HURRIED_MS)


def _is_late(turn: _Turn) -> bool:
    """Whether the time ran out without a valid answer."""
    return bool(turn.answer.fault) and turn.answer.think_ms >= turn.turn.think_ms


def count_passed(checks: Sequence[Check]) -> int:
    """Returns the number of passed checks."""
    return sum(check.ok for check in checks)
