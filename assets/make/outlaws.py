"""Mugshots of the other half of the house bots, and the default face. Each function draws one face."""

from assets.make.anatomy import (
    BROWN,
    FACE,
    FAIR,
    PALE,
    TAN,
    UMBER,
    Eye,
    backdrop,
    brim,
    brows,
    ears,
    eye,
    eyes,
    head,
    kerchief,
    neck,
    nose,
    sheriffs_star,
    shoulders,
)
from assets.make.pen import INK, Path, Pen, arc, blob, box, curve, mirrored, oval, star

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


def bluffin_bandit(pen: Pen) -> None:
    """Nothing but eyes between a black hat and a red bandana."""
    backdrop(pen, 1.1)
    shoulders(pen, "#3d3a33", "#2a2823", 212)
    for i, tone in enumerate(("#b8452f", "#d9a441", "#2f6f73")):
        stripe = curve((30, 520 - i * 2), (74, 462 + i * 18), (150, 440 + i * 26), (200, 460 + i * 26))
        pen.line(stripe, 11, tone)
        pen.line(mirrored(stripe), 11, tone)
    ears(pen, TAN)
    head(pen, TAN, FACE, brim_shadow=224, blush=False)
    eyes(pen, TAN, Eye("#2a7f4f", (-7, 0), 0.34, 25), 262, 44)
    pen.line(curve((238, 238), (214, 232), (182, 244)), 17, "#2a1a10", end=8)
    pen.line(curve((276, 232), (304, 208), (336, 222)), 17, "#2a1a10", end=8)
    pen.line(curve((246, 270), (242, 284), (240, 296)), 5, TAN.shade)
    cloth = blob((158, 290), (206, 300), (256, 288), (306, 300), (354, 290), (346, 350), (322, 404), (290, 448),
                 (256, 500), (222, 448), (190, 404), (166, 350))
    with pen.within(cloth, "#cf2f28"):
        pen.fill([(300, 270), (316, 360), (268, 510), (400, 510), (400, 270)], "#a31f1d")
        pen.line(curve((160, 304), (206, 316), (256, 304), (306, 316), (352, 304)), 5, "#f7e4c6")
        for x, y in ((196, 338), (316, 338), (226, 372), (286, 372), (200, 396), (256, 338), (312, 396), (256, 404),
                     (232, 434), (280, 434), (256, 464)):
            pen.fill(star(x, y, 12, 5, 4), "#f7e4c6")
            pen.fill(oval(x, y, 3), "#cf2f28")
        for path in (curve((172, 330), (186, 366), (214, 400)), curve((340, 330), (326, 366), (298, 400))):
            pen.line(path, 5, "#7d1515", end=2)
    for knot in (
        blob((352, 296), (392, 280), (410, 296), (384, 312)),
        blob((352, 300), (384, 312), (396, 342), (364, 330)),
    ):
        pen.shape(knot, "#a31f1d", 5)
    with pen.within(blob((160, 186), (166, 112), (182, 72), (214, 50), (256, 66), (298, 50), (330, 72), (346, 112),
                         (352, 186), (256, 202)), "#2b2725"):
        pen.fill([(300, 30), (314, 210), (380, 210), (380, 30)], "#1b1817")
        pen.line(curve((256, 64), (250, 92), (256, 116)), 6, "#4b4541")
        pen.line(curve((200, 78), (192, 104), (190, 134)), 11, "#4b4541")
        pen.fill(curve((140, 148), (256, 166), (372, 148), (372, 188), (256, 206), (140, 188)), "#6a1d1a")
    pen.shape(box(238, 158, 274, 196, 6), "#cfd3d2", 5)
    pen.fill(box(248, 168, 264, 186, 3), "#6a1d1a")
    brim(pen, blob((60, 226), (96, 196), (170, 190), (256, 198), (342, 190), (416, 196), (452, 226), (432, 240),
                   (352, 226), (256, 234), (160, 226), (80, 240)), "#2b2725", "#12100f")


