"""`highnoon export RECORDING`: writes hands in formats that other programs read."""

import sys
from collections.abc import Sequence
from pathlib import Path

from broadcast.on_air.deal_tables import MainTables
from server.app.recordings.recording_files import HAND_LOGS, open_recording
from server.console import print_to_stderr, printable_lines, say
from server.errors import Refusal
from server.hand_histories.from_recording import HandRecord, recorded_hands
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.phh_writer import phh_text, phhs_texts
from server.hand_histories.pokerstars_writer import pokerstars_text
from server.hand_histories.rules import unusual_reasons
from server.text.grammar import count_text

MARKED_FORMATS = ("phh", "phhs", "text")
"""In these formats, hands with house rules carry a remark."""


def export(path: Path, form: str, number: int | None, out: Path | None) -> int:
    """Writes a recording's hands, or only hand `number`, in the format `form`. Writes to the file `out` or, if `out` is
    None, to standard output. Returns 0.

    Hands are numbered as in the show. Where several tables play the same cards, the show presents only one table, the
    main table. So only the main table's hands have numbers.

    Raises OSError, JournalDamaged, or Refusal if the hand is missing, the format cannot express it, or `out` exists.
    """
    recording = open_recording(path)
    entries = recording.entries if number is None else filter(MainTables().accept, recording.entries)
    hands = _chosen_hands(list(recorded_hands(entries)), form, number)
    text = _text(hands, form, recording.header.begun)
    if out is None:
        sys.stdout.write(text)
    else:
        _write(out, text)
    print_remark = say if out else print_to_stderr  # standard output has only hands, so remarks go to standard error
    print_remark(count_text(len(hands), "hand") + (f" in {out}" if out else ""))
    marked = sum(1 for hand in hands if unusual_reasons(hand)) if form in MARKED_FORMATS else 0
    if marked:
        marker = "its summary" if form == "text" else "'_unusual'"
        print_remark(f"  {marked} of them follow house rules, which strict readers refuse; each says so in {marker}")
    return 0


def _chosen_hands(hands: Sequence[HandRecord], form: str, number: int | None) -> Sequence[HandRecord]:
    if not hands:
        raise Refusal("this recording has no finished hand")
    if number is None:
        if form == "phh" and len(hands) > 1:
            raise Refusal(f"a .phh file has a single hand: choose one of the {len(hands)} with --hand, or use --phhs")
        return hands
    if not 1 <= number <= len(hands):
        raise Refusal(f"there is no hand {number} in this recording: its hands are 1 to {len(hands)}")
    return [hands[number - 1]]


def _text(hands: Sequence[HandRecord], form: str, start_time: str) -> str:
    match form:
        case "phh":
            return phh_text(hands[0], start_time) + "\n"
        case "phhs":
            return "\n".join(phhs_texts(hands, start_time))
        case "text":
            return printable_lines("".join(pokerstars_text(hand, start_time) for hand in hands))
    log = next(log for log in HAND_LOGS if log.name == form)
    try:
        return "".join(log.write(hands))
    except BadHistory as error:
        raise Refusal(str(error)) from None


def _write(out: Path, text: str) -> None:
    try:
        with out.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise Refusal(f"{out} already exists") from None
