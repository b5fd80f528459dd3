"""The standings as text, for browsers without scripts. No I/O."""

from broadcast.on_air.picture_state import State


def plain_standings(picture: State) -> tuple[tuple[str, str], ...]:
    """Returns the bots of the stage on air, best first. Each item is a bot's name with its chips, its number of won
    games, or its place.

    In a deal, several tables play the same cards. In a stage of deals, each item has a bot's name, and the chips that
    it has won or earned per deal. Before the first deal is over, returns ().
    """
    stage, bots = picture.stage, picture.bots
    rows = [bots[bot] for bot in (stage.bots if stage else bots) if bot in bots]
    rows.sort(key=lambda bot: (bot.place, -bot.stack, bot.bot))
    if stage and stage.deals:
        chips = "chips earned" if stage.decided_by == "earned" else "chips"
        return tuple((bots[row.bot].name, f"{row.per_deal:+,} {chips} per deal") for row in picture.standings.rows)
    if stage and stage.series:
        rows.sort(key=lambda bot: -bot.wins)
        return tuple((bot.name, f"{bot.wins:,} won") for bot in rows)
    return tuple((bot.name, f"out, place {bot.place}" if bot.place else f"{bot.stack:,} chips") for bot in rows)
