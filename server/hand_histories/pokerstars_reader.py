"""Reads hands of no-limit hold'em, from cash games and tournaments, in PokerStars text. All functions are pure.

Skips lines without any action or card, such as chat, time banks and players who join.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import islice
from zoneinfo import ZoneInfo

from server.hand_histories.phh_reader import MAX_HAND_BYTES, MAX_HANDS, MAX_PLAYERS, BadHistory, PublishedHand
from server.hand_histories.site_hand import Blind, SeatedPlayer, SiteHand, parse_chips

HAND_START = re.compile(r"^\ufeff?PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #", re.MULTILINE)
"""Matches the start of each hand's first line. In joined files, a byte order mark may precede that line."""
MAX_LINE_CHARACTERS = 400
"""Lines longer than this are skipped, because the patterns below would take too long for them."""
_AMOUNT = r"[^\d\s(]?(\d[\d,]*(?:\.\d+)?)"
_GAME = re.compile(r"(?<!6\+ )Hold'em No Limit(?!.* Cap\))")
_MONEY = re.compile(_AMOUNT)
_NUMBER = re.compile(r"#(\d{1,20}):")
_BLINDS = re.compile(rf"\({_AMOUNT}/{_AMOUNT}(?: [A-Z]{{3}})?\)")
_SEAT = re.compile(rf"Seat (\d{{1,2}}): (.+) \({_AMOUNT} in chips[^)]*\)( out of hand)?")
_TABLE = re.compile(r"Table '(.*)' .*is the button")
_MOMENT = re.compile(r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?):(\d\d):(\d\d) (ET|UTC)")
_DEALT = re.compile(r"Dealt to (.+) \[([^\[\]]*)\]")
_CARDS = re.compile(r"\[([^\[\]]*)\]")
_RETURNED = re.compile(rf"Uncalled bet \({_AMOUNT}\) returned to (.+)")
_COLLECTED = re.compile(rf"(.+) collected {_AMOUNT} from (?:the )?(?:pot|main pot|side pot.*)")
_RAKE = re.compile(rf"Total pot .*\| Rake {_AMOUNT}")
_MUCKED = re.compile(r"Seat \d{1,2}: (.+?)(?: \((?:button|small blind|big blind)\))* mucked \[([^\[\]]*)\]")
_TIME_ZONES = {"ET": "America/New_York", "UTC": "UTC"}
_BLINDS_BY_NAME: dict[str, Blind] = {"the ante": "ante", "small blind": "small", "big blind": "big"}


def read_pokerstars(text: str) -> Iterator[PublishedHand | BadHistory]:
    """Yields the hands of a file. For an unusable hand, yields a BadHistory instead."""
    starts = [match.start() for match in islice(HAND_START.finditer(text), MAX_HANDS + 1)]
    for begin, end in zip(starts, [*starts[1:], len(text)], strict=True):
        lines = [line.strip() for line in text[begin : min(end, begin + MAX_HAND_BYTES)].splitlines()]
        number = _NUMBER.search(lines[0][:MAX_LINE_CHARACTERS])
        where = f"hand #{number[1]}" if number else "a hand without a number"
        try:
            if end - begin > MAX_HAND_BYTES:
                raise BadHistory(f"{end - begin:,} characters are too many for one hand (at most {MAX_HAND_BYTES:,})")
            yield _HandReader(where, [line for line in lines if len(line) <= MAX_LINE_CHARACTERS]).read_hand()
        except ValueError as error:
            yield BadHistory(f"{where}: {error}")


