"""Enova: bots are web servers, which register and are sent forms."""

from server.bots.dialects.http_calls import named_request
from server.contests.contest import NAME, PORT, SERVER, Command, Contest, EventRules, Sample, Starters
from server.contests.enova.dialect import Enova
from server.contests.enova.messages import PROTOCOL
from server.contests.enova.names import taken_name
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.enova.words import SITUATIONS, WORDS
from server.game.events import SeatVacated

CONTEST = Contest(
    id="enova",
    name="Enova",
    format=ENOVA_FORMAT,
    protocol=PROTOCOL,
    sample=Sample(lambda _: Enova(), (20,) * 3, named_request, (SeatVacated(0, 0),)),
    words=WORDS,
    told=SITUATIONS,
    command=Command(
        f"python3 enova_bot.py {PORT} {NAME} http://{SERVER}", f"{PORT} {NAME} http://{SERVER}", needed=PORT
    ),
    starters=Starters(
        {"python": "enova_bot.py", "javascript": "enova_bot.js", "java": "EnovaBot.java", "cpp": "enova_bot.cpp"},
        """\
  practise        highnoon practice --contest enova
                  and in another terminal: {program} 3001 {name} http://localhost:5000""",
        taken_name,
    ),
    event=EventRules(called=True, own_table=True),
    practice_form="/tournament/register",
    ready_statuses=frozenset({200, 405}),
)
