"""The contests, keyed by id. A new contest needs a folder beside this file and an entry in `CONTESTS`."""

from server.contests.acpc import contest as acpc
from server.contests.arena import contest as arena
from server.contests.enova import contest as enova
from server.contests.quick_draw import contest as quick_draw
from server.contests.upac import contest as upac

CONTESTS = {
    contest.id: contest for contest in (quick_draw.CONTEST, enova.CONTEST, upac.CONTEST, arena.CONTEST, acpc.CONTEST)
}
DEFAULT = next(iter(CONTESTS))
"""The id of the default contest."""
