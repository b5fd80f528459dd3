"""Plays contests of house bots. The bots chat, give a thought (a reason) for each action, and sometimes disconnect."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from msgspec import UNSET

from server.game import events
from server.journal.journal import Entry
from server.text.names_and_chat import clean_chat, clean_thought
from tests.support.games.house_contests import play_house_contest

BOTS = {"quick-draw": 12, "enova": 8, "arena": 12, "upac": 2}
CHATS = (
    "Yeehaw!",
    "You have aces? I have the sun in my eyes and a pair of fives, and I like my chances better than yours.",
    "I once folded a royal flush to a man with a better hat, and I would do it again tomorrow, and the day after "
    "tomorrow, and on every day after that until somebody in this saloon at last learns to respect a hat. Call!",
    "Ich habe die Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzeskarten",
    "这个牌局真的太精彩了 我从来没有见过这样的对手 下一手牌我一定要全部押上去",
)
HANDS_PER_DISCONNECTION = 9
THOUGHTS = (
    "I call because I have two pair.",
    "The pot is large and he has bet it on every street so far, which is what he does with everything. I have a full "
    "house, so that I must raise now, because he pays me off with any pair, with any ace and with all draws left.",
    "这手牌我有同花听牌。底池赔率也很好。所以我要跟注。因为他很可能只是在诈唬。" * 4,
    "Wenn er die Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzeskarten hätte, dann hätte er sie " * 3,
)


def play_lively_show(contest: str) -> list[Entry]:
    entries = play_house_contest(contest, seed=1871, bots=BOTS[contest])
    return [Entry(number, 0, event) for number, event in enumerate(_with_talk(entries), 1)]


def _with_talk(entries: Sequence[Entry]) -> Iterator[events.Event]:
    opening = entries[0].event
    assert isinstance(opening, events.TournamentOpened)
    bots = [entrant.bot for entrant in opening.entrants]
    speakers, texts, thoughts, leaving_bots, hand_count = cycle(bots), cycle(CHATS), cycle(THOUGHTS), iter(bots), 0
    seats: Sequence[int] = ()
    actors: list[int] = []
    yield opening
    for entry in entries[1:]:
        event = entry.event
        if isinstance(event, events.HandStarted):
            hand_count += 1
            actors = []
            if hand_count % HANDS_PER_DISCONNECTION == 0:
                yield from (events.BotDisconnected(bot, "it hung up") for bot in islice(leaving_bots, 1))
        yield event
        if isinstance(event, events.GameStarted):
            seats = event.seats
        elif isinstance(event, events.ActionTaken):
            actors.append(seats[event.seat])
            yield events.ChatSent(next(speakers), next(texts))
        elif isinstance(event, events.HandEnded):
            for action, bot in enumerate(actors, 1):
                thought = f"{action}. {next(thoughts)}"
                yield events.NoteGiven(bot, action, clean_chat(thought), clean_thought(thought) or UNSET)
