"""The starter bots of each contest, for tests that run them."""

from server.contests import CONTESTS

PROGRAMS = {each.id: each.starters.programs for each in CONTESTS.values()}
GIVEN = {each.id: each.command.given for each in CONTESTS.values()}
