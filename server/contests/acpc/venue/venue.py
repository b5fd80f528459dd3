"""What the ACPC is held with: its players are programs that connect to a port of their own."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from broadcast.app import Studio
from server.app.demo.bots import DemoBots
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Offer
from server.app.venue.venue import Venue
from server.config.settings import Settings
from server.contests.acpc.venue.demo import demo_bots
from server.contests.acpc.venue.practice import practice_router


class AcpcVenue(Venue):
    """See `Venue`."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        return Offer("POST {base}/register, then start the bot with the port_number", practice_router(channels))

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        return demo_bots(settings)
