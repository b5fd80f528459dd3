"""The mugshot of Annie Oddsley, a house bot."""

from assets.make.mugshots.anatomy import (
    FACE,
    FAIR,
    Eye,
    backdrop,
    brim,
    eye,
    head,
    neck,
    nose,
    sheriffs_star,
    shoulders,
)
from assets.make.pen import Pen, blob, curve, oval

# fmt: off

def annie_oddsley(pen: Pen) -> None:
    """One eye shut to take aim, brown curls, a hat pinned up with a star."""
    backdrop(pen, 1.08)
    hair = blob((256, 120), (176, 140), (134, 210), (140, 280), (108, 330), (124, 392), (92, 440), (140, 486), (200,
        470),
                (312, 470), (372, 486), (420, 440), (388, 392), (404, 330), (372, 280), (378, 210), (336, 140))
    with pen.within(hair, "#6f3f1f"):
        pen.fill([(330, 100), (348, 300), (336, 500), (440, 500), (440, 100)], "#522c13")
        for x in (148, 172, 344, 366):
            pen.line(curve((x, 240), (x - 16, 300), (x + 8, 360), (x - 14, 420), (x, 466)), 7, "#96602f", end=3)
    shoulders(pen, "#2d5f8f", "#1f466d", 182)
    neck(pen, FAIR)
    collar = blob((190, 410), (256, 436), (322, 410), (352, 446), (300, 466), (256, 450), (212, 466), (160, 446))
    pen.shape(collar, "#f4ecda")
    sheriffs_star(pen, (180, 492), 26)
    pen.shape(oval(336, 494, 19), "#d9dee2", 5)
    pen.shape([(324, 452), (348, 452), (344, 478), (328, 478)], "#c0392b", 4)
    head(pen, FAIR, FACE, brim_shadow=218)
    eye(pen, (214, 266), Eye("#3b6ea5", (3, 1), 0.2, 26), FAIR)
    pen.line(curve((276, 268), (302, 278), (330, 262)), 9)
    for a, b in (((284, 274), (280, 286)), ((302, 279), (302, 291)), ((320, 272), (326, 283))):
        pen.line([a, b], 5)
    pen.line(curve((272, 290), (300, 298), (326, 290)), 4, FAIR.shade)
    for dx, dy in ((-22, -20), (-30, -10)):
        pen.line([(214 + dx + 4, 266 + dy + 6), (214 + dx - 7, 266 + dy - 3)], 5)
    pen.line(curve((238, 228), (212, 214), (184, 228)), 11, "#522c13", end=5)
    pen.line(curve((276, 246), (304, 236), (332, 242)), 11, "#522c13", end=5)
    nose(pen, FAIR, 318, 14, 282)
    pen.shape(blob((222, 350), (242, 341), (254, 346), (266, 341), (288, 346), (272, 364), (254, 368), (236, 364)),
              "#c2474a", 5)
    pen.line(curve((216, 350), (250, 355), (296, 338)), 5)
    with pen.within(blob((168, 184), (170, 116), (188, 78), (256, 64), (324, 78), (342, 116), (346, 184), (256, 198)),
                    "#22828a"):
        pen.fill([(298, 40), (312, 210), (380, 210), (380, 40)], "#176269")
        pen.line(curve((204, 86), (192, 112), (192, 142)), 10, "#4db3b7")
        pen.fill(curve((150, 148), (256, 164), (362, 148), (362, 186), (256, 202), (150, 186)), "#f4ecda")
        pen.fill(curve((306, 158), (362, 148), (362, 186), (312, 194)), "#cfc5b0")
    brim(pen, blob((70, 214), (104, 188), (180, 184), (256, 192), (320, 186), (372, 150), (392, 92), (424, 74), (428,
        130),
                   (404, 190), (344, 226), (256, 230), (160, 224), (92, 234)), "#22828a", "#12535a")
    sheriffs_star(pen, (386, 142), 36)
