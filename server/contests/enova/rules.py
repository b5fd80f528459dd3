"""Enova: tables of eight until eight are left, then the last table; blinds are asked for."""

from server.game.rules import Level, Rules
from server.game.tournament import Format, StagePlan, with_blinds

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

# "At most 8 at a table, play until one is left". More than 8 sit down in turn at tables of 8 hands, drawn anew each
# time, until 8 are left for the last table; chips are kept.
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

# The document leaves blinds to the organiser: in a demo they rise, so that it ends soon.
ENOVA_DEMO = with_blinds(ENOVA_FORMAT, tuple(Level(small, 2 * small) for small in (1, 2, 4, 8, 15, 25, 50)), 12)
