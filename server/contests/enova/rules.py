"""The rules of the contest Enova, as numbers and as text. Bots play at tables of eight. The last eight bots then play
at one last table.

Bots post their own blinds.
"""

import unicodedata

from server.contests.probe_situations import COMMON_RULES, TABLE_RULES, RuleTexts, range_text
from server.game.events import TurnStarted
from server.game.formats import Format, StagePlan, with_blinds
from server.game.hand import Hand
from server.game.rules import Level, Rules
from server.text.look_alikes import look_alike
from server.text.names_and_chat import MAX_LONG_NAME_CHARACTERS, letters_and_brackets, name_fault

ROUND_BRACKETS = str.maketrans("[]", "()")

# "the first two players are required to post a small blind (1 chip) and large blind (2 chips)"; "heads-up the dealer
# posts 2"; "every call to a bot had a 5 s limit"; "no minimum raise, no raise cap"; "there are never side pots".
ENOVA = Rules(
    edition=2,
    levels=(Level(1, 2),),
    think_ms=5000,
    heads_up_button_posts="big",
    blinds="asked",
    min_raise="one_chip",
    bet_cap="shortest_stack",
    odd_chips="last_in_order",
    show="winners",
)

# "At most 8 at a table, play until one is left". More than 8 bots play in rounds of 8 hands. The tables are drawn again
# for each round. The last 8 bots play at the last table, with the chips they have.
ENOVA_FORMAT = Format(
    contest="enova",
    title="Enova Hold'em",
    rules=ENOVA,
    starting_stack=100,
    stages=(
        StagePlan("The Tables", games=0, hands=8, seats=8, advance=8, even=True),
        StagePlan("The Last Table", games=1, hands=0, seats=8, carry=True),
    ),
)

# The rule book lets the organiser choose the blinds. In a demo, blinds rise, so that the demo ends soon.
ENOVA_DEMO = with_blinds(ENOVA_FORMAT, tuple(Level(small, 2 * small) for small in (1, 2, 4, 8, 15, 25, 50)), 12)


def _legal_answers(hand: Hand, turn: TurnStarted) -> list[str]:
    if turn.blind:
        blind = hand.small_blind if turn.blind == "small" else hand.big_blind
        return [f"blind with an amount of {blind}", "fold"]
    call = f"bet with an amount of {hand.current_bet} (a {'call' if turn.to_call else 'check'})"
    raises = f" or {range_text(turn.min_raise_to, turn.max_raise_to)} (a raise)" if turn.max_raise_to else ""
    return [f"{call}{raises}", "fold"]


RULE_TEXTS = RuleTexts(
    rules_by_subject={  # quoted when a bot breaks one of them
        "message": 'A bot answers POST /player/action with status 200 and JSON such as {"action": "bet", "amount": 4}: '
        "the action is blind, bet or fold, the amount a whole number. Anything else is a fold.",
        "action": "A bet is the bot's total for this round: at least minimum_bet, which is a call, and at most "
        "maximum_bet. A bot posts exactly the blind that it is asked for.",
        "time": "A bot must answer within the time limit. After that it folds.",
        "turn": "A bot acts when POST /player/action asks it to.",
        "gone": "A bot that cannot be reached folds.",
    },
    # These rules are the contest's rule book.
    rules_by_topic=COMMON_RULES
    | TABLE_RULES
    | {
        "comes": "A bot answers GET /player/ready and POST /player/seat with status 200.",
        "act": 'A bot answers POST /player/action in time with status 200 and {"action": …, "amount": …}.',
        "names": "Names have up to 100 characters.",
        "fields": "A form may have fields that the rule book does not mention; a bot should ignore them.",
    },
    legal_answers=_legal_answers,
)


def accepted_name(requested_name: str) -> str:
    """Returns the name of a bot that asks for `requested_name`.

    The name has at most 100 characters: letters with their accents and vowel signs, digits, `_ ( ) [ ]` and single
    spaces. All other characters are removed, as on the original server. Messages contain even long names in full,
    because bots look for their own names there. Raises ValueError, with a reason for the author, if no letter or digit
    is left.
    """
    name = " ".join(letters_and_brackets(unicodedata.normalize("NFC", requested_name)).split())[
        :MAX_LONG_NAME_CHARACTERS
    ].rstrip()
    if not any(character.isalnum() for character in name) or name_fault(name, MAX_LONG_NAME_CHARACTERS):
        raise ValueError("The name needs letters or digits; everything but those, _ ( ) [ ] and spaces is left out")
    return name


def are_confusable_names(one: str, other: str) -> bool:
    """Whether people could confuse the names. Treats square and round brackets as equal, because the server's forms
    have only round brackets.
    """
    return look_alike(one.translate(ROUND_BRACKETS), other.translate(ROUND_BRACKETS))
