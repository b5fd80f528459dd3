"""The mugshot of Wyatt Burp, a house bot."""

from assets.make.mugshots.anatomy import (
    FAIR,
    WIDE_FACE,
    Eye,
    backdrop,
    brim,
    brows,
    ears,
    eyes,
    head,
    moustache,
    sheriffs_star,
    shoulders,
)
from assets.make.pen import Pen, blob, curve, mirrored, oval

# fmt: off

def wyatt_burp(pen: Pen) -> None:
    """A marshal after lunch: round, rosy, walrus moustache, mouth open."""
    backdrop(pen, 1.1)
    shoulders(pen, "#3c4a63", "#2a3549", 232)
    pen.fill([(196, 406), (256, 500), (316, 406)], "#f1e8d4")
    pen.line([(190, 404), (252, 520)], 6)
    pen.line([(322, 404), (260, 520)], 6)
    pen.shape(
        blob((256, 424), (238, 432), (246, 452), (236, 512), (256, 526), (276, 512), (266, 452), (274, 432)), "#1f1a1d"
    )
    sheriffs_star(pen, (134, 474), 40)
    ears(pen, FAIR, 12)
    head(pen, FAIR, WIDE_FACE, brim_shadow=206)
    for x in (186, 326):
        pen.glaze(oval(x, 314, 34, 30), "#e2553fb0")
    eyes(pen, FAIR, Eye("#3b5a7a", (0, -4), 0.5, 20), 254, 42)
    brows(pen, curve((238, 236), (214, 220), (184, 222)), "#6b3a1c", 18, 9)
    pen.shape(blob((256, 268), (284, 292), (286, 316), (256, 326), (226, 316), (228, 292)), "#e88a68", 5)
    pen.fill(oval(244, 294, 7, 9), "#f9c3a4")
    pen.shape(oval(256, 372, 27, 25), "#4a1110", 6)
    pen.fill(oval(256, 386, 17, 9), "#d8554b")
    moustache(pen, blob((258, 316), (222, 314), (186, 330), (162, 364), (160, 400), (184, 402), (210, 376), (236, 352),
                        (258, 348)), "#8a4d23")
    for d in (0, 1):
        path = curve((226, 328), (200, 346), (182, 380))
        pen.line(mirrored(path) if d else path, 4, "#5f3214")
    for x, y, r in ((316, 392, 9), (380, 372, 14), (424, 330, 20), (454, 272, 26)):
        pen.shape(oval(x, y, r), "#c9e59a", 5)
        pen.fill(oval(x - r * 0.3, y - r * 0.35, r * 0.28), "#ffffff")
    with pen.within(blob((164, 178), (168, 100), (186, 62), (226, 52), (256, 62), (286, 52), (326, 62), (344, 100),
                         (348, 178), (256, 196)), "#3a302c"):
        pen.fill([(300, 30), (312, 200), (380, 200), (380, 30)], "#26201d")
        pen.line(curve((204, 70), (198, 100), (200, 140)), 12, "#594b44")
        pen.fill(curve((140, 138), (256, 158), (372, 138), (372, 182), (256, 200), (140, 182)), "#c9a24a")
        pen.fill(curve((310, 152), (372, 138), (372, 182), (310, 194)), "#a37f31")
    brim(pen, blob((78, 178), (120, 188), (256, 176), (392, 188), (434, 178), (428, 200), (356, 222), (256, 226),
                   (156, 222), (84, 200)), "#3a302c", "#1d1815")
