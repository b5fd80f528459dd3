"""Draws the mugshot of each house bot, and its particle (a small picture that flies when the bot wins). Writes WebP."""

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from assets.make import particles
from assets.make.mugshots.annie_oddsley import annie_oddsley
from assets.make.mugshots.billy_the_kid import billy_the_kid
from assets.make.mugshots.bluffin_bandit import bluffin_bandit
from assets.make.mugshots.calamity_bayes import calamity_bayes
from assets.make.mugshots.doc_holobyte import doc_holobyte
from assets.make.mugshots.judge_roy_bean_counter import judge_roy_bean_counter
from assets.make.mugshots.old_man_river import old_man_river
from assets.make.mugshots.quick_quinn import quick_quinn
from assets.make.mugshots.senor_fold_a_lot import senor_fold_a_lot
from assets.make.mugshots.stranger import stranger
from assets.make.mugshots.sundance_sid import sundance_sid
from assets.make.mugshots.two_pair_tess import two_pair_tess
from assets.make.mugshots.wyatt_burp import wyatt_burp
from assets.make.pen import Pen

Drawing = Callable[[Pen], None]

HOUSE_BOTS: dict[str, tuple[Drawing, Drawing]] = {  # keyed by folder name
    "annie-oddsley": (annie_oddsley, particles.bullet),
    "billy-the-kid": (billy_the_kid, particles.tumbleweed),
    "calamity-bayes": (calamity_bayes, particles.dynamite),
    "doc-holobyte": (doc_holobyte, particles.cog),
    "judge-roy-bean-counter": (judge_roy_bean_counter, particles.gavel),
    "old-man-river": (old_man_river, particles.trout),
    "quick-quinn": (quick_quinn, particles.horseshoe),
    "senor-fold-a-lot-de-rio-grande": (senor_fold_a_lot, particles.cactus),
    "sundance-sid": (sundance_sid, particles.sun),
    "the-bluffin-bandit": (bluffin_bandit, particles.ace),
    "two-pair-tess": (two_pair_tess, particles.plume),
    "wyatt-burp": (wyatt_burp, particles.mug),
}


def draw(folder: Path) -> None:
    """Writes every picture below `folder`, the folder `assets`."""
    for slug, (avatar, particle) in HOUSE_BOTS.items():
        _write_avatar(avatar, folder / "house" / slug / "avatar.webp")
        _write_particle(particle, folder / "house" / slug / "particle.webp")
    _write_avatar(stranger, folder / "avatars" / "default.webp")
    for contest in ("acpc", "quick-draw"):
        for language in ("cpp", "java", "javascript", "python"):
            _write_avatar(stranger, folder / "starters" / contest / language / "mugshot.webp")
    _write_particle(particles.gold_star, folder / "particles" / "default.webp")
    sizes = [(side, side) for side in (16, 32, 48, 64)]
    _picture(particles.gold_star, 128, 128).save(folder / "favicon.ico", sizes=sizes)


def _picture(drawing: Drawing, width: int, pixels: int) -> Image.Image:
    pen = Pen(width, pixels)
    drawing(pen)
    return pen.picture()


def _write_avatar(drawing: Drawing, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _picture(drawing, 512, 512).convert("RGB").save(path, quality=88, method=6)


def _write_particle(drawing: Drawing, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _picture(drawing, 128, 128).save(path, quality=90, method=6)
