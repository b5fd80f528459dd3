"""The contest Enova: bots are web servers. They register, and the server sends them forms."""

from typing import TYPE_CHECKING

from server.bots.dialects.http_calls import name_and_body
from server.contests.contest import NAME, PORT, SERVER, Command, Contest, EveningRules, Sample, Starters
from server.contests.enova.dialect import EnovaDialect
from server.contests.enova.messages import PROTOCOL
from server.contests.enova.rules import ENOVA_DEMO, ENOVA_FORMAT, RULE_TEXTS, accepted_name
from server.contests.enova.wire import EnovaWire
from server.game.events import SeatVacated

if TYPE_CHECKING:
    from server.app.sparring.bot_launcher import BotLauncher
    from server.app.sparring.sides import Side
    from server.app.venue.venue import Venue
    from server.tournament.director import ConnectedBot


def _venue() -> "Venue":
    from server.contests.enova.venue.venue import EnovaVenue  # noqa: PLC0415  needed only to run the contest

    return EnovaVenue()


async def _seat(launcher: "BotLauncher", bot: int, side: "Side") -> "ConnectedBot":
    from server.contests.enova.venue.ready_check import seat_bot  # noqa: PLC0415  needed only to play a match

    return await seat_bot(launcher, bot, side)


CONTEST = Contest(
    id="enova",
    name="Enova",
    format=ENOVA_FORMAT,
    venue=_venue,
    seat_bot=_seat,
    wire=EnovaWire,
    protocol=PROTOCOL,
    # The first seat's messages in some hands with these stacks are the examples in the guide for bots' authors.
    sample=Sample((20,) * 3, name_and_body, (SeatVacated(0, 0),)),
    rule_texts=RULE_TEXTS,
    http_dialect=lambda _: EnovaDialect(),
    command=Command(
        f"python3 enova_bot.py {PORT} {NAME} http://{SERVER}", f"{PORT} {NAME} http://{SERVER}", required_text=PORT
    ),
    starters=Starters(
        {"python": "enova_bot.py", "javascript": "enova_bot.js", "java": "EnovaBot.java", "cpp": "enova_bot.cpp"},
        """\
  practise        highnoon practice --contest enova
                  and in another terminal: {program} 3001 {name} http://localhost:5000""",
        accepted_name,
    ),
    evening_rules=EveningRules(allows_custom_table=True),
    demo=ENOVA_DEMO,
    practice_form="/tournament/register",
    ready_statuses=frozenset({200, 405}),
)
