"""Mugshots of half of the house bots. Each function draws one face."""

from assets.make.anatomy import (
    FACE,
    FAIR,
    LONG_FACE,
    TAN,
    WIDE_FACE,
    Eye,
    backdrop,
    brim,
    brows,
    ears,
    eyes,
    head,
    moustache,
    mouth,
    neck,
    nose,
    sheriffs_star,
    shoulders,
    smile,
    stubble,
)
from assets.make.pen import INK, Pen, arc, blob, box, curve, mirrored, oval, star

# fmt: off

def doc_holobyte(pen: Pen) -> None:
    """A steel gentleman: silk hat, one glowing monocle, riveted moustache."""
    backdrop(pen)
    shoulders(pen, "#33283f", "#231a2d")
    pen.shape([(196, 404), (256, 512), (316, 404)], "#efe6d2")
    pen.shape(box(222, 372, 290, 424, 8), "#5f7079")
    for y in (386, 402):
        pen.line([(226, y), (286, y)], 5)
    for wing in (
        blob((256, 440), (204, 414), (196, 452), (206, 478)),
        blob((256, 440), (308, 414), (316, 452), (306, 478)),
    ):
        pen.shape(wing, "#8d1f3c")
    pen.shape(oval(256, 446, 17), "#c43358")
    for side in (box(146, 232, 184, 306, 10), box(328, 232, 366, 306, 10)):
        pen.shape(side, "#b9862f")
    with pen.within(box(166, 150, 346, 388, 34), "#a9bcc2"):
        pen.fill(box(304, 100, 400, 420), "#7f949c")
        pen.fill(box(160, 330, 360, 400), "#8fa4ab")
        pen.fill(box(304, 330, 400, 400), "#6d828a")
        pen.line([(160, 330), (360, 330)], 5)
        pen.fill(box(150, 140, 360, 206), "#5f737b")
    for x, y in ((184, 226), (328, 226), (184, 312), (328, 312), (186, 370), (326, 370)):
        pen.shape(oval(x, y, 6), "#d8e2e4", 3)
    with pen.within(box(186, 242, 240, 276, 8), "#1d2b33", 6):
        pen.fill(box(196, 250, 232, 268, 4), "#ffb938")
        pen.fill(box(196, 250, 214, 268, 4), "#ffe08a")
    pen.line([(182, 226), (244, 238)], 12)
    pen.line(curve((326, 286), (352, 330), (346, 400), (330, 450)), 5, "#e3b13f")
    pen.shape(oval(298, 258, 42), "#e3b13f")
    with pen.within(oval(298, 258, 31), "#0d3b4a", 5):
        pen.fill(oval(298, 258, 24), "#17a7bd")
        pen.fill(oval(298, 258, 14), "#7df3f5")
        pen.fill(oval(298, 258, 6), "#ffffff")
        pen.line([(270, 280), (318, 232)], 7, "#ffffff66")
    pen.shape([(246, 284), (266, 284), (272, 318), (240, 318)], "#c8d5d8", 5)
    moustache(pen, blob((256, 322), (222, 318), (190, 336), (162, 326), (152, 304), (142, 322), (156, 350), (196, 362),
                        (236, 352), (256, 340)), "#3b4850")
    for x in range(226, 290, 20):
        pen.shape(box(x - 8, 362, x + 10, 376), "#20160f", 3)
    with pen.within(blob((186, 24), (256, 18), (326, 24), (332, 100), (338, 180), (256, 192), (174, 180), (180, 100)),
                    "#2c2333"):
        pen.fill([(292, 0), (304, 200), (360, 200), (360, 0)], "#1b1421")
        pen.fill([(204, 0), (200, 200), (214, 200), (220, 0)], "#4a3d55")
        pen.fill(curve((160, 128), (256, 142), (352, 128), (352, 174), (256, 188), (160, 174)), "#b02a49")
    with pen.within(blob((118, 176), (160, 188), (256, 198), (352, 188), (394, 176), (404, 192), (352, 214), (256, 222),
                         (160, 214), (108, 192)), "#2c2333"):
        pen.fill(box(300, 170, 410, 230), "#1b1421")


