"""What UPAC is held with: its programs play in boxes, in a season."""

from server.app.season.event import hold_season
from server.app.venue.venue import Venue
from server.config.event_file import EventPlan
from server.config.settings import Settings
from server.contests.upac.venue.demo import season_demo

DEMO_GAMES = 12


class UpacVenue(Venue):
    """See `Venue`."""

    async def hold_season(self, plan: EventPlan) -> int:
        return await hold_season(plan)

    async def show_season(self, settings: Settings) -> int:
        return await season_demo(settings, DEMO_GAMES)
