"""The contest Arena: bots are web servers that receive the whole state of the game as JSON."""

from typing import TYPE_CHECKING

from server.bots.dialects.http_calls import name_and_body
from server.contests.arena.dialect import ArenaDialect, player_ids
from server.contests.arena.messages import PROTOCOL
from server.contests.arena.rules import ARENA_FORMAT, RULE_TEXTS
from server.contests.arena.wire import ArenaWire
from server.contests.contest import PORT, Command, Contest, EveningRules, Sample, Starters

if TYPE_CHECKING:
    from server.app.sparring.bot_launcher import BotLauncher
    from server.app.sparring.sides import Side
    from server.app.venue.venue import Venue
    from server.tournament.director import ConnectedBot


def _venue() -> "Venue":
    from server.contests.arena.venue.venue import ArenaVenue  # noqa: PLC0415  needed only to run the contest

    return ArenaVenue()


async def _seat(launcher: "BotLauncher", bot: int, side: "Side") -> "ConnectedBot":
    from server.app.evening.http_bots import why_unreachable  # noqa: PLC0415  needed only to play a match

    return await launcher.launch_http_bot(bot, side, why_unreachable)


CONTEST = Contest(
    id="arena",
    name="The Arena",
    format=ARENA_FORMAT,
    venue=_venue,
    seat_bot=_seat,
    wire=ArenaWire,
    protocol=PROTOCOL,
    sample=Sample((2000,) * 3, name_and_body),  # the guide's example hands: three bots with 2,000 chips each
    rule_texts=RULE_TEXTS,
    http_dialect=lambda entrants: ArenaDialect(player_ids(entrants)),
    command=Command(f"python3 ai_http_server.py {PORT}", PORT, PORT),
    starters=Starters(
        {
            "python": "ai_http_server.py",
            "javascript": "ai_http_server.js",
            "java": "AiHttpServer.java",
            "cpp": "ai_http_server.cpp",
        },
        """\
  practise        highnoon practice --contest arena
                  in another terminal: {program} 5001
                  and in a third: {curl} --data-urlencode name={name} -d url=http://localhost:5001 http://localhost:8000/practice""",
    ),
    evening_rules=EveningRules(needs_entries=True, one_table=True, allows_custom_table=True, allows_series=True),
    event_file_suffix=".json",
    practice_port=8000,  # Port 5000 is taken: bots listen there by default.
    practice_form="/practice",
    ready_statuses=frozenset({404}),
)