def judge_roy_bean_counter(pen: Pen) -> None:
    """A full-bottomed wig under a bookkeeper's green eyeshade, half-moon spectacles."""
    backdrop(pen, 1.15)
    shoulders(pen, "#231d24", "#151116", 216)
    pen.fill([(196, 404), (150, 520), (186, 520), (228, 420)], "#9e1f2b")
    pen.fill([(316, 404), (362, 520), (326, 520), (284, 420)], "#7f1722")
    with pen.within(blob((256, 108), (184, 118), (142, 170), (124, 250), (116, 350), (124, 440), (186, 452), (256, 430),
                         (326, 452), (388, 440), (396, 350), (388, 250), (370, 170), (328, 118)), "#efe9dc"):
        pen.fill([(340, 90), (352, 260), (344, 470), (420, 470), (420, 90)], "#cfc6b4")
    for i, y in enumerate((232, 282, 332, 382, 430)):
        for x, tone in ((146 - i * 4, "#f8f3e8"), (366 + i * 4, "#ddd4c3")):
            pen.shape(oval(x, y, 34, 26), tone, 5)
            pen.line(arc(x, y + 2, (17, 11), 20, 300), 4, "#a3977f")
    neck(pen, FAIR)
    with pen.within(LONG_FACE, FAIR.light):
        pen.fill([(296, 120), (322, 230), (304, 330), (270, 420), (400, 420), (400, 120)], FAIR.shade)
        pen.glaze(curve((130, 100), (150, 236), (256, 256), (370, 236), (380, 100)), "#1f6b3a77")
        pen.glaze(oval(206, 330, 22, 16), "#e07a5f88")
        pen.glaze(oval(306, 330, 22, 16), "#e07a5f88")
    eyes(pen, FAIR, Eye("#4d6b3a", (0, 6), 0.42, 21), 264, 40)
    brows(pen, curve((240, 244), (218, 226), (186, 232)), "#f4eee0", 20, 10)
    nose(pen, FAIR, 330, 24, 270)
    for x in (214, 298):
        pen.glaze([*arc(x, 288, (34, 30), 0, 180)], "#d9f0ff66")
        pen.line(arc(x, 288, (34, 30), 0, 180), 6, "#c79a2e", shut=True)
    pen.line(curve((248, 290), (256, 284), (264, 290)), 6, "#c79a2e")
    mouth(pen, curve((214, 376), (236, 364), (256, 362), (276, 364), (298, 376)), 8)
    pen.line(curve((242, 386), (256, 382), (270, 386)), 5, "#b9794f")
    for path in (curve((214, 340), (204, 354), (204, 366)), curve((298, 340), (308, 354), (308, 366))):
        pen.line(path, 5, "#b9794f")
    for i, (y, half) in enumerate(((428, 38), (460, 46), (494, 54))):
        pen.shape(blob((256 - half, y + 20), (256 - half * 0.6, y - 12), (256, y - 18), (256 + half * 0.6, y - 12),
                       (256 + half, y + 20), (256 + half * 0.4, y + 26), (256, y + 20), (256 - half * 0.4, y + 26)),
                  "#fbf7ee" if i % 2 else "#e9e2d3", 5)
    for x, y in ((182, 140), (218, 114), (256, 104), (294, 114), (330, 140)):
        pen.shape(oval(x, y, 30, 26), "#f8f3e8" if x < 290 else "#ddd4c3", 5)
    with pen.within(blob((140, 206), (162, 164), (256, 146), (350, 164), (372, 206), (256, 184)), "#8a5a2a"):
        pen.fill([(300, 140), (310, 220), (400, 220), (400, 140)], "#6b431d")
    with pen.within(blob((134, 204), (170, 184), (256, 172), (342, 184), (378, 204), (350, 238), (256, 222), (162,
        238)),
                    "#2f9a52"):
        pen.fill([(296, 160), (306, 250), (400, 250), (400, 160)], "#1f7a3e")
        pen.line(curve((156, 206), (206, 192), (250, 190)), 7, "#8fdba5")


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


