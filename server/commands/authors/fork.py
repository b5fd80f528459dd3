"""`highnoon fork RECORDING --bot NAME --with BOT`: asks a new version of a bot the questions that the old version was
asked.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, to_builtins

from server.app.recordings.recording_files import find_bot, open_recording
from server.app.sparring.bot_launcher import BotLauncher
from server.app.sparring.repeated_questions import (
    BotChoice,
    QuestionRepeater,
    RepeatedQuestion,
    count_questions,
    hands_of,
)
from server.app.sparring.sides import Side, read_sides
from server.console import ProgressBar, print_json, print_to_stderr, say
from server.errors import Refusal
from server.game.decisions import IllegalAction
from server.game.events import BotDisconnected, Entrant, Event, FaultNoted, TournamentOpened
from server.text.characters import printable

MAX_LISTED = 20
"""At most this many hands are listed as text. As JSON, all hands are printed."""
MAX_FAULTS = 5
"""The maximum number of different faults to print."""


class Comparison(Struct, frozen=True):
    """The answers of the old and the new version of a bot, compared."""

    bot: str
    questions: int
    """How many questions the old version answered without a fault."""
    acts: Counter[str]
    """How often the old version took each action."""
    changed_questions: tuple[RepeatedQuestion, ...]
    """The questions that the new version answers differently."""


async def fork(path: Path, name: str, text: str, *, as_json: bool) -> int:
    """Asks a new version of the bot `name` the questions that the old version was asked in a recording. Prints where
    their answers differ.

    `text` is the new version: a folder, a command or an address. Returns 0. Raises OSError or JournalDamaged if the
    recording cannot be read. Raises Refusal if there is no such bot or the bot was never asked.
    """
    events = [entry.event for entry in open_recording(path).entries]
    opened, entrant = find_bot(path, events, name)
    (side,) = read_sides([text], opened.contest)
    with tempfile.TemporaryDirectory(prefix="highnoon-fork-", ignore_cleanup_errors=True) as work:
        try:
            comparison = await _ask_all(opened, entrant, side, events, Path(work))
        except (IllegalAction, LookupError, ValueError):
            raise Refusal(f"{path} contradicts itself. To see where, run: highnoon verify {path}") from None
    if as_json:
        print_json(_as_json(comparison))
    else:
        for line in _summary_lines(comparison):
            say(line)
    return 0


async def _ask_all(
    opened: TournamentOpened, entrant: Entrant, side: Side, events: Sequence[Event], work_folder: Path
) -> Comparison:
    """Asks all questions. Raises Refusal if the bot disconnects early. Also raises the errors of
    `QuestionRepeater.ask`.
    """
    hands, bot = list(hands_of(events)), entrant.bot
    count = count_questions(hands, bot)
    if not count:
        raise Refusal(f"{printable(entrant.name)} was asked nothing in any finished hand")
    acts, changed_questions, departures, printed_faults = (
        Counter[str](),
        list[RepeatedQuestion](),
        list[str](),
        set[str](),
    )

    def on_event(event: Event) -> None:
        if isinstance(event, BotDisconnected):
            departures.append(event.reason)
        elif isinstance(event, FaultNoted) and len(printed_faults) < MAX_FAULTS and event.detail not in printed_faults:
            printed_faults.add(event.detail)
            print_to_stderr(f"{side.name}: {event.fault}: {event.detail}")

    async with BotLauncher(opened.contest, opened.entrants, on_event, work_folder, print_to_stderr) as launcher:
        asked_bot = await launcher.launch(bot, side, bytes(32))
        repeater, bar = QuestionRepeater(opened, bot, asked_bot), ProgressBar("questions", count)
        for hand in hands:
            async for question in repeater.ask(hand):
                if departures:
                    raise Refusal(f"{printable(side.name)} left: {printable(departures[0])}")
                bar.step()
                if not question.was.fault:
                    acts[question.was.act] += 1
                    changed_questions += [question] if question.now != question.was else []
        bar.close()
    return Comparison(entrant.name, acts.total(), acts, tuple(changed_questions))


def _as_json(comparison: Comparison) -> dict[str, object]:
    return {
        "bot": comparison.bot,
        "questions": comparison.questions,
        "different": len(comparison.changed_questions),
        "changes": [
            {"was": was, "now": now, "count": count, "of": comparison.acts[was]}
            for (was, now), count in _count_changes(comparison)
        ],
        "hands": [to_builtins(question) for question in comparison.changed_questions],
    }


def _summary_lines(comparison: Comparison) -> Iterator[str]:
    name = printable(comparison.bot)
    if not comparison.changed_questions:
        yield f"{name}: the same answer to all {comparison.questions} questions"
        return
    different = len(comparison.changed_questions)
    share = 100 * different / comparison.questions
    yield f"{name}: a different answer to {different} of {comparison.questions} questions ({share:.1f} %)"
    for (was, now), count in _count_changes(comparison):
        yield f"  {count:5} of {comparison.acts[was]:5} times it {_PAST_TENSE[was]} before, now {now}"
    yield "hands to look at:"
    for question in comparison.changed_questions[:MAX_LISTED]:
        board = f" on {' '.join(question.board)}" if question.board else ""
        yield (
            f"  hand {question.number} (game {question.game} hand {question.hand}): {' '.join(question.hole)}{board}, "
            f"{question.to_call} to call, pot {question.pot}: "
            f"{_PAST_TENSE[question.was.act]}{_amount_text(question.was)}, "
            f"now {_new_action(question.now)}{_amount_text(question.now)}"
        )
    if len(comparison.changed_questions) > MAX_LISTED:
        yield f"  and {len(comparison.changed_questions) - MAX_LISTED} more, which --json lists"


_PAST_TENSE = {
    "fold": "folded",
    "check": "checked",
    "call": "called",
    "bet": "bet",
    "raise": "raised",
    "post": "posted",
}
_PRESENT_TENSE = {
    "fold": "folds",
    "check": "checks",
    "call": "calls",
    "bet": "bets",
    "raise": "raises",
    "post": "posts",
}


def _count_changes(comparison: Comparison) -> list[tuple[tuple[str, str], int]]:
    """Counts each change from one action to another, and lists the most frequent first."""
    return Counter(
        (question.was.act, _changed_action(question.was, question.now)) for question in comparison.changed_questions
    ).most_common()


def _changed_action(was: BotChoice, now: BotChoice) -> str:
    return f"{_PRESENT_TENSE[now.act]} a different amount" if now.act == was.act and not now.fault else _new_action(now)


def _new_action(now: BotChoice) -> str:
    return f"has no valid answer ({now.fault})" if now.fault else _PRESENT_TENSE[now.act]


def _amount_text(chosen: BotChoice) -> str:
    return f" to {chosen.bet}" if chosen.act in ("bet", "raise") and not chosen.fault else ""
