/**
 * The reading scores of each bot that thinks aloud. They say how many claims in its thoughts were false, and how near
 * its estimates of its chances came to the real chances. They also say how long the bot thinks, and which costs it
 * reports, in tokens and in money.
 *
 * @import { Size } from "../common/settings.js"
 * @import { Bot, BotStatistics, ReadingScores, State } from "../common/types.js"
 * @typedef {typeof LAYOUTS.wide} Layout
 */

import { el, emptyImage, position, redraw, setData, showFace, svg } from "../common/dom.js";
import { fitText, TITLE_FONT } from "../common/fit-text.js";
import { upperCase } from "../common/format.js";
import { percentageOf, spendingPerHand } from "../common/statistics.js";

/**
 * The box of the rows, the largest height of a row (`pitch`), the widths of texts, a font size (`chances`), and the
 * number of lines of the text about estimates in a low row (`lowLines`).
 */
const LAYOUTS = {
  wide: {
    ...{ left: 96, top: 234, width: 1728, height: 688, pitch: 116, line: 1728, name: 400, claims: 400, spent: 190 },
    ...{ chance: 205, chances: 34, lowLines: 1 },
    heads: ["", "", "false claims", "estimates", "on average", "Brier score", "thinking time", "a hand, it says"],
    words: "A dot: the chance to win that a bot said (across) and the one it had (up). On the line, both are the same",
  },
  tall: {
    ...{ left: 36, top: 336, width: 708, height: 774, pitch: 112, line: 708, name: 146, claims: 104, spent: 84 },
    ...{ chance: 106, chances: 28, lowLines: 2 },
    heads: ["", "", "false", "odds", "average", "", "thinks", "a hand"],
    words: "A dot: the chance it said (across), the one it had (up)",
  },
};
const HEADS_HEIGHT = 40;
/** A row less tall than this has smaller texts. On a wide screen, its bar of false claims is beside the numbers. */
const MAX_LOW_HEIGHT = 84;
/** A row less tall than this has only one line of text. It has no stamp, and shows either tokens or money. */
const ONE_LINE_HEIGHT = 70;
/** A row taller than this has room for a stamp of two lines. */
const MIN_HIGH_HEIGHT = 110;
/** The titles of the notices that can be stamped on a row, each with the mood of its stamp. */
const STAMP_MOODS = { "Straightest shooter": "best", "Tallest tale": "worst" };

/** The scene that shows the reading scores, for example between two games. */
export class ReadingScene {
  #layout;
  #title = el("standings__title");
  #line = el("standings__line");
  #heads;
  #list = el("standings__list");
  #root;