def two_pair_tess(pen: Pen) -> None:
    """The saloon's sharpest: raven curls, a plume, and two pairs of spectacles."""
    backdrop(pen, 1.02)
    back = blob((256, 70), (176, 84), (128, 150), (122, 236), (106, 300), (124, 372), (176, 400), (336, 400), (388,
        372),
                (406, 300), (390, 236), (384, 150), (336, 84))
    with pen.within(back, "#2d1f3a"):
        pen.fill([(330, 60), (346, 240), (330, 420), (430, 420), (430, 60)], "#1f152a")
        for x in (140, 160, 352, 372):
            pen.line(curve((x, 220), (x - 12, 280), (x + 6, 330), (x - 6, 380)), 6, "#50406a", end=3)
    shoulders(pen, BROWN.light, BROWN.shade, 176)
    dress = blob(
        (60, 540), (96, 476), (160, 470), (206, 488), (256, 508), (306, 488), (352, 470), (416, 476), (452, 540)
    )
    with pen.within(dress, "#8a2f7e"):
        pen.fill([(320, 440), (330, 560), (470, 560), (470, 440)], "#6a2160")
    for x, y in ((90, 482), (126, 470), (162, 472), (198, 486), (234, 502), (278, 502), (314, 486), (350, 472), (386,
        470),
                 (422, 482)):
        pen.shape(oval(x, y, 18, 13), "#d58ac9" if x < 300 else "#b56ba9", 4)
    neck(pen, BROWN)
    pen.line(curve((210, 414), (256, 434), (302, 414)), 16)
    pen.line(curve((210, 414), (256, 434), (302, 414)), 7, "#f0d58a")
    pen.shape([(256, 428), (270, 446), (256, 464), (242, 446)], "#d7263d", 5)
    head(pen, BROWN, FACE)
    for x, way in ((214, -1), (298, 1)):
        for dx, dy in ((16, -22), (25, -14)):
            pen.line([(x + way * (dx - 4), 272 + dy + 8), (x + way * (dx + 8), 272 + dy - 4)], 5)
    eyes(pen, BROWN, Eye("#5b3a1c", (3, 1), 0.3, 23), 272, 42)
    brows(pen, curve((240, 232), (216, 218), (184, 226)), "#1f152a", 11, 5)
    nose(pen, BROWN, 324, 17, 284)
    pen.shape(blob((220, 358), (244, 344), (256, 350), (268, 344), (292, 358), (274, 376), (256, 380), (238, 376)),
              "#d7263d", 5)
    pen.line(curve((216, 356), (240, 362), (272, 362), (298, 352)), 5)
    pen.fill(oval(306, 338, 5), INK)
    _spectacles(pen, 272, "#e3b13f", "#dff4ff1c")
    curls = blob((172, 250), (158, 200), (170, 146), (214, 116), (256, 112), (300, 116), (344, 146), (354, 200), (340,
        250),
                 (330, 206), (300, 190), (268, 166), (244, 190), (206, 194), (184, 212))
    with pen.within(curls, "#3a2a4a"):
        pen.fill([(310, 100), (316, 260), (380, 260), (380, 100)], "#281c36")
        pen.line(curve((256, 122), (226, 150), (192, 166), (176, 196)), 7, "#6a5688", end=4)
        pen.line(curve((270, 124), (292, 152), (318, 164), (334, 190)), 6, "#50406a", end=4)
    for x in (164, 348):
        pen.line([(x, 292), (x, 316)], 5, "#e3b13f")
    pen.shape(
        blob((164, 318), (150, 330), (146, 344), (158, 346), (164, 358), (170, 346), (182, 344), (178, 330)),
        "#20304f",
        4,
    )
    pen.shape(blob((348, 354), (332, 336), (334, 322), (348, 328), (362, 322), (364, 336)), "#d7263d", 4)
    bun = blob((256, 118), (204, 104), (196, 60), (226, 28), (270, 24), (308, 50), (314, 96))
    with pen.within(bun, "#3a2a4a"):
        pen.fill([(286, 10), (296, 130), (330, 130), (330, 10)], "#281c36")
        pen.line(curve((214, 86), (236, 58), (276, 50), (296, 66)), 7, "#6a5688", end=3)
        pen.line(curve((226, 106), (256, 82), (290, 90)), 6, "#6a5688", end=3)
    for path, tone in (
        (blob((310, 110), (344, 60), (392, 26), (446, 20), (430, 56), (388, 96), (330, 126)), "#e45aa8"),
        (blob((318, 122), (366, 96), (420, 90), (458, 108), (426, 128), (372, 134), (326, 134)), "#c13f8c"),
    ):
        pen.shape(path, tone, 5)
    pen.line(curve((312, 116), (362, 70), (432, 30)), 4)
    pen.line(curve((322, 126), (380, 112), (440, 108)), 4)
    pen.shape(oval(316, 118, 17), "#f0b93a", 5)
    _spectacles(pen, 158, "#d9dee2", "#dff4ff55")


def _spectacles(pen: Pen, y: float, rim: str, glass: str) -> None:
    for x in (212, 300):
        pen.glaze(oval(x, y, 37, 34), glass)
        pen.line(oval(x, y, 38, 35), 13, INK, shut=True)
        pen.line(oval(x, y, 38, 35), 6, rim, shut=True)
        pen.line([(x - 25, y - 6), (x - 15, y - 21)], 6, "#ffffff")
    for width, colour in ((12.0, INK), (6.0, rim)):
        pen.line(curve((248, y - 4), (256, y - 11), (264, y - 4)), width, colour)


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


def annie_oddsley(pen: Pen) -> None:
    """One eye shut to take aim; brown curls, a hat pinned up with a star."""
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


def stranger(pen: Pen) -> None:
    """The default, for bots without a picture: a silhouette and a question mark."""
    backdrop(pen, 1.1)
    shoulders(pen, "#4a3524", "#3a281a", 204)
    pen.shape(box(212, 350, 300, 440, 20), "#3a281a")
    with pen.within(FACE, "#4a3524"):
        pen.fill([(296, 120), (322, 230), (312, 320), (276, 410), (400, 420), (400, 120)], "#3a281a")
    with pen.within(blob((166, 184), (170, 112), (186, 72), (222, 54), (256, 70), (290, 54), (326, 72), (342, 112),
        (346, 184),
                         (256, 198)), "#5a412c"):
        pen.fill([(300, 30), (314, 210), (380, 210), (380, 30)], "#463120")
        pen.fill(curve((140, 146), (256, 164), (372, 146), (372, 186), (256, 204), (140, 186)), "#2c1d12")
    brim(pen, blob((70, 180), (104, 178), (170, 192), (256, 186), (342, 192), (408, 178), (442, 180), (420, 212),
        (352, 220),
                   (256, 226), (160, 220), (92, 212)), "#5a412c", "#33231a")
    question: Path = [*arc(256, 282, (36, 34), 190, 400), *curve((282, 304), (258, 324), (256, 346))]
    pen.line(question, 19, "#f0d58a")
    pen.fill(oval(256, 376, 12), "#f0d58a")
