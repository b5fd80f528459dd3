"""Follows who leads a stage in chips, since when, and who led before. No I/O."""

from collections.abc import Mapping

from broadcast.commentary.storylines.bot_facts import HandNumber


class ChipLead:
    """The lead of one stage, or of one game of a series."""

    def __init__(self) -> None:
        self.leader = 0
        """The bot with more chips than any other, or 0 if there is none."""
        self.previous_leader = 0
        """The bot from which the latest leader took the lead, or 0 if there was none."""
        self.previous_hands_led = 0
        """How many hands in a row the previous leader led."""
        self.hands_led: list[HandNumber] = []
        """The latest hands in a row after which the leader was in the lead, the oldest first."""
        self.changes = 0
        """How often the lead has passed from one bot to another."""
        self._last_leader = self._last_hands_led = 0

    def record(self, hand: HandNumber, leader: int) -> None:
        """Records that `leader` leads after a hand. `leader` is 0 if nobody leads."""
        if leader != self.leader:
            if self.leader:
                self._last_hands_led = len(self.hands_led)
            self.leader, self.hands_led = leader, []
            if leader:
                self.previous_leader = self._last_leader if self._last_leader != leader else 0
                self.previous_hands_led = self._last_hands_led
                self.changes += bool(self.previous_leader)
                self._last_leader = leader
        if leader:
            self.hands_led.append(hand)


def leader_of(stacks: Mapping[int, int]) -> int:
    """Returns the bot with the most chips, or 0 if several bots have the most.

    `stacks` may also be other numbers, such as wins.
    """
    first = max(stacks, key=lambda bot: stacks[bot], default=0)
    return first if first and sum(chips == stacks[first] for chips in stacks.values()) == 1 else 0
