"""The contest UPAC: programs play duels over standard input and output, in a season that need not end."""

from typing import TYPE_CHECKING

from server.contests.contest import Command, Contest, EveningRules, Sample, Starters
from server.contests.upac.dialect import Upac
from server.contests.upac.messages import PROTOCOL
from server.contests.upac.rules import UPAC_FORMAT, WORDS
from server.contests.upac.wire import UpacWire

if TYPE_CHECKING:
    from server.app.check.checker import Checker
    from server.app.venue.venue import Venue


def _venue() -> "Venue":
    from server.contests.upac.venue.venue import UpacVenue  # noqa: PLC0415  needed only to run the contest

    return UpacVenue()


def _checker() -> "Checker":
    from server.contests.upac.venue.check import UpacChecker  # noqa: PLC0415  needed only to check a bot

    return UpacChecker("upac")


def _named(line: bytes) -> tuple[str, str]:
    text = line.decode().strip()
    first, second, *_ = *text.split(), ""
    return f"{first} {second}" if first == "END" else first, text


CONTEST = Contest(
    id="upac",
    name="UPAC",
    format=UPAC_FORMAT,
    venue=_venue,
    seat=lambda seats, bot, side: seats.piped(bot, side),
    wire=UpacWire,
    protocol=PROTOCOL,
    sample=Sample((50, 50), _named),
    words=WORDS,
    dialect=Upac,
    command=Command("python3 bot/bot.py"),
    starters=Starters(
        {"python": "bot/bot.py", "javascript": "bot/bot.js", "java": "bot/Bot.java", "cpp": "bot/bot.cpp"},
        """\
  before sending  highnoon check {folder}
  to send         a zip archive of {bot}""",
    ),
    event=EveningRules(season=True, unused=("buy_in", "prizes", "bot_addresses")),
    checker=_checker,
    handed_in="bot.json",
    practised=False,
    starts_with_game=True,
)
