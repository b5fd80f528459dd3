"""The names of bots and players in a recording: those that this program never accepts refute it."""

from server.game.events import TournamentOpened
from server.text.names_and_chat import never_admitted
from server.verify.refutation import Refuted


def check_names(opened: TournamentOpened) -> None:
    """Raises Refuted where a bot or a player has a name that this program never accepts."""
    for entrant in opened.entrants:
        for whose, name in (("", entrant.name), ("the player of ", entrant.player or entrant.name)):
            if why := never_admitted(name):
                raise Refuted(f"the name of {whose}bot {entrant.bot} was never admitted: {why}")
