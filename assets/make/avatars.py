"""Which house bot has which mugshot and particle, by folder name; writes them as WebP."""

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from assets.make import gentlemen, outlaws, particles
from assets.make.pen import Pen

Drawing = Callable[[Pen], None]

HOUSE: dict[str, tuple[Drawing, Drawing]] = {
    "annie-oddsley": (outlaws.annie_oddsley, particles.bullet),
    "billy-the-kid": (outlaws.billy_the_kid, particles.tumbleweed),
    "calamity-bayes": (outlaws.calamity_bayes, particles.dynamite),
    "doc-holobyte": (gentlemen.doc_holobyte, particles.cog),
    "judge-roy-bean-counter": (gentlemen.judge_roy_bean_counter, particles.gavel),
    "old-man-river": (gentlemen.old_man_river, particles.trout),
    "quick-quinn": (outlaws.quick_quinn, particles.horseshoe),
    "senor-fold-a-lot-de-rio-grande": (gentlemen.senor_fold_a_lot, particles.cactus),
    "sundance-sid": (gentlemen.sundance_sid, particles.sun),
    "the-bluffin-bandit": (outlaws.bluffin_bandit, particles.ace),
    "two-pair-tess": (outlaws.two_pair_tess, particles.plume),
    "wyatt-burp": (gentlemen.wyatt_burp, particles.mug),
}


def draw(folder: Path) -> None:
    """Write every picture below `folder`, the assets."""
    for slug, (avatar, particle) in HOUSE.items():
        _write_avatar(avatar, folder / "house" / slug / "avatar.webp")
        _write_particle(particle, folder / "house" / slug / "particle.webp")
    _write_avatar(outlaws.stranger, folder / "avatars" / "default.webp")
    for language in ("javascript", "python"):
        _write_avatar(outlaws.stranger, folder / "starters" / "quick-draw" / language / "mugshot.webp")
    _write_particle(particles.gold_star, folder / "particles" / "default.webp")
    sizes = [(side, side) for side in (16, 32, 48, 64)]
    _picture(particles.gold_star, 128, 128).save(folder / "favicon.ico", sizes=sizes)


def _picture(drawing: Drawing, units: int, pixels: int) -> Image.Image:
    pen = Pen(units, pixels)
    drawing(pen)
    return pen.picture()


def _write_avatar(drawing: Drawing, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _picture(drawing, 512, 512).convert("RGB").save(path, quality=88, method=6)


def _write_particle(drawing: Drawing, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _picture(drawing, 128, 128).save(path, quality=90, method=6)
