"""The mugshot of Old Man River, a house bot."""

from assets.make.mugshots.anatomy import FACE, FAIR, Eye, backdrop, brim, ears, eyes, head, moustache, shoulders
from assets.make.pen import INK, Pen, blob, box, curve, mirrored, oval

# fmt: off

def old_man_river(pen: Pen) -> None:
    """A beard that runs to the sea, a floppy hat, a pipe."""
    backdrop(pen, 1.09)
    shoulders(pen, "#7a5a36", "#5c4225")
    for side in (0, 1):
        hair = blob((186, 180), (150, 230), (142, 300), (150, 350), (178, 340), (196, 250))
        pen.shape(mirrored(hair) if side else hair, "#e7edef" if not side else "#c6d3d8")
    ears(pen, FAIR)
    head(pen, FAIR, FACE, brim_shadow=214)
    eyes(pen, FAIR, Eye("#3d7fa6", (3, 3), 0.34, 20), 260, 42)
    for side in (0, 1):
        brow = blob((244, 250), (232, 222), (198, 212), (168, 226), (176, 244), (208, 240))
        pen.shape(mirrored(brow) if side else brow, "#f2f6f6" if not side else "#dbe5e8", 5)
    for x, s in ((174, 1), (338, -1)):
        pen.line(curve((x, 264), (x + 8 * s, 272), (x + 6 * s, 284)), 4, FAIR.shade)
    beard = blob((168, 262), (150, 330), (140, 400), (126, 470), (150, 540), (256, 560), (362, 540), (386, 470),
                 (372, 400), (362, 330), (344, 262), (326, 316), (300, 330), (256, 326), (212, 330), (186, 316))
    with pen.within(beard, "#eef3f4"):
        pen.fill([(310, 250), (322, 340), (312, 560), (420, 560), (420, 250)], "#cddbe0")
        for i, tone in enumerate(("#8fc3dc", "#5ea3c9", "#3e86b3", "#2d6f9e")):
            y = 420 + i * 30
            wave = curve((100, y), (140, y - 12), (184, y + 8), (228, y - 10), (276, y + 8), (322, y - 12), (368,
                y + 6),
                         (420, y - 8))
            pen.fill([*wave, (420, 600), (100, 600)], tone)
            pen.line(wave, 6, "#f7fcff")
        for x in (190, 226, 290, 326):
            pen.line(curve((x, 350), (x + (256 - x) * -0.1, 376), (x + (256 - x) * 0.05, 404)), 5, "#b4c6ce")
    pen.shape(blob((256, 276), (284, 306), (282, 330), (256, 338), (230, 330), (228, 306)), "#e79b78", 5)
    pen.fill(oval(246, 310, 6, 8), "#f9c9ab")
    moustache(pen, blob((258, 334), (226, 330), (190, 342), (158, 376), (188, 382), (228, 372), (258, 354)), "#fbfdfd")
    pen.shape(oval(262, 368, 19, 9), "#5a1d18", 5)
    pen.line(curve((270, 370), (320, 384), (360, 380)), 17, INK)
    pen.line(curve((270, 370), (320, 384), (360, 380)), 9, "#8a4a22")
    pen.shape(box(346, 332, 398, 394, 12), "#7a3d1b")
    pen.shape(oval(372, 332, 27, 9), "#3a1a0b", 5)
    pen.line(curve((372, 320), (360, 296), (386, 276), (376, 250)), 12, "#fbf3e2cc", end=4)
    with pen.within(blob((166, 190), (160, 126), (182, 76), (222, 84), (262, 60), (306, 82), (344, 118), (346, 190),
                         (256, 200)), "#8f8465"):
        pen.fill([(296, 40), (312, 210), (380, 210), (380, 40)], "#6f664c")
        pen.line(curve((222, 84), (232, 110), (226, 136)), 6, "#5b533c")
        pen.fill(curve((140, 150), (256, 166), (372, 150), (372, 184), (256, 198), (140, 184)), "#4d6f8a")
        pen.shape(box(188, 96, 218, 124), "#b08d4c", 4)
    pen.shape(blob((326, 176), (330, 130), (356, 92), (388, 70), (384, 110), (360, 150)), "#e9f1f3", 5)
    pen.line(curve((326, 178), (346, 132), (376, 88)), 4)
    brim(pen, blob((74, 224), (112, 184), (180, 180), (256, 190), (332, 180), (404, 190), (442, 156), (446, 196),
                   (392, 226), (300, 216), (224, 226), (150, 218), (100, 246)), "#8f8465", "#5f573e")
