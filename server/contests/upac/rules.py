"""UPAC: duels of 100 hands, in which any fault loses the game."""

from server.game.rules import Level, Rules
from server.game.tournament import Format, StagePlan

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

# "Games are played for 100 rounds, or until one bot runs out of chips. Bots start with 50 chips". The defender sits
# first, and has the small blind in round 1.
UPAC_FORMAT = Format(
    contest="upac",
    title="UPAC",
    rules=UPAC,
    starting_stack=50,
    stages=(StagePlan("The Duel", games=1, hands=100, seats=2, draw=False),),
)
