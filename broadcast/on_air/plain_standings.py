"""How everybody stands, in words, for pages in browsers without scripts. Pure."""

from broadcast.on_air.picture_state import Bot, State


def plain_standings(picture: State) -> tuple[tuple[str, str], ...]:
    """Name and chips, games won or place of each bot of the stage on air, the best first; () before there are any."""
    stage, bots = picture.stage, picture.bots
    series = bool(stage and stage.series)
    rows = [bots[bot] for bot in (stage.bots if stage else bots) if bot in bots]
    rows.sort(key=lambda bot: (-bot.wins if series else 0, bot.place, -bot.stack, bot.bot))
    return tuple((bot.name, _words(bot, series=series)) for bot in rows)


def _words(bot: Bot, *, series: bool) -> str:
    if series:
        return f"{bot.wins:,} won"
    return f"out, place {bot.place}" if bot.place else f"{bot.stack:,} chips"
