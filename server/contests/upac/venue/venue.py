"""What UPAC is held with: its programs play in boxes, in a season."""

from server.app.season.event import hold_season
from server.app.sparring.seats import Seats
from server.app.sparring.sides import Side
from server.app.venue.venue import Venue
from server.config.event_file import EventPlan
from server.config.settings import Settings
from server.contests.upac.venue.demo import season_demo
from server.tournament.director import Arrived

DEMO_GAMES = 12


class UpacVenue(Venue):
    """See `Venue`."""

    async def seat(self, seats: Seats, bot: int, side: Side) -> Arrived:
        return await seats.piped(bot, side)

    async def hold_season(self, plan: EventPlan, speed: float) -> int:
        return await hold_season(plan, speed=speed)

    async def show_season(self, settings: Settings) -> int:
        return await season_demo(settings, DEMO_GAMES)
