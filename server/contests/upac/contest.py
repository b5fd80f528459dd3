"""The contest UPAC: programs play duels over standard input and output, in a season that need not end."""

from typing import TYPE_CHECKING

from server.contests.contest import Command, Contest, EveningRules, Sample, Starters
from server.contests.upac.dialect import UpacDialect
from server.contests.upac.messages import PROTOCOL
from server.contests.upac.rules import RULE_TEXTS, UPAC_FORMAT
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


def _name_and_text(line: bytes) -> tuple[str, str]:
    text = line.decode().strip()
    first, second, *_ = *text.split(), ""
    return f"{first} {second}" if first == "END" else first, text


CONTEST = Contest(
    id="upac",
    name="UPAC",
    format=UPAC_FORMAT,
    venue=_venue,
    seat_bot=lambda launcher, bot, side: launcher.launch_piped_bot(bot, side),
    wire=UpacWire,
    protocol=PROTOCOL,
    # The guide's example messages come from hands of two bots with these stacks.
    sample=Sample((50, 50), _name_and_text),
    rule_texts=RULE_TEXTS,
    dialect=UpacDialect,
    command=Command("python3 bot/bot.py"),
    starters=Starters(
        {"python": "bot/bot.py", "javascript": "bot/bot.js", "java": "bot/Bot.java", "cpp": "bot/bot.cpp"},
        """\
  before sending  highnoon check {folder}
  to send         a zip archive of {bot}""",
    ),
    evening_rules=EveningRules(is_season=True, unused_keys=("buy_in", "prizes", "bot_addresses")),
    checker=_checker,
    marker_file="bot.json",  # This file marks a bot's folder.
    has_practice=False,
    starts_with_game=True,  # A program starts only with its game, so its first answer may take longer.
)
