"""The rules of the contest UPAC, as numbers and as text. Two bots play 100 hands. Any fault loses the game."""

from server.contests.probe_situations import COMMON_RULES, RuleTexts
from server.game.events import TurnStarted
from server.game.formats import Format, StagePlan
from server.game.hand import Hand
from server.game.rules import Level, Rules

# "Raising will first match the opponent's bet, and then push an additional n chips"; "always clamped to what both
# stacks allow"; "1 s per action"; "timeout, crash or invalid action: the whole game is lost 0 to 1".
UPAC = Rules(
    edition=2,
    levels=(Level(1, 2),),
    think_ms=1000,
    min_raise="one_chip",
    raise_out_of_range="clamp",
    bet_cap="shortest_stack",
    ask_when_all_in=True,
    fault_costs="game",
    show="loser_if_aggressor",
)

# "Games are played for 100 rounds, or until one bot runs out of chips. Bots start with 50 chips". The bot
# that was challenged takes the first seat, and has the small blind in round 1.
UPAC_FORMAT = Format(
    contest="upac",
    title="UPAC",
    rules=UPAC,
    starting_stack=50,
    stages=(StagePlan("The Duel", games=1, hands=100, seats=2, draws_seats=False),),
)


def _legal_answers(hand: Hand, turn: TurnStarted) -> list[str]:
    call = f"C (costs {turn.to_call})" if turn.to_call else "C (costs nothing)"
    max_number = turn.max_raise_to - hand.current_bet
    return [
        "F",
        call,
        *([f"R with a number up to {max_number}, such as R{min(6, max_number)}"] if turn.max_raise_to else []),
    ]


RULE_TEXTS = RuleTexts(
    rules_by_subject={  # quoted when a bot breaks one of them
        "message": "An action is F, C, or R and a whole number, on a line of its own. Any other line loses the game.",
        "action": "R and a number first matches the other bot's bet, then pushes that many more chips.",
        "time": "A bot has one second after STACK to write its action. A bot that is late loses the game.",
        "turn": "A bot writes one action for each STACK. A second line does not count.",
        "gone": "A bot that exits before its game is over loses the game.",
    },
    # These rules are the contest's rule book.
    rules_by_topic=COMMON_RULES
    | {
        "comes": "A bot is built and started by the commands in its bot.json.",
        "act": "After STACK the bot writes F, C, or R and a number, on a line of its own, within one second.",
        "raise": "R and a number first matches the opponent's bet, then adds that many chips.",
        "stream": "Standard input is a stream: a line may arrive in pieces, or several lines at once.",
    },
    legal_answers=_legal_answers,
)
