"""Quick Draw: fifteen short games for the six best, then a final of 24 hands."""

from server.game.rules import Level, Rules
from server.game.tournament import Format, StagePlan

QUICK_DRAW = Rules(
    edition=2,
    levels=(Level(50, 100),),
    later_streets_from="big_blind",
    heads_up_button_posts="big",
    min_raise="one_chip",
    raise_laps=5,
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
