"""What Quick Draw is held with: its bots register over HTTP and connect over TCP."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from broadcast.app import Studio
from server.app.demo.bots import DemoBots
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Offer
from server.app.venue.venue import Venue
from server.config.settings import Settings
from server.contests.quick_draw.venue.demo import demo_bots
from server.contests.quick_draw.venue.practice import practice_router


class QuickDrawVenue(Venue):
    """See `Venue`."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        return Offer("POST {base}/register", practice_router(channels))

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        return demo_bots(settings, studio, base)
