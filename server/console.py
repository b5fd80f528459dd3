"""What the commands say in the terminal: addresses, progress, tables. Strangers' names are made harmless."""

import sys
from pathlib import Path
from shlex import quote

_LINE_AWAY = "\r\x1b[2K"


def say(text: str) -> None:
    """Prints `text` in place of a progress line, with every control character replaced by a question mark."""
    print((_LINE_AWAY if sys.stdout.isatty() else "") + plain_lines(text), flush=True)


def hands_in_words(count: int) -> str:
    """ "1 hand", "12 hands"."""
    return "1 hand" if count == 1 else f"{count} hands"


def plain(text: str) -> str:
    """`text` with every character that cannot be printed replaced by a question mark."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def plain_lines(text: str) -> str:
    """As `plain`, but line breaks stay."""
    return "\n".join(map(plain, text.split("\n")))


def addresses(base: str, channel: str = "main", *, token: str = "") -> None:
    """Prints the addresses of the pages below `base`; with a `token` the desk's, too."""
    query = "" if channel == "main" else f"?channel={channel}"
    joined = "&" if query else "?"
    say(f"  what is on      {base}/")
    if token:
        say(f"  control desk    {base}/control?token={token}")
    say(f"  OBS source      {base}/overlay{query}{joined}audio=1   (1920x1080)")
    say(f"  projector       {base}/projector{query}")


def afterwards(recording: Path, data: Path, base: str = "") -> None:
    """Prints what can be done once a show is over; `base` is where its pages still are, "" if nowhere."""
    if base:
        say("the show is over; its pages stay until Ctrl-C")
        say(f"  recordings      {base}/recordings")
    say(f"  pages, later    highnoon serve {quote(str(data))}")
    say(f"  proof, later    highnoon verify {quote(str(recording))}")


class ProgressLine:
    """A line that is written over while work goes on; on anything but a terminal, a line for each new milestone."""

    def __init__(self) -> None:
        self._terminal = sys.stdout.isatty()
        self._milestone = ""

    def show(self, milestone: str, detail: str = "") -> None:
        """Shows both on a terminal, else only a milestone not yet shown."""
        if self._terminal:
            print(f"{_LINE_AWAY}{milestone}{detail}", end="", flush=True)
        elif milestone != self._milestone:
            say(milestone)
        self._milestone = milestone

    def end(self) -> None:
        """Ends the line, so that the next output begins below it."""
        if self._terminal:
            print(flush=True)


def dollars(cents: int) -> str:
    """Cents as dollars: "$25.00"."""
    return f"${cents // 100}.{cents % 100:02}"
