"""UPAC: programs that play duels over their standard input and output, in a season that never has to stop."""

from server.contests.contest import Command, Contest, EventRules, Sample, Starters
from server.contests.upac.dialect import Upac
from server.contests.upac.messages import PROTOCOL
from server.contests.upac.rules import UPAC_FORMAT
from server.contests.upac.words import SITUATIONS, WORDS


def _named(line: bytes) -> tuple[str, str]:
    text = line.decode().strip()
    first, second, *_ = *text.split(), ""
    return f"{first} {second}" if first == "END" else first, text


CONTEST = Contest(
    id="upac",
    name="UPAC",
    format=UPAC_FORMAT,
    protocol=PROTOCOL,
    sample=Sample(lambda _: Upac(), (50, 50), _named),
    words=WORDS,
    told=SITUATIONS,
    command=Command("python3 bot/bot.py"),
    starters=Starters(
        {"python": "bot/bot.py", "javascript": "bot/bot.js", "java": "bot/Bot.java", "cpp": "bot/bot.cpp"},
        """\
  before sending  highnoon check {folder}
  to send         a zip archive of {bot}""",
    ),
    event=EventRules(season=True),
    handed_in="bot.json",
    practised=False,
    starts_with_game=True,
)
