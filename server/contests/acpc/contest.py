"""The Annual Computer Poker Competition: each program connects to a port of its own and plays matches of many hands."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from server.contests.acpc.dialect import AcpcDialect
from server.contests.acpc.messages import PROTOCOL
from server.contests.acpc.rules import ACPC_FORMAT, GAME, RULE_TEXTS, custom_match
from server.contests.acpc.wire import AcpcWire
from server.contests.contest import HOST, PORT, Command, Contest, EveningRules, Sample, Starters
from server.hand_histories.hand_log import HandLog

if TYPE_CHECKING:
    from server.app.check.checker import Checker
    from server.app.venue.venue import Venue
    from server.hand_histories.from_recording import HandRecord
    from server.hand_histories.phh_reader import BadHistory, PublishedHand

STARTER_ARGUMENTS = f"{HOST} {PORT}"
"""The command-line arguments of a player's program. The rules say: "A player is started as PROGRAM HOST PORT"."""
_LOG_START = re.compile(r"STATE:[0-9]|# name/game/hands/seed ")
"""Matches the start of a log of the competition's dealer program. No other file starts like this."""


def _venue() -> "Venue":
    from server.contests.acpc.venue.venue import AcpcVenue  # noqa: PLC0415  needed only to run the contest

    return AcpcVenue()


def _checker() -> "Checker":
    from server.app.check.checker import Checker  # noqa: PLC0415  needed only to check a bot

    return Checker("acpc")


def _read(text: str) -> "Iterator[PublishedHand | BadHistory]":
    from server.contests.acpc.dealer_log import read_acpc  # noqa: PLC0415  needed only to import a log

    return read_acpc(text)


def _write(hands: "Iterable[HandRecord]") -> Iterator[str]:
    from server.contests.acpc.dealer_log import acpc_log  # noqa: PLC0415  needed only to export a log

    return acpc_log(hands)


CONTEST = Contest(
    id="acpc",
    name="ACPC",
    format=ACPC_FORMAT,
    venue=_venue,
    seat_bot=lambda launcher, bot, side: launcher.launch_connecting_bot(bot, side),
    wire=AcpcWire,
    protocol=PROTOCOL,
    # The guide shows the messages of a few hands that start with these stacks.
    sample=Sample((GAME.stack,) * 3, lambda line: ("MATCHSTATE", line.decode().strip())),
    rule_texts=RULE_TEXTS,
    dialect=AcpcDialect,
    command=Command(f"python3 bot.py {STARTER_ARGUMENTS}", STARTER_ARGUMENTS, PORT),
    starters=Starters(
        {"python": "bot.py", "javascript": "bot.js", "java": "Bot.java", "cpp": "bot.cpp"},
        """\
  practise        highnoon practice --contest acpc
                  in another terminal: {register}
                  and with the port_number that comes back: {program} 127.0.0.1 PORT
  before sending  highnoon check {folder}""",
    ),
    evening_rules=EveningRules(
        has_remote_bots=True, needs_entries=True, one_table=True, allows_custom_table=True, has_matches=True
    ),
    has_registration=False,
    checker=_checker,
    marker_file="startme.sh",
    custom_format=custom_match,
    waits_for_authors=True,
    hand_log=HandLog("acpc", "the log of the ACPC's dealer", ".log", _LOG_START, _read, _write),
)