  /** @param {HTMLElement} root @param {Size} size */
  constructor(root, { shape }) {
    this.#root = root;
    this.#layout = LAYOUTS[shape];
    this.#heads = el("reading__heads", ...this.#layout.heads.map((words) => el("span.", words)));
    root.append(this.#title, this.#line, this.#heads, this.#list);
  }

  /** @param {State} state */
  update({ statistics, bots }) {
    const { left, top, width, height, line, words, pitch: most } = this.#layout;
    fitText(this.#title, upperCase("Reading scores"), { ...TITLE_FONT, width: line, size: 80 });
    fitText(this.#line, words, { width: line, size: 38 });
    const rows = statistics.rows.filter(({ reading }) => reading?.claims || reading?.estimates).sort(compareTruth);
    const pitch = Math.min(most, height / Math.max(1, rows.length));
    const stamps = new Map();
    for (const { title, bot } of [...statistics.notices, ...(statistics.awards ?? [])]) {
      if (title in STAMP_MOODS) stamps.set(title, bot);
    }
    setData(
      this.#root,
      "spent",
      rows.some(({ reading }) => Object.values(spendingPerHand(reading)).some(Boolean)),
    );
    position(this.#heads, { left, top: top - HEADS_HEIGHT, width });
    const looks = rows.map(({ bot }) => [bots[bot]?.name, bots[bot]?.avatar]);
    redraw(this.#list, [rows, looks, [...stamps]], () =>
      rows.map((row, index) => {
        const stamp = [...stamps].find(([, bot]) => bot === row.bot)?.[0] ?? "";
        const part = this.#makeRow(row, bots[row.bot], stamp, pitch);
        position(part, { left, top: top + index * pitch, width, height: pitch - 8 });
        return part;
      }),
    );
  }

  /** @type {(row: BotStatistics, bot: Bot | undefined, stamp: string, pitch: number) => HTMLElement} */
  #makeRow({ reading, answers = 0, think_ms: thinkMs = 0 }, bot, stamp, pitch) {
    const {
      name: nameWidth,
      claims: claimsWidth,
      spent: narrow,
      chance: chanceWidth,
      chances: chanceSize,
      lowLines,
    } = this.#layout;
    const { claims = 0, false_claims: wrong = 0, estimates = 0, brier } = reading ?? {};
    const [isLow, lines] = [pitch < MAX_LOW_HEIGHT, pitch < ONE_LINE_HEIGHT ? 1 : 2];
    const [name, stampElement, counts] = [el("row__name"), el("reading__stamp"), el("reading__counts")];
    const [tokens, cost, chances] = [el("reading__tokens"), el("reading__cost"), el("reading__chances")];
    const spent = spendingPerHand(reading);
    const hasRoom = lines > 1 || !spent.cost;
    fitText(tokens, spent.tokens && hasRoom ? `${spent.tokens} tok.` : "", { width: narrow, size: 30 });
    fitText(cost, spent.cost, { width: narrow, size: 30 });
    fitText(name, bot?.name ?? "", { width: nameWidth, size: isLow && stamp ? 34 : 38, lines: stamp || isLow ? 1 : 2 });
    const size = isLow ? 28 : 32;
    if (stamp && lines > 1)
      fitText(stampElement, stamp, { ...TITLE_FONT, width: nameWidth, size, lines: pitch > MIN_HIGH_HEIGHT ? 2 : 1 });
    fitText(chances, estimatesText(reading), {
      width: chanceWidth,
      size: chanceSize,
      lines: pitch < ONE_LINE_HEIGHT ? lowLines : 2,
    });
    fitText(counts, `${wrong} of ${claims}`, { width: claimsWidth, size: 38 });
    const bar = el("reading__bar", el("reading__false"));
    bar.style.setProperty("--false", `${claims ? (100 * wrong) / claims : 0}%`);
    const seconds = thinkMs / Math.max(1, answers) / 1000;
    const root = el(
      "row",
      el("row__photo", showFace(emptyImage(), bot)),
      ...[el("reading__who", name, stampElement), el("reading__claims", counts, bar)],
      ...[reliabilityDiagram(reading), chances],
      el("reading__score reading__brier", typeof brier === "number" && estimates ? brier.toFixed(2) : "–"),
      el("reading__score", answers ? `${seconds.toFixed(1)} s` : "–"),
      el("reading__spent", tokens, cost),
    );
    setData(root, "low", isLow);
    setData(root, "mood", stamp && STAMP_MOODS[/** @type {keyof typeof STAMP_MOODS} */ (stamp)]);
    return root;
  }
}

/**
 * Compares two bots for sorting. The bot with the smaller share of false claims comes first. If the shares are equal,
 * the bot with more claims comes first.
 *
 * @type {(one: BotStatistics, other: BotStatistics) => number}
 */
function compareTruth(one, other) {
  const [first = [0, 0], second = [0, 0]] = [one, other].map(({ reading }) => {
    const { claims = 0, false_claims: wrong = 0 } = reading ?? {};
    return [claims ? wrong / claims : 1, -claims];
  });
  return first[0] - second[0] || first[1] - second[1];
}

/**
 * The mean of a bot's estimates, and the mean of its real chances: "says 70%, has 52%", or "–" without estimates.
 *
 * @type {(reading: ReadingScores | null | undefined) => string}
 */
function estimatesText(reading) {
  const { estimates = 0, calibration = [] } = reading ?? {};
  const [says, has] = [1, 2].map((index) => calibration.reduce((sum, line) => sum + line[0] * (line[index] ?? 0), 0));
  return estimates ? `says ${percentageOf(says ?? 0, estimates)}, has ${percentageOf(has ?? 0, estimates)}` : "–";
}

/**
 * The reliability diagram. Estimates are grouped by size: 0 to 10%, 10 to 20% and so on. Each group has a dot. The
 * dot's horizontal position is the group's mean estimate, and its height is the mean real chance. Right estimates are
 * on the diagonal. A larger dot stands for more estimates.
 *
 * @type {(reading: ReadingScores | null | undefined) => Element}
 */
function reliabilityDiagram(reading) {
  const bins = reading?.calibration ?? [];
  const estimateCount = bins.reduce((sum, [count]) => sum + count, 0);
  const dots = bins.flatMap(([count, said, real]) =>
    count
      ? [
          svg("circle", {
            class: "reading__dot",
            cx: (100 * said).toFixed(1),
            cy: (100 - 100 * real).toFixed(1),
            r: (4 + 8 * Math.sqrt(count / estimateCount)).toFixed(1),
          }),
        ]
      : [],
  );
  const axes = [
    svg("rect", { class: "reading__field", width: 100, height: 100 }),
    svg("path", { class: "reading__right", d: "M0 100L100 0" }),
  ];
  return svg("svg", { class: "reading__odds", viewBox: "-12 -12 124 124", "aria-hidden": "true" }, ...axes, ...dots);
}
