"""What the commands say in the terminal: addresses, progress, tables. Strangers' names are made harmless."""

import sys
from collections.abc import Mapping, Sequence

from server.game.events import Entrant, Placing


def say(text: str) -> None:
    """One line."""
    print(text, flush=True)


def plain(text: str) -> str:
    """`text` without anything a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def addresses(base: str, channel: str = "main") -> None:
    """Where to look."""
    query = "" if channel == "main" else f"?channel={channel}"
    joined = "&" if query else "?"
    say(f"  what is on      {base}/")
    say(f"  OBS source      {base}/overlay{query}{joined}audio=1   (1920x1080)")
    say(f"  projector       {base}/projector{query}")


class ProgressLine:
    """A line that is written over while work goes on; on anything but a terminal, a line for each new milestone."""

    def __init__(self) -> None:
        self._terminal = sys.stdout.isatty()
        self._milestone = ""

    def show(self, milestone: str, detail: str = "") -> None:
        """Shows both on a terminal, else only a milestone not yet shown."""
        if self._terminal:
            print(f"\r\x1b[2K{milestone}{detail}", end="", flush=True)
        elif milestone != self._milestone:
            say(milestone)
        self._milestone = milestone

    def end(self) -> None:
        """Leaves the line."""
        if self._terminal:
            print(flush=True)


def final_table(placings: Sequence[Placing], entrants: Mapping[int, Entrant]) -> str:
    """The final table as text: place, bot, chips, prize."""
    rows = [f"{'place':>5}  {'bot':<30}  {'chips':>7}  {'prize':>8}"]
    for placing in placings:
        name = plain(entrants[placing.bot].name)
        prize = f"${placing.prize_cents / 100:.2f}" if placing.prize_cents else ""
        rows.append(f"{placing.place:>5}  {name:<30}  {placing.stack:>7,}  {prize:>8}")
    return "\n".join(rows)