class _HandReader:
    def __init__(self, where: str, lines: Sequence[str]) -> None:
        self._lines = lines
        if not lines:
            raise BadHistory(f"its first line is longer than {MAX_LINE_CHARACTERS} characters")
        blinds = _check_game(lines[0])
        seats = [match for line in lines[1:] if (match := _SEAT.fullmatch(line)) and not match[4]]
        if not seats:
            raise BadHistory("it names no seat, such as 'Seat 1: Anna (1500 in chips)'; only English can be read")
        if len(seats) > MAX_PLAYERS:
            raise BadHistory(f"{len(seats)} seats (at most {MAX_PLAYERS})")
        players = {match[2]: SeatedPlayer(int(match[1]), match[2], _parse_amount(match[3])) for match in seats}
        self._names = sorted(players, key=len, reverse=True)  # longest first, because one name may begin with another
        self._hand: SiteHand[str] = SiteHand(where, players, _parse_amount(blinds[1]), _parse_amount(blinds[2]))

    def read_hand(self) -> PublishedHand:
        """Returns the hand. Raises ValueError if it cannot be shown."""
        for line in self._lines[1:]:
            self._read(line)
        tables = [match[1] for line in self._lines[:3] if (match := _TABLE.match(line))]
        return self._hand.to_published(tables[0] if tables else "", _parse_time(self._lines[0]))

    def _read(self, line: str) -> None:
        if line.startswith("*** "):
            self._read_street(line)
        elif match := _RETURNED.fullmatch(line):
            self._hand.receives(self._check_player(match[2]), _parse_amount(match[1]))
        elif (match := _COLLECTED.fullmatch(line)) and match[1] in self._names:
            self._hand.receives(match[1], _parse_amount(match[2]))
        elif match := _RAKE.match(line):
            self._hand.pays_rake(_parse_amount(match[1]))
        elif (match := _MUCKED.match(line)) and match[1] in self._names:
            self._hand.holds(match[1], match[2].split())
        elif match := _DEALT.fullmatch(line):
            self._hand.holds(self._check_player(match[1]), match[2].split())
        elif name := next((name for name in self._names if line.startswith(f"{name}: ")), ""):
            self._read_act(name, line.removeprefix(f"{name}: "))

    def _read_street(self, line: str) -> None:
        title = line.removeprefix("*** ").partition(" ***")[0]
        if title in ("FLOP", "TURN", "RIVER"):
            cards = _CARDS.findall(line)
            if not cards:
                raise BadHistory(f"its {title.lower()} names no cards")
            self._hand.deals_board(cards[-1].split())
        elif title.startswith(("FIRST ", "SECOND ")):
            raise BadHistory("its board was dealt twice, but High Noon deals only one board")

    def _read_act(self, name: str, act: str) -> None:
        match act.split():
            case ["folds", *_]:
                self._hand.folds(name)
            case ["checks", *_]:
                self._hand.calls(name)
            case ["calls", amount, *_]:
                self._hand.calls(name, _parse_amount(amount))
            case ["bets", amount, *_]:
                self._hand.raises_to(name, _parse_amount(amount))
            case ["raises", _, "to", total, *_]:
                self._hand.raises_to(name, _parse_amount(total))
            case ["shows", *_] if match := _CARDS.search(act):
                self._hand.holds(name, match[1].split())
            case ["posts", *_]:
                self._post(name, act.removeprefix("posts "))

    def _post(self, name: str, posted: str) -> None:
        for blind_name, blind in _BLINDS_BY_NAME.items():
            if posted.startswith(f"{blind_name} "):
                return self._hand.posts(name, blind, _parse_amount(posted.removeprefix(blind_name).split()[0]))
        raise BadHistory(f"{name[:30]} posts {posted[:40]}, which High Noon does not support")

    def _check_player(self, name: str) -> str:
        if name not in self._names:
            raise BadHistory(f"{name[:30]!r} has no seat")
        return name


def _check_game(heading: str) -> re.Match[str]:
    """Finds the blinds in the first line of a hand. Raises BadHistory if the game is not no-limit hold'em."""
    if not _GAME.search(heading):
        raise BadHistory("it is not no-limit hold'em, the only game that can be shown")
    match = _BLINDS.search(heading)
    if not match:
        raise BadHistory("its first line names no blinds, such as (10/20)")
    return match


def _parse_amount(text: str) -> Decimal:
    match = _MONEY.fullmatch(text)
    return parse_chips(match[1].replace(",", "") if match else text)


def _parse_time(heading: str) -> str:
    """Returns when the hand started, in UTC and ISO 8601, or "" if the line does not say."""
    match = _MOMENT.search(heading)
    if not match:
        return ""
    try:
        moment = datetime(*map(int, match.groups()[:6]), tzinfo=ZoneInfo(_TIME_ZONES[match[7]]))  # type: ignore[misc, arg-type]
    except ValueError:
        return ""
    return moment.astimezone(ZoneInfo("UTC")).isoformat()
