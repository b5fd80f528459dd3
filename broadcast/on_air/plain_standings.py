"""The standings in words, for browsers without scripts. Pure."""

from broadcast.on_air.picture_state import Bot, State


def plain_standings(picture: State) -> tuple[tuple[str, str], ...]:
    """Each bot of the stage on air, best first: its name, and its chips, games won or place; () before the first."""
    stage, bots = picture.stage, picture.bots
    series = bool(stage and stage.series)
    rows = [bots[bot] for bot in (stage.bots if stage else bots) if bot in bots]
    rows.sort(key=lambda bot: (-bot.wins if series else 0, bot.place, -bot.stack, bot.bot))
    return tuple((bot.name, _words(bot, series=series)) for bot in rows)


def _words(bot: Bot, *, series: bool) -> str:
    if series:
        return f"{bot.wins:,} won"
    return f"out, place {bot.place}" if bot.place else f"{bot.stack:,} chips"
