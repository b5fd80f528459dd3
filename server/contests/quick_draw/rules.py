"""The rules of the contest Quick Draw, as numbers and as text. Bots play fifteen short games. The best six bots then
play a final of 24 hands.
"""

from server.contests.probe_situations import COMMON_RULES, OUT_OF_CHIPS_RULE, TABLE_RULES, RuleTexts, list_actions
from server.game.formats import Format, StagePlan
from server.game.rules import Level, Rules

QUICK_DRAW = Rules(
    edition=2,
    levels=(Level(50, 100),),
    think_ms=3000,
    later_streets_from="big_blind",
    heads_up_button_posts="big",
    min_raise="one_chip",
    raise_laps=5,  # On each street, bots may raise only in the first five laps around the table.
    raise_out_of_range="refuse_low",
    show="all",
)

# "The Trials are made up of 15 games or until there are 6 players remaining. […] Finals will involve 24 hands or
# until 1 player is left. Everyone will reset to a 5000 chip pot"
QUICK_DRAW_FORMAT = Format(
    contest="quick-draw",
    title="Quick Draw Circuit",
    rules=QUICK_DRAW,
    starting_stack=5000,
    stages=(
        StagePlan("The Trials", games=15, hands=6, advance=6),
        StagePlan("High Noon", games=1, hands=24),
    ),
)


RULE_TEXTS = RuleTexts(
    # Each of these rules is quoted when a bot breaks it.
    rules_by_subject={
        "message": "A message is one JSON object with a command. take_action has an action: fold, call or raise. A "
        "raise has a raise_amount, a whole number.",
        "action": "raise_amount is the bot's total for this round of betting. An amount below the highest bet is "
        "invalid, and one equal to it is a call.",
        "time": "The first valid take_action within three seconds of request_action counts. After that the "
        "bot folds, and a late answer never counts for its next turn.",
        "turn": "A bot acts when request_action asks it to, once.",
        "gone": "A bot that has disconnected folds on each of its turns: there is no rejoining.",
    },
    # These are the rules of the rule book.
    rules_by_topic=COMMON_RULES
    | TABLE_RULES
    | OUT_OF_CHIPS_RULE
    | {
        "comes": "A bot registers by POST /register and connects to the port in the answer.",
        "act": "After request_action the bot sends take_action with fold, call or raise, within three seconds.",
        "raise": "raise_amount is the bot's total bet for the round, not the chips that it adds.",
        "fields": "A message may have fields that the rule book does not mention; a bot should ignore them.",
        "stream": "TCP is a stream: a message may arrive in pieces, or several at once. Each is one line.",
        "chat": "Other bots' chat arrives at any time as receive_chat. It needs no answer.",
        "error": "A refused action is answered by confirm_action with an error; the bot may send another in time.",
    },
    legal_answers=lambda _, turn: list_actions(turn, "a raise_amount", "call (costs nothing)"),
)
