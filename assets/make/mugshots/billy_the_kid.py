"""The mugshot of Billy the Kid, a house bot."""

from assets.make.mugshots.anatomy import (
    FACE,
    FAIR,
    Eye,
    backdrop,
    brim,
    ears,
    eyes,
    head,
    kerchief,
    neck,
    nose,
    shoulders,
)
from assets.make.pen import Pen, blob, box, curve, oval

# fmt: off

def billy_the_kid(pen: Pen) -> None:
    """Seventeen, freckled, gap-toothed, his hat pushed back, chewing a straw."""
    backdrop(pen, 1.03)
    shoulders(pen, "#4f6d8c", "#3a536d", 196)
    for x in (168, 344):
        pen.line([(x, 420), (x + (256 - x) * -0.12, 520)], 24)
        pen.line([(x, 420), (x + (256 - x) * -0.12, 520)], 14, "#8a5a32")
    brim(pen, blob((74, 176), (112, 128), (180, 100), (256, 92), (332, 100), (400, 128), (440, 176), (404, 214),
                   (256, 190), (110, 214)), "#7a5330", "#573818")
    neck(pen, FAIR)
    ears(pen, FAIR, 6)
    head(pen, FAIR, FACE, brim_shadow=0)
    for x, y in ((186, 300), (202, 312), (218, 302), (196, 324), (214, 322), (294, 302), (310, 312), (326, 300),
                 (298, 322), (316, 324), (250, 296), (264, 300)):
        pen.fill(oval(x, y, 4.2), "#bb6f3e")
    eyes(pen, FAIR, Eye("#4f8a4a", (4, 1), 0.14, 24), 258, 44)
    pen.line(curve((232, 220), (208, 208), (184, 222)), 14, "#c8782c", end=7)
    pen.line(curve((282, 216), (308, 198), (334, 208)), 14, "#c8782c", end=7)
    nose(pen, FAIR, 314, 18, 272)
    with pen.within(blob((208, 338), (256, 350), (314, 328), (304, 362), (262, 380), (224, 366)), "#5b1a16", 6):
        pen.fill(box(200, 320, 320, 355, 4), "#fffaf0")
        pen.fill(box(250, 320, 261, 358), "#5b1a16")
        pen.fill(oval(262, 378, 24, 12), "#d8605a")
    pen.line(curve((296, 354), (350, 372), (408, 352)), 11)
    pen.line(curve((296, 354), (350, 372), (408, 352)), 5, "#f0cf62")
    pen.shape(blob((400, 352), (416, 334), (438, 332), (428, 350), (412, 362)), "#f0cf62", 4)
    for path in (
        blob((176, 236), (162, 190), (178, 142), (256, 118), (336, 142), (350, 190), (338, 232), (324, 196), (308, 182),
             (292, 206), (268, 178), (246, 206), (224, 180), (202, 210), (190, 196)),
    ):
        with pen.within(path, "#e39a3b"):
            pen.fill([(304, 100), (310, 240), (380, 240), (380, 100)], "#bd7726")
            for x in (206, 236, 268, 300):
                pen.line(curve((x + 8, 136), (x - 2, 160), (x, 188)), 5, "#b06a1e", end=3)
    with pen.within(blob((172, 140), (172, 88), (190, 46), (226, 30), (256, 44), (290, 28), (322, 46), (342, 88),
                         (342, 140), (256, 154)), "#8f6239"):
        pen.fill([(296, 10), (310, 160), (380, 160), (380, 10)], "#6f4a27")
        pen.line(curve((256, 44), (250, 66), (254, 88)), 6, "#573818")
        pen.fill(curve((150, 104), (256, 122), (362, 104), (362, 142), (256, 158), (150, 142)), "#3d2715")
    pen.fill(oval(212, 70, 9), "#2a180c")
    pen.fill(oval(212, 70, 4), "#dcc391")
    kerchief(pen, "#d9a441", "#b5812b")
    for x, y in ((206, 424), (232, 436), (256, 462), (286, 436), (308, 426)):
        pen.fill(oval(x, y, 5), "#fff3d0")
