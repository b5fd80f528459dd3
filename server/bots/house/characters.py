"""The house bots (bots that come with this program) as they appear in a demo: name, style of play, and folder of
media.
"""

from msgspec import Struct


class Character(Struct, frozen=True):
    """One house bot. `style` is a key of `server.bots.house.styles.styles()`, and `folder` is in assets/house."""

    name: str
    style: str
    folder: str


CHARACTERS = (
    Character("Billy the Kid", "aggressive", "billy-the-kid"),
    Character("Doc Holobyte", "careful", "doc-holobyte"),
    Character("Calamity Bayes", "loose", "calamity-bayes"),
    Character("The Bluffin' Bandit", "aggressive", "the-bluffin-bandit"),
    Character("Señor Fold-a-Lot de Río Grande", "careful", "senor-fold-a-lot-de-rio-grande"),
    Character("Two-Pair Tess", "chatty", "two-pair-tess"),
    Character("Old Man River", "calling", "old-man-river"),
    Character("Quick Quinn", "random", "quick-quinn"),
    Character("Annie Oddsley", "careful", "annie-oddsley"),
    Character("Wyatt Burp", "chatty", "wyatt-burp"),
    Character("Sundance Sid", "loose", "sundance-sid"),
    Character("Judge Roy Bean Counter", "calling", "judge-roy-bean-counter"),
)
