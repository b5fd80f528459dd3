"""The Arena: bots are web servers, which are sent the whole state of the game in JSON."""

from server.bots.dialects.http_calls import named_request
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.messages import PROTOCOL
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.arena.words import SITUATIONS, WORDS
from server.contests.contest import PORT, Command, Contest, EventRules, Sample, Starters

CONTEST = Contest(
    id="arena",
    name="The Arena",
    format=ARENA_FORMAT,
    protocol=PROTOCOL,
    sample=Sample(lambda entrants: Arena(player_ids(entrants)), (2000,) * 3, named_request),
    words=WORDS,
    told=SITUATIONS,
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
                  and in a third: curl --data-urlencode name={name} -d url=http://localhost:5001 http://localhost:8000/practice""",
    ),
    event=EventRules(called=True, needs_entries=True, one_table=True, own_table=True, rounds=True),
    practice_port=8000,  # bots listen on port 5000 by default
    practice_form="/practice",
    ready_statuses=frozenset({404}),
)
