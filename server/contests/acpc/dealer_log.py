"""Reads and writes logs of the dealer program of the Annual Computer Poker Competition (ACPC). No I/O.

A log has a STATE line for each hand. Comments in the log may define the stacks and blinds. If they do not, the stacks
and blinds of the competition apply.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby, islice

from server.contests.acpc.betting import Betting, BettingTracker, split_betting
from server.contests.acpc.game_definition import MAX_BYTES, PLAYER_COUNTS, BadGame, Game, game_text, read_game
from server.game.rules import Level
from server.hand_histories import phh_reader
from server.hand_histories.from_recording import HandRecord

_STATE_LINE = re.compile("^STATE:.*", re.MULTILINE)
_COMMENT = re.compile("^[#;]", re.MULTILINE)
_GAMEDEF_LINE = re.compile(r"^[#;][ \t]*(GAMEDEF)[ \t\r]*$", re.MULTILINE | re.IGNORECASE)
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,12}(\.0+)?")


def read_acpc(text: str) -> Iterator[phh_reader.PublishedHand | phh_reader.BadHistory]:
    """Yields the hands of a log. If a hand cannot be shown, yields the reason in its place."""
    game, end_of_last = None, 0
    for match in islice(_STATE_LINE.finditer(text), phh_reader.MAX_HANDS + 1):
        text_before, end_of_last = text[end_of_last : match.start()], match.end()
        if _COMMENT.search(text_before):
            game = _read_definition(text_before)
        line = match[0].rstrip("\r")
        try:
            yield _read_hand(line, game)
        except ValueError as error:
            yield phh_reader.BadHistory(f"the line {line[:30]!r}: {error}")


def _read_definition(text: str) -> Game | str | None:
    """Returns the game that the comments in `text` define. If the game cannot be played, returns the reason. If the
    comments define no game, returns None.
    """
    first_line = _GAMEDEF_LINE.search(text)
    if not first_line:
        return None
    lines = text[first_line.start(1) :][:MAX_BYTES].splitlines()
    try:
        return read_game("\n".join(line.removeprefix("#").removeprefix(";") for line in lines))
    except BadGame as error:
        return str(error)


def _read_hand(line: str, game: Game | str | None) -> phh_reader.PublishedHand:
    """Reads a STATE line. `game` is a result of `_read_definition`.

    Raises ValueError with the reason if the hand cannot be shown.
    """
    if isinstance(game, str):
        raise ValueError(game)
    if len(line) > phh_reader.MAX_HAND_BYTES:
        raise ValueError("it is too long for a hand")
    fields = line.split(":")
    if len(fields) != 6:
        raise ValueError("it is not STATE:hand:betting:cards:won:names")
    _, number, betting, cards, gains, names = fields
    won = gains.split("|")
    players = tuple(name[: phh_reader.MAX_TEXT_CHARACTERS] for name in names.split("|"))
    hole_text, *board = cards.split("/")
    hole_cards = hole_text.split("|")
    game = game or Game(len(players))
    if not len(players) == len(hole_cards) == len(won) == game.players:
        raise ValueError(f"it does not have cards, winnings and a name for each of {game.players} players")
    stack, level = Decimal(game.stack), game.level
    are_whole = all(_WHOLE_NUMBER.fullmatch(amount) for amount in won)  # The dealer may pay out fractions of a chip.
    deal_actions = (f"d dh p{position} {cards or '????'}" for position, cards in enumerate(hole_cards, 1))
    hand = phh_reader.PublishedHand(
        where=f"hand {number[:20]}",
        antes=(Decimal(0),) * len(players),
        blinds=(Decimal(level.small), Decimal(level.big), *[Decimal(0)] * (len(players) - 2)),
        min_bet=Decimal(level.big),
        stacks=(stack,) * len(players),
        finishing_stacks=tuple(stack + Decimal(amount) for amount in won) if are_whole else (),
        actions=(*deal_actions, *_phh_actions(betting, board, game)),
        players=players,
    )
    phh_reader.check_lengths(hand)
    return hand


def _phh_actions(betting: str, board: Sequence[str], game: Game) -> Iterator[str]:
    """Yields the actions in the notation of PHH (Poker Hand History). A raise in PHH names a total for the street."""
    streets, tracker = iter(board), BettingTracker(game)
    for act in split_betting(betting):
        if act == "/":
            tracker.next_street()
            yield f"d db {next(streets, '')}"
        else:
            round_start_total = tracker.round_start_total
            player = tracker.apply(act) + 1
            yield (
                f"p{player} cbr {int(act[1:]) - round_start_total}"
                if act[1:]
                else f"p{player} {'f' if act == 'f' else 'cc'}"
            )


def acpc_log(hands: Iterable[HandRecord]) -> Iterator[str]:
    """Yields the lines of a log of `hands`, with line ends. Raises BadHistory for a hand that a log cannot express."""
    for _, match in groupby(hands, lambda hand: hand.game.game):
        yield from _match_lines(list(match))


def _match_lines(hands: list[HandRecord]) -> Iterator[str]:
    first_hand = hands[0]
    game = _game_of(first_hand)
    title = "_".join(first_hand.opened.title.split()) or "match"
    yield f"# name/game/hands/seed {title} {game.name} {len(hands)} 0\n"
    yield f"#--t_response {first_hand.rules.think_ms}\n"
    if first_hand.rules.time_bank_ms and first_hand.game.hands:
        yield f"#--t_per_hand {first_hand.rules.time_bank_ms // first_hand.game.hands}\n"
    yield from (f"# {line}\n" for line in game_text(game).splitlines())
    score = dict.fromkeys((first_hand.names[seat] for seat in first_hand.dealt_seats), 0)
    for hand in hands:
        if _game_of(hand) != game:
            raise phh_reader.BadHistory(
                f"hand {hand.number} does not have the same stacks, blinds and players as the hands before it"
            )
        yield f"{state_line(hand)}\n"
        for seat in hand.dealt_seats:
            score[hand.names[seat]] += _chips_won(hand, seat)
    yield f"SCORE:{'|'.join(map(str, score.values()))}:{'|'.join(map(_plain_name, score))}\n"


def state_line(hand: HandRecord) -> str:
    """Returns the line "STATE:hand:betting:cards:won:names". Its last three fields have a part for each position. In
    the field for cards, the board follows these parts.

    The cards of players who folded are included.
    """
    betting = Betting()
    for event in hand.events:
        betting.apply(event)
    won = "|".join(str(_chips_won(hand, seat)) for seat in hand.dealt_seats)
    names = "|".join(_plain_name(hand.names[seat]) for seat in hand.dealt_seats)
    cards = betting.cards(hand.hole_cards, hand.dealt_seats)
    return f"STATE:{hand.started.hand - 1}:{betting.text}:{cards}:{won}:{names}"


def _chips_won(hand: HandRecord, seat: int) -> int:
    return hand.ended.stacks[seat] - hand.started.stacks[seat]


def _game_of(hand: HandRecord) -> Game:
    """Returns the game of a hand. Raises BadHistory if no game definition can describe that game."""
    started, rules = hand.started, hand.rules
    stacks = {started.stacks[seat] for seat in hand.dealt_seats}
    are_usual_rules = rules.blinds == "posted" and rules.bet_cap == "stack" and rules.later_streets_from == "button"
    if started.ante or not are_usual_rules or (len(hand.dealt_seats) == 2 and rules.heads_up_button_posts == "big"):
        raise phh_reader.BadHistory(f"hand {hand.number} is played by rules that the ACPC's log cannot express")
    if len(stacks) > 1 or len(hand.dealt_seats) not in PLAYER_COUNTS:
        raise phh_reader.BadHistory(
            f"hand {hand.number}: in the ACPC's log 2 to 10 players begin each hand with the same stack"
        )
    return Game(len(hand.dealt_seats), stacks.pop(), Level(started.small_blind, started.big_blind))


def _plain_name(name: str) -> str:
    """Returns the name with "_" in place of ":" and "|", which separate fields."""
    return name.replace(":", "_").replace("|", "_")