def senor_fold_a_lot(pen: Pen) -> None:
    """An elegant charro who would rather not: silver-stitched sombrero, waxed moustache, heavy lids."""
    backdrop(pen)
    shoulders(pen, "#1f4a3f", "#14362d")
    for side in (1, -1):
        path = curve((204, 404), (176, 440), (168, 520))
        pen.line(path if side == 1 else mirrored(path), 9, "#d9b457")
    pen.shape([(204, 402), (256, 500), (308, 402)], "#f4ecda")
    ears(pen, TAN)
    for side in (0, 1):
        burn = blob((172, 236), (190, 240), (190, 300), (178, 312))
        pen.fill(mirrored(burn) if side else burn, "#241712")
    head(pen, TAN, LONG_FACE, brim_shadow=226, blush=False)
    for side in (0, 1):
        burn = blob((176, 206), (186, 216), (186, 306), (180, 316))
        pen.fill(mirrored(burn) if side else burn, "#241712")
    eyes(pen, TAN, Eye("#7a4a22", (0, 5), 0.46, 23), 266, 40)
    brows(pen, curve((236, 240), (212, 224), (186, 240)), "#241712", 15, 7)
    nose(pen, TAN, 326, 20, 268)
    mouth(pen, smile((236, 366), (258, 370), (280, 362)), 6)
    moustache(pen, blob((256, 336), (232, 332), (206, 346), (176, 344), (158, 322), (148, 318), (146, 338), (166, 362),
                        (206, 370), (240, 358), (256, 350)), "#241712")
    pen.shape(blob((256, 380), (240, 384), (242, 402), (256, 420), (270, 402), (272, 384)), "#241712", 4)
    for wing in (
        blob((256, 436), (206, 412), (194, 440), (204, 470)),
        blob((256, 436), (306, 412), (318, 440), (308, 470)),
    ):
        pen.shape(wing, "#c9312c")
    pen.shape(oval(256, 438, 15), "#e85a43", 5)
    with pen.within(blob((188, 196), (196, 110), (220, 44), (256, 26), (292, 44), (316, 110), (324, 196), (256, 208)),
                    "#2f6a55"):
        pen.fill([(282, 0), (300, 210), (350, 210), (350, 0)], "#204e3e")
        for y in (66, 96, 126):
            pen.line(curve((180, y + 8), (256, y - 8), (332, y + 8)), 5, "#dcb65c")
        pen.fill(curve((170, 160), (256, 176), (342, 160), (342, 204), (256, 214), (170, 204)), "#d9b457")
        for x in range(196, 330, 24):
            pen.fill(star(x, 186, 9, 4, 4), "#204e3e")
    brim_path = blob((18, 164), (34, 128), (78, 166), (160, 196), (256, 204), (352, 196), (434, 166), (478, 128),
                     (494, 164), (440, 226), (352, 248), (256, 254), (160, 248), (72, 226))
    with pen.within(brim_path, "#2f6a55"):
        pen.fill([(330, 100), (330, 260), (520, 260), (520, 100)], "#25584a")
        pen.line(curve((28, 176), (84, 216), (160, 236), (256, 242), (352, 236), (428, 216), (484, 176)), 7, "#dcb65c")
        for x, y in ((70, 182), (120, 206), (186, 220), (256, 225), (326, 220), (392, 206), (442, 182)):
            pen.fill(star(x, y, 11, 5, 4), "#f0d58a")


def sundance_sid(pen: Pen) -> None:
    """Bleached hair, white hat, yellow round lenses, the sun behind him."""
    backdrop(pen, 1.05)
    pen.fill(star(256, 236, 250, 190, 18), "#f2a93b")
    pen.fill(oval(256, 236, 186), "#f8c75a")
    shoulders(pen, "#b5562a", "#8f3f1c")
    pen.line(curve((120, 452), (130, 480), (130, 520)), 6)
    pen.line(curve((392, 452), (382, 480), (382, 520)), 6)
    pen.shape([(190, 402), (256, 478), (322, 402), (344, 424), (262, 520), (250, 520), (168, 424)], "#d97a3f")
    for side in (0, 1):
        lock = blob((190, 180), (150, 232), (156, 286), (132, 330), (140, 384), (112, 420), (152, 436), (196, 410),
                    (192, 300))
        pen.shape(mirrored(lock) if side else lock, "#f3dc86" if not side else "#d9b95c")
    neck(pen, TAN)
    head(pen, TAN, FACE, brim_shadow=206)
    stubble(pen, "#a8683a", 338)
    nose(pen, TAN, 322, 20, 274)
    brows(pen, curve((240, 226), (216, 214), (184, 222)), "#c79a3f", 14, 8)
    for x in (210, 302):
        with pen.within(oval(x, 264, 41), "#ffd23d", 8):
            pen.fill([(x - 50, 290), (x + 14, 210), (x + 50, 210), (x + 50, 320), (x - 50, 320)], "#f5a51f")
            pen.line([(x - 24, 268), (x - 2, 240)], 9, "#fff3bd")
            pen.line([(x - 10, 274), (x + 2, 258)], 6, "#fff3bd")
    pen.line(curve((246, 258), (256, 252), (266, 258)), 7)
    with pen.within(blob((216, 348), (256, 352), (304, 336), (296, 366), (262, 378), (228, 368)), "#fffaf0", 6):
        for x in range(228, 300, 15):
            pen.line([(x, 330), (x, 390)], 3, "#c9bda4")
    pen.fill(star(284, 352, 11, 3, 4), "#ffffff")
    with pen.within(blob((170, 176), (176, 110), (196, 66), (230, 48), (256, 70), (282, 48), (316, 66), (336, 110),
                         (342, 176), (256, 192)), "#f7f0e2"):
        pen.fill([(296, 30), (310, 200), (380, 200), (380, 30)], "#d8ccb6")
        pen.line(curve((256, 66), (252, 96), (258, 120)), 6, "#b7a88c")
        pen.fill(curve((150, 140), (256, 158), (362, 140), (362, 176), (256, 194), (150, 176)), "#7a4526")
        pen.fill(oval(214, 168, 9), "#3fb5b0")
        pen.fill(oval(256, 172, 9), "#3fb5b0")
        pen.fill(oval(298, 168, 9), "#3fb5b0")
    brim(pen, blob((66, 138), (92, 170), (160, 190), (256, 184), (352, 190), (420, 170), (446, 138), (440, 180),
                   (372, 214), (256, 220), (140, 214), (72, 180)), "#f7f0e2", "#c9bb9f")


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
