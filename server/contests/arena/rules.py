"""The rules of the contest Arena, as numbers and as text: one table of up to twelve bots, and blinds that rise."""

from server.contests.probe_situations import COMMON_RULES, OUT_OF_CHIPS_RULE, TABLE_RULES, RuleTexts, list_actions
from server.game.formats import Format, StagePlan
from server.game.rules import Level, Rules

# "29 Blind Levels: From 10/20 to 7500/15000, each level lasting 24 hands".
_ARENA_BLINDS = """
    10/20 20/30 20/40 30/50 30/60 40/80 50/100 60/120 100/200 100/200 150/250 200/300 200/400 300/500 300/600 400/800
    500/1000 600/1200 1000/1500 1000/2000 1500/2500 2000/3000 2000/4000 2500/5000 3000/6000 4000/8000 5000/10000
    6000/12000 7500/15000
"""
ARENA_LEVELS = tuple(Level(int(small), int(big)) for small, big in (pair.split("/") for pair in _ARENA_BLINDS.split()))
ARENA = Rules(
    edition=2,
    levels=ARENA_LEVELS,
    hands_per_level=24,
    think_ms=3000,
    heads_up_button_posts="big",
    refused_checks=True,  # a refused decision becomes a check instead of a fold, where a check is possible
)

# "Continuous Play: the game continues until only one player remains"; "2000 chips, up to 12 players".
ARENA_FORMAT = Format(
    contest="arena",
    title="The Arena",
    rules=ARENA,
    starting_stack=2000,
    stages=(StagePlan("The Arena", games=1, hands=0, seats=12),),
)


# `rules_by_topic` is the rule book. A bot's author gets a rule of `rules_by_subject` when the bot breaks it.
RULE_TEXTS = RuleTexts(
    rules_by_subject={
        "message": 'A bot answers POST /action with status 200 and a JSON object such as {"action": "call", "amount": '
        "20}. Anything else is a fold.",
        "action": "Only the actions in valid_actions are valid. For any other the bot checks if that costs nothing, "
        "and otherwise folds.",
        "time": "A bot has three seconds to answer. After that it folds.",
        "turn": "A bot acts when POST /action asks it to.",
        "gone": "A bot that cannot be reached folds.",
    },
    rules_by_topic=COMMON_RULES
    | TABLE_RULES
    | OUT_OF_CHIPS_RULE
    | {
        "comes": "A bot listens at the address with which it was entered.",
        "act": "A bot answers POST /action with one of the actions in valid_actions, as JSON, within the time limit.",
        "raise": "The amount of a bet or raise is between min and max in valid_actions.",
        "fields": "A game state may have fields that the rule book does not mention; a bot should ignore them.",
    },
    legal_answers=lambda _, turn: [*list_actions(turn, "an amount", "check"), "all_in"],
)
