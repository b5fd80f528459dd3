"""The contest Quick Draw: bots register over HTTP and play over TCP, in JSON."""

import json
from typing import TYPE_CHECKING

from server.contests.contest import SERVER, Command, Contest, EveningRules, Sample, Starters
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.messages import PROTOCOL
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT, RULE_TEXTS
from server.contests.quick_draw.wire import QuickDrawWire
from server.game.events import ChatSent

if TYPE_CHECKING:
    from server.app.check.checker import Checker
    from server.app.venue.venue import Venue


def _venue() -> "Venue":
    from server.contests.quick_draw.venue.venue import QuickDrawVenue  # noqa: PLC0415  needed only to run the contest

    return QuickDrawVenue()


def _checker() -> "Checker":
    from server.contests.quick_draw.venue.check import QuickDrawChecker  # noqa: PLC0415  needed only to check a bot

    return QuickDrawChecker("quick-draw")


def _name_and_text(line: bytes) -> tuple[str, str]:
    return json.loads(line)["command"], line.decode().strip()


def _more_messages(dialect: QuickDrawDialect) -> tuple[bytes, ...]:
    return dialect.answer("accepted"), dialect.logs(["hand 0: you answered with a call"])


CONTEST = Contest(
    id="quick-draw",
    name="Quick Draw",
    format=QUICK_DRAW_FORMAT,
    venue=_venue,
    seat_bot=lambda launcher, bot, side: launcher.launch_connecting_bot(bot, side),
    wire=QuickDrawWire,
    protocol=PROTOCOL,
    # The guide's example messages come from hands of three bots with these stacks.
    sample=Sample((5000,) * 3, _name_and_text, (ChatSent(1, "Howdy!"),), _more_messages),
    rule_texts=RULE_TEXTS,
    dialect=QuickDrawDialect,
    command=Command(f"python3 bot.py {SERVER}", SERVER, SERVER),
    starters=Starters(
        {"python": "bot.py", "javascript": "bot.js", "java": "Bot.java", "cpp": "bot.cpp"},
        """\
  practise        highnoon practice
                  and in another terminal: {program} localhost:5000
  before sending  highnoon check {folder}""",
    ),
    evening_rules=EveningRules(has_remote_bots=True, needs_entries=True, buy_in_cents=500),
    checker=_checker,
    marker_file="bot_config.json",  # This file marks a bot's folder.
    waits_for_authors=True,  # The server waits for bots that their authors start by hand.
)
