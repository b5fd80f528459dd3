"""The desk's log: lists who did what, and finds the change that the next undo reverts. The log is made from the entries
of the journal (the contest's recording).

An undo is an entry, too, so a restarted studio has the same log as before.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import asdict, replace

from broadcast.show.status import StageOnAir
from server.game.events import ControlSet, CueGiven, Event, StageCut, StageEnded
from server.tournament.control_values import PER_BOT_CONTROLS, Controls, current_value

MAX_LINES = 200
"""The log keeps at most this many lines."""
_SWITCH_PHRASES = {
    "started": ("started the tournament", "took back the start"),
    "paused": ("paused the show", "let the show go on"),
    "held": ("held the show after what is on now", "stopped holding the show"),
    "governed": ("let the governor set the pace", "switched the governor off"),
    "graphics": ("showed the graphics", "hid the graphics"),
    "sound": ("turned the sound on", "muted everything"),
    "stage_end": ("ended the stage after this hand", "let the stage go on"),
    "unseen": ("let the table play on unseen", "had the table wait for the show again"),
    "thoughts": ("let bots' thoughts be shown", "took bots' thoughts off the screen"),
    "chat": ("let {bot} chat", "muted the chat of {bot}"),
    "media": ("showed {bot} with its own pictures and sound", "hid the pictures and sound of {bot}"),
}
"""For each control, what the operator did by switching it on, and by switching it off."""
_CUE_PHRASES = {
    "next": "skipped to what is next",
    "replay": "asked for the last hand again",
    "best": "asked for the best hands",
    "reading": "asked for the reading scores",
}
"""What the operator did by each cue. Reading scores say how true bots' thoughts were."""
_NEVER_SWITCHED_ON = ("stage_end", "unseen")
"""An undo never switches these controls on. Only their own buttons do."""
_VIEW_PHRASES = {
    "": "left the picture to the show",
    "table": "showed the whole table",
    "held": "kept the picture as it is",
}
_CARD_PHRASES = {"": "took the card away", "break": "put up the break card", "technical": "put up the technical card"}
"""What the operator did by each choice of the camera's view, and of the card that covers the picture."""


class DeskLogLine(Struct, frozen=True):
    """A line of the log, written `utc_seconds` seconds since 1970.

    Changes have a `number`, counted from 1. Cues have number 0, because they cannot be undone.
    """

    number: int
    event: ControlSet | CueGiven
    utc_seconds: float
    undone: bool = False


class DeskLog:
    """The operator's changes and cues, in the order of the journal. `clock` returns seconds since 1970."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lines: list[DeskLogLine] = []
        self._last_number = self._last_ended_stage = 0
        self.count = 0
        """The number of changes and cues so far. A restart of the studio does not reset this number."""

    def apply(self, event: Event, utc_seconds: float | None = None) -> None:
        """Follows the next event of the journal. Only the desk's events and the ends of stages matter."""
        if isinstance(event, StageCut | StageEnded):
            self._last_ended_stage = event.stage
        if not isinstance(event, ControlSet | CueGiven):
            return
        number = 0
        if isinstance(event, ControlSet):
            number = self._last_number = self._last_number + 1
            if event.undoes:
                lines, undone = self._lines, event.undoes
                self._lines = [replace(line, undone=True) if line.number == undone else line for line in lines]
        self.count += 1
        line = DeskLogLine(number, event, self._clock() if utc_seconds is None else utc_seconds)
        self._lines = [*self._lines, line][-MAX_LINES:]

    def stage_for_page(self, stage: StageOnAir | None) -> dict[str, object] | None:
        """Returns the stage on air, for the page.

        `ended` says that the stage is over at the table. The stage may still be on air.
        """
        return {**asdict(stage), "ended": stage.number <= self._last_ended_stage} if stage else None

    def latest(self, count: int) -> list[DeskLogLine]:
        """Returns the last lines, newest first."""
        return self._lines[: -count - 1 : -1]

    def find_undoable(self, controls: Controls, number: int = 0) -> DeskLogLine | None:
        """Returns change `number`, or None if it cannot be undone. If `number` is 0, returns the last change that can
        be undone.
        """
        lines = (line for line in reversed(self._lines) if number in (0, line.number))
        return next((line for line in lines if can_undo(line, controls)), None)

    def why_not_undoable(self, number: int) -> str:
        """Returns why change `number` cannot be undone. If `number` is 0, returns why no change can be undone."""
        if not number:
            return "there is nothing to undo"
        undone = any(line.undone for line in self._lines if line.number == number)
        return "this has already been undone" if undone else "this cannot be undone"


def can_undo(line: DeskLogLine, controls: Controls) -> bool:
    """Whether an undo of `line` is possible and would change anything. A start or an undo cannot be undone."""
    event = line.event
    if isinstance(event, CueGiven) or line.undone or event.undoes or event.control == "started":
        return False
    if event.was is True and event.control in _NEVER_SWITCHED_ON:
        return False
    return current_value(controls, event.control, event.bot) != event.was


def undo_event(line: DeskLogLine, controls: Controls, operator: str) -> ControlSet:
    """Returns the event that undoes `line`."""
    event = line.event
    assert isinstance(event, ControlSet), "only a change can be undone"
    now = current_value(controls, event.control, event.bot)
    return ControlSet(event.control, event.was, now, event.bot, operator, undoes=line.number)


def describe_change(event: ControlSet | CueGiven, bots: Mapping[int, str], channel_speed: float = 1.0) -> str:
    """Returns what the operator did, such as "set the pace to 2x". The pace is the speed that
    the operator has set, times `channel_speed`.
    """
    if isinstance(event, CueGiven):
        return _CUE_PHRASES[event.cue]
    if event.control == "speed":
        return f"set the pace to {round(float(event.value) * channel_speed, 2):g}x"
    if event.control == "view":
        return _VIEW_PHRASES[str(event.value)]
    if event.control == "card":
        card, _, back = str(event.value).partition(" until ")
        return _CARD_PHRASES[card] + (f" until {back}" if back else "")
    on, off = _SWITCH_PHRASES[event.control]
    words = on if event.value else off
    return words.format(bot=bots.get(event.bot, f"bot {event.bot}")) if event.control in PER_BOT_CONTROLS else words


def line_for_page(
    line: DeskLogLine, controls: Controls, bots: Mapping[int, str], channel_speed: float
) -> dict[str, object]:
    """Returns a line as it is sent to the desk's page."""
    event = line.event
    return {
        "number": line.number,
        "at": int(line.utc_seconds),
        "operator": event.operator,
        "words": describe_change(event, bots, channel_speed),
        "undone": line.undone,
        "undoing": isinstance(event, ControlSet) and event.undoes > 0,
        "can_undo": can_undo(line, controls),
    }
