"""The names of bots and players in a recording: those that this program never accepts refute it."""

from server.game.events import TournamentOpened
from server.text.names_and_chat import never_admitted
from server.verify.refutation import Refuted


def check_names(opened: TournamentOpened) -> None:
    """Raises Refuted where a bot or a player has a name that this program never accepts."""
    for entrant in opened.entrants:
        check_name(entrant.name, f"the name of bot {entrant.bot}")
        if entrant.player:
            check_name(entrant.player, f"the name of the player of bot {entrant.bot}")


def check_name(name: str, what: str) -> None:
    """Raises Refuted where this program never accepts `name`; `what` it is the name of."""
    if why := never_admitted(name):
        raise Refuted(f"{what} was never admitted: {why}")
