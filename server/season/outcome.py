"""Finds the files of a season's game, and reads the game's outcome from its journal."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from server.contests.upac.rules import UPAC_FORMAT
from server.game import events
from server.game.tournament import stacks_after_forfeit

STARTING_CHIPS = UPAC_FORMAT.starting_stack
Side = Literal["", "defender", "challenger"]
SIDES: tuple[Side, Side] = ("defender", "challenger")
"""The sides of a game, in seat order. The defender is the opponent that was drawn for the challenger."""


class GameFiles(Struct, frozen=True):
    """The paths of a game's files."""

    journal: Path
    public_log: Path
    """The public log of every line to and from both bots."""
    defender_log: Path
    challenger_log: Path
    """`defender_log` and `challenger_log` contain what the bots wrote to standard error. Only a bot's owner may read
    its log.
    """


class GameOutcome(Struct, frozen=True):
    """The result of a game. Pairs are (defender, challenger). The two `stacks` add up to 100 chips."""

    files: GameFiles
    stacks: tuple[int, int]
    rounds: int
    ratings: tuple[int, int]
    """The ratings after the game, in hundredths of a point. A bot without a rating has 0."""
    forfeited: Side = ""
    """The side that lost the game through a fault, or ""."""
    fault: events.Fault = ""
    reason: str = ""
    """A description of the fault for the bot's owner."""


def files_of(journal: Path) -> GameFiles:
    """Returns the files of a game: the `journal`, and the logs in the same folder."""
    return GameFiles(journal, *(journal.with_suffix(f".{log}.log") for log in ("public", *SIDES)))


def outcome_of(recorded_events: Iterable[events.Event], files: GameFiles) -> GameOutcome:
    """Returns the outcome of a game from the events in its journal."""
    stacks, ratings, bots = [STARTING_CHIPS, STARTING_CHIPS], [0, 0], [0, 0]
    outcome, think_ms = GameOutcome(files, (STARTING_CHIPS, STARTING_CHIPS), 0, (0, 0)), 0
    rounds, reasons = 0, dict[tuple[int, events.Fault], str]()
    """For each bot and kind of fault, `reasons` has the latest reason."""
    for event in recorded_events:
        match event:
            case events.TournamentOpened(entrants=entrants, rules=rules):
                bots, ratings = [entrant.bot for entrant in entrants], [entrant.rating for entrant in entrants]
                think_ms = rules.think_ms
            case events.HandEnded(stacks=after):
                rounds, stacks = rounds + 1, list(after)
            case events.GameForfeited(seat=seat, fault=fault):
                stacks = list(stacks_after_forfeit(seat, stacks))
                description = _describe_fault(fault, reasons.get((bots[seat], fault), ""), think_ms)
                outcome = replace(outcome, forfeited=SIDES[seat], fault=fault, reason=description)
            case events.FaultNoted(bot=bot, fault=fault, detail=reason):
                reasons[bot, fault] = reason
            case events.BotDisconnected(bot=bot, reason=reason):
                reasons[bot, "disconnected"] = reason
            case events.BotRated(bot=bot, rating=rating):
                ratings[bots.index(bot)] = rating
    return replace(outcome, stacks=_as_pair(stacks), ratings=_as_pair(ratings), rounds=rounds)


def _describe_fault(fault: events.Fault, reason: str, think_ms: int) -> str:
    usual_reasons = {"timeout": f"no action came within {think_ms / 1000:g} s", "disconnected": "it was gone"}
    return (reason or usual_reasons[fault]) if fault in usual_reasons else f"an invalid action: {reason}"


def _as_pair(numbers: list[int]) -> tuple[int, int]:
    return numbers[0], numbers[1]


def public_fault(fault: events.Fault, reason: str) -> str:
    """Returns the public description of a fault. It may say how the bot's program ended, but not what it printed."""
    return reason.partition(":")[0] if fault == "disconnected" and reason else fault
