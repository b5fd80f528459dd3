"""The mugshot of Quick Quinn, a house bot."""

from assets.make.mugshots.anatomy import FACE, UMBER, Eye, backdrop, eyes, head, neck, nose, shoulders
from assets.make.pen import Path, Pen, arc, blob, box, curve, mirrored, oval

# fmt: off

def quick_quinn(pen: Pen) -> None:
    """The express rider: leather cap, goggles, scarf and hair in the wind."""
    backdrop(pen, 1.13)
    for y, x in ((96, 30), (150, 14), (232, 40), (316, 20), (396, 44)):
        pen.line([(x, y), (x + 74, y)], 10, "#fff4d9", end=3)
        pen.line([(512 - x - 60, y + 24), (512 - x, y + 24)], 10, "#fff4d9", end=3)
    scarf = blob((300, 424), (350, 400), (392, 418), (430, 386), (486, 396), (520, 370), (520, 440), (470, 450), (430,
        440),
                 (392, 470), (340, 466))
    with pen.within(scarf, "#f2c230"):
        pen.line(curve((320, 446), (392, 444), (440, 412), (520, 410)), 12, "#d99a1c")
    shoulders(pen, "#8c3b2a", "#6c2a1d", 192)
    for side in (0, 1):
        lapel: Path = [(206, 440), (150, 520), (206, 520), (240, 470)]
        pen.shape(mirrored(lapel) if side else lapel, "#e9d3a6" if not side else "#c9b083")
    neck(pen, UMBER)
    for x, y, radius in ((362, 208, 30), (398, 226, 24), (366, 252, 32), (428, 214, 15), (404, 268, 22), (370, 296, 24),
                         (436, 262, 13)):
        pen.shape(oval(x, y, radius), "#2a1a14")
    for x, y, radius in ((362, 208, 27), (398, 226, 20), (366, 252, 29), (404, 268, 18), (370, 296, 20)):
        pen.fill(oval(x, y, radius), "#2a1a14")
    for x, y in ((384, 212), (412, 250), (384, 268)):
        pen.line(arc(x, y, (13, 11), 160, 330), 5, "#5a3a2a", end=3)
    head(pen, UMBER, FACE)
    eyes(pen, UMBER, Eye("#3a2012", (6, 0), 0.16, 24), 274, 43)
    pen.line(curve((236, 242), (212, 230), (186, 240)), 13, "#1e120c", end=6)
    pen.line(curve((276, 240), (300, 226), (328, 232)), 13, "#1e120c", end=6)
    nose(pen, UMBER, 328, 21, 286)
    with pen.within(blob((216, 350), (256, 358), (300, 344), (292, 370), (260, 382), (228, 374)), "#fffaf0", 6):
        pen.line(curve((200, 366), (256, 372), (310, 358)), 3, "#c9bda4")
    with pen.within(blob((170, 392), (256, 412), (342, 392), (352, 432), (320, 462), (256, 472), (192, 462), (160,
        432)),
                    "#f2c230"):
        pen.fill([(300, 380), (306, 480), (370, 480), (370, 380)], "#d99a1c")
        pen.line(curve((166, 424), (256, 444), (346, 424)), 6, "#a86f10")
    cap = blob((160, 236), (152, 170), (176, 104), (226, 74), (286, 74), (336, 104), (360, 170), (352, 236), (328, 212),
               (256, 200), (184, 212))
    with pen.within(cap, "#9a6235"):
        pen.fill([(302, 50), (320, 240), (380, 240), (380, 50)], "#774823")
        pen.line(curve((256, 70), (250, 130), (256, 200)), 5, "#5c3616")
        pen.line(curve((206, 88), (182, 140), (184, 200)), 9, "#bd8350")
    for side in (0, 1):
        flap = blob((156, 216), (184, 214), (188, 300), (180, 352), (154, 344), (144, 280))
        pen.shape(mirrored(flap) if side else flap, "#9a6235" if not side else "#774823")
    pen.line(curve((150, 186), (256, 166), (362, 186)), 30)
    pen.line(curve((150, 186), (256, 166), (362, 186)), 19, "#3a2a22")
    for x in (206, 306):
        pen.shape(oval(x, 162, 48, 42), "#b9862f", 6)
        with pen.within(oval(x, 162, 35, 30), "#2fa7a0", 6):
            pen.fill([(x - 50, 200), (x + 24, 120), (x + 50, 120), (x + 50, 210)], "#1d7d80")
            pen.line([(x - 20, 168), (x + 2, 142)], 9, "#d5fbf2")
            pen.line([(x - 6, 174), (x + 6, 160)], 6, "#d5fbf2")
    pen.shape(box(248, 152, 264, 172, 4), "#b9862f", 5)
