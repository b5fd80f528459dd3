"""Makes entrants of the house bots, with their pictures and sounds."""

from broadcast.media.library import MediaLibrary
from server.bots.house.characters import CHARACTERS
from server.config.settings import Settings
from server.game.events import Entrant
from server.paths import ASSETS


def enter_characters(settings: Settings) -> list[Entrant]:
    """The house's bots as entrants, each its own player, with their media in the library."""
    library = MediaLibrary(settings.media)
    entrants = []
    for bot, character in enumerate(CHARACTERS, 1):
        folder = ASSETS / "house" / character.folder
        avatar, particle = (library.keep(folder / name) for name in ("avatar.webp", "particle.webp"))
        sound = library.keep(folder / "sound.ogg")
        length_ms = library.sound_ms(sound)
        entrants.append(Entrant(bot, character.name, character.name, avatar, particle, sound, length_ms))
    return entrants
