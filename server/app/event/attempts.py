"""Decides which recording an event is written into: the real one or a rehearsal's, the one that exists or a new one."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from broadcast.archive.archive import is_written
from server.config.event_file import EventPlan
from server.contests import CONTESTS
from server.errors import Refusal
from server.season.files import ENDING as SEASON
from server.text.regular_file import read_regular

_BEGUN = (b'"type":"stage_started"', b'"type":"player_entered"')
_OVER = (b'"type":"tournament_ended"', b'"type":"season_ended"')


def attempt(plan: EventPlan, *, rehearse: bool = False, again: bool = False) -> EventPlan:
    """The plan with the recording to begin or resume: the latest, or with `again` a new one beside it.

    A rehearsal has a data folder of its own; one that is over is begun anew. A rehearsal or an event played again never
    uses the seed of the event file: a seed that was played with is known. Raises Refusal while another
    process writes the recording that `again` is to leave alone, OSError where it cannot be read.
    """
    if rehearse:
        folder = plan.data.parent / f"{plan.data.name}-rehearsal"
        plan = replace(plan, data=folder, seed=b"")
    latest = replace(plan, attempt=max([1, *_attempts(plan)]))
    if again and _is_written_now(latest):
        raise Refusal(f"{recording_of(latest)}: another process is writing this journal, so it is not begun again")
    if (again and _holds(latest, _BEGUN)) or (rehearse and _holds(latest, _OVER)):
        latest = replace(latest, attempt=latest.attempt + 1)
    return latest if latest.attempt == 1 else replace(latest, seed=b"")


def recording_of(plan: EventPlan) -> Path:
    """The file that the tournament or the season of `plan` is written into."""
    return plan.journal.with_suffix(SEASON) if CONTESTS[plan.contest].event.season else plan.journal


def played(recording: Path) -> str:
    """What is printed for an event that has been played already."""
    return (
        f"{recording}: this tournament has been played; it is shown to its end, and not played again.\n"
        "  --again plays it anew and keeps this recording; --rehearse tries it out in a folder of its own"
    )


def _is_written_now(plan: EventPlan) -> bool:
    """Whether a process holds this very event just now."""
    path = recording_of(plan)
    return path.exists() and is_written(path)


def _attempts(plan: EventPlan) -> list[int]:
    """The numbers of those that left anything behind, but for the first."""
    first = replace(plan, attempt=1).slug
    names = (path.name.partition(".")[0] for path in plan.recordings.glob(f"{first}_*"))
    numbers = (name.removeprefix(f"{first}_") for name in names)
    return [int(number) for number in numbers if number.isascii() and number.isdigit() and len(number) < 9]


def _holds(plan: EventPlan, kinds: Sequence[bytes]) -> bool:
    """Whether the recording has an event of one of these kinds; quotation marks in a stranger's text are escaped."""
    path = recording_of(plan)
    content = read_regular(path) if path.exists() else b""
    return any(kind in content for kind in kinds)
