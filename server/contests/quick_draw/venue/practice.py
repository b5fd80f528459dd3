"""Practice for Quick Draw: `POST /register` as in a tournament, and the page `/practice`."""

from msgspec.structs import replace

from server.app.practice.games.plan import short
from server.app.practice.pages import Form
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.tournament import Format

FORM = Form(
    "Practice for Quick Draw",
    "/practice",
    how="POST /register with your bot's name, then connect to the port that comes back: its game begins at once. "
    "The own_url that comes back is a page for you alone; with a key of your choice the next game is on it, too.",
)


def practice_game(seats: int, hands: int) -> Format:
    """Quick Draw as it is practised."""
    return replace(short(QUICK_DRAW_FORMAT, seats, hands), title="Practice")
