"""The mugshot of Calamity Bayes, a house bot."""

from assets.make.mugshots.anatomy import FACE, PALE, Eye, backdrop, brim, eyes, head, neck, nose, shoulders
from assets.make.pen import Pen, blob, box, curve, mirrored, oval

# fmt: off

def calamity_bayes(pen: Pen) -> None:
    """Two orange braids, a rawhide hat with a feather, one brow that doubts everything."""
    backdrop(pen, 1.1)
    shoulders(pen, "#a7723f", "#84572b", 200)
    for x in range(84, 450, 22):
        pen.line([(x, 470), (x - 3, 514)], 6, "#6b431d")
    pen.shape([(198, 402), (256, 488), (314, 402)], PALE.light, 6)
    for side in (0, 1):
        hair = blob((196, 160), (156, 200), (150, 270), (156, 340), (196, 330), (206, 230))
        pen.shape(mirrored(hair) if side else hair, "#e8742c" if not side else "#c65a1d")
    neck(pen, PALE)
    head(pen, PALE, FACE, brim_shadow=212)
    eyes(pen, PALE, Eye("#2f7d6d", (5, 1), 0.3, 24), 262, 42)
    for x, way in ((214, -1), (298, 1)):
        for dx, dy in ((18, -20), (26, -12)):
            pen.line([(x + way * (dx - 2), 262 + dy + 6), (x + way * (dx + 8), 262 + dy - 4)], 5)
    pen.line(curve((236, 234), (212, 226), (186, 238)), 12, "#a8481a", end=6)
    pen.line(curve((280, 222), (304, 206), (332, 222)), 12, "#a8481a", end=6)
    nose(pen, PALE, 316, 15, 274)
    pen.shape(blob((222, 352), (244, 342), (256, 346), (270, 341), (298, 340), (280, 362), (256, 366), (236, 362)),
              "#b8433a", 5)
    pen.line(curve((216, 354), (256, 354), (304, 334)), 5)
    pen.line([(306, 288), (326, 322)], 5, "#b06a4f")
    for x in (310, 318):
        pen.line([(x - 5, 304 + (x - 310)), (x + 9, 298 + (x - 310))], 4, "#b06a4f")
    for side in (0, 1):
        for i in range(6):
            knot = oval(150 - i * 3 + (8 if i % 2 else 0), 334 + i * 27, 27 - i * 1.4, 21, 32 if i % 2 else -32)
            tone = ("#f08a3c", "#e8742c") if not side else ("#d3662a", "#c65a1d")
            pen.shape(mirrored(knot) if side else knot, tone[i % 2], 5)
        band = box(120, 476, 166, 494, 5)
        pen.shape(mirrored(band) if side else band, "#2f8f8a", 5)
        tail = blob((124, 494), (160, 494), (166, 530), (118, 530))
        pen.shape(mirrored(tail) if side else tail, "#e8742c", 5)
    pen.shape(blob((332, 160), (352, 110), (394, 66), (442, 40), (432, 88), (396, 134), (352, 168)), "#f6efe0", 5)
    with pen.within(blob((372, 92), (394, 66), (442, 40), (432, 88), (408, 122)), "#c0392b", 5):
        pass
    pen.line(curve((330, 170), (372, 116), (434, 48)), 4)
    with pen.within(blob((166, 176), (166, 110), (176, 84), (256, 74), (336, 84), (346, 110), (346, 176), (256, 192)),
                    "#c99a5b"):
        pen.fill([(298, 50), (310, 200), (380, 200), (380, 50)], "#a67a40")
        pen.line(curve((180, 100), (256, 90), (332, 100)), 5, "#8a6230")
        pen.fill(curve((150, 140), (256, 158), (362, 140), (362, 178), (256, 194), (150, 178)), "#2f8f8a")
        for x in range(180, 340, 30):
            pen.fill([(x, 152), (x + 13, 168), (x, 184), (x - 13, 168)], "#f4dfa6")
    brim(pen, blob((84, 196), (120, 182), (256, 184), (392, 182), (428, 196), (416, 216), (330, 222), (256, 224),
                   (182, 222), (96, 216)), "#c99a5b", "#94692f")
