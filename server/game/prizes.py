"""Computes the final results of a tournament: every bot's place, and its player's prize. All functions are pure."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from server.game.events import Placing, TournamentOpened
from server.game.tournament import Tournament

HUNDRED_PER_CENT = 10_000
"""100 percent, in hundredths of a percent."""


class Share(Struct, frozen=True):
    """The prize of a place: either fixed `cents`, or a `part` of the money that is left after the fixed prizes. `part`
    is in hundredths of a percent.
    """

    cents: int = 0
    part: int = 0


def standard_prizes(pool_cents: int) -> tuple[int, ...]:
    """Returns the prizes of the first five places, in cents.

    The rules say: "4th / 5th place: $5. 3rd place: 20% of remaining pot. 2nd place: 30% […] 1st place: 50% of remaining
    pot". If the pool is too small for the prizes of the 4th and 5th place, the first three places share the whole pool.
    """
    low = Share(500 if pool_cents >= 2000 else 0)
    return divide_pool(pool_cents, (Share(part=5000), Share(part=3000), Share(part=2000), low, low))


def divide_pool(pool_cents: int, shares: Sequence[Share]) -> tuple[int, ...]:
    """Returns the prize of each place, in cents. First place also gets the cents that are left after all shares.

    Raises ValueError if the fixed sums exceed the pool.
    """
    fixed = sum(share.cents for share in shares)
    if fixed > pool_cents:
        raise ValueError(f"prizes of ${fixed / 100:.2f} are promised, but the pool is ${pool_cents / 100:.2f}")
    paid = [share.cents + (pool_cents - fixed) * share.part // HUNDRED_PER_CENT for share in shares]
    return (pool_cents - sum(paid[1:]), *paid[1:]) if paid else ()


def final_placings(opened: TournamentOpened, tournament: Tournament) -> tuple[Placing, ...]:
    """Returns the final results of a tournament whose stages are over, best first."""
    records = tournament.records
    ranking = sorted(records, key=lambda bot: records[bot].place)
    stacks = {bot: record.stack for bot, record in records.items()}
    players = {entrant.bot: entrant.player for entrant in opened.entrants}
    withdrawn_bots = [bot for bot, record in records.items() if record.withdrawn]
    return placings_from(ranking, stacks, players, opened.prizes_cents, withdrawn_bots)


def placings_from(
    ranking: Sequence[int],
    stacks: Mapping[int, int],
    players: Mapping[int, str],
    prizes_cents: Sequence[int],
    withdrawn_bots: Collection[int] = (),
) -> tuple[Placing, ...]:
    """Returns the final results of all bots, best first. The `withdrawn_bots` win nothing.

    A player's second bot wins nothing, and its prize goes to the next player: "Players, not individual bots, receive
    prizes […] you will receive the payout for the higher placed bot". If there are fewer players than prizes, the
    winner also gets the prizes that are left. So the whole pool is paid out unless all bots were withdrawn.
    """
    best_bots: dict[str, int] = {}
    for bot in ranking:
        if bot not in withdrawn_bots:
            best_bots.setdefault(players[bot] or f"bot {bot}", bot)  # a bot without a player is its own player
    prize_winners = list(best_bots.values())
    prize = dict(zip(prize_winners, prizes_cents, strict=False))
    if prize_winners:
        prize[prize_winners[0]] = prize.get(prize_winners[0], 0) + sum(prizes_cents[len(prize_winners) :])
    return tuple(Placing(place, bot, stacks[bot], prize.get(bot, 0)) for place, bot in enumerate(ranking, 1))
