/**
 * The rules and stages of the contests, to find where a recorded contest was held by other rules.
 *
 * @import { Happening } from "./events.js"
 * @typedef {{ games: number, hands: number, seats: number, advance: number, carry: boolean, even: boolean,
 *   title: string }} Plan
 */

import { rulesFrom } from "./events.js";

const ARENA_BLINDS = `
  10/20 20/30 20/40 30/50 30/60 40/80 50/100 60/120 100/200 100/200 150/250 200/300 200/400 300/500 300/600 400/800
  500/1000 600/1200 1000/1500 1000/2000 1500/2500 2000/3000 2000/4000 2500/5000 3000/6000 4000/8000 5000/10000
  6000/12000 7500/15000
`;
const ONE_STAGE = { games: 1, advance: 0, carry: false, even: false };

/** @type {Record<string, { rules: Record<string, unknown>, stages: Plan[] }>} */
const CONTESTS = {
  "quick-draw": {
    rules: {
      later_streets_from: "big_blind",
      heads_up_button_posts: "big",
      min_raise: "one_chip",
      raise_laps: 5,
      raise_out_of_range: "refuse_low",
      show: "all",
    },
    stages: [
      { title: "The Trials", games: 15, hands: 6, seats: 6, advance: 6, carry: false, even: false },
      { ...ONE_STAGE, title: "High Noon", hands: 24, seats: 6 },
    ],
  },
  enova: {
    rules: {
      levels: [{ small: 1, big: 2, ante: 0 }],
      think_ms: 5000,
      heads_up_button_posts: "big",
      blinds: "asked",
      min_raise: "one_chip",
      bet_cap: "shortest_stack",
      odd_chips: "last_in_order",
      show: "winners",
    },
    stages: [
      { title: "The Tables", games: 0, hands: 8, seats: 8, advance: 8, carry: false, even: true },
      { ...ONE_STAGE, title: "The Last Table", hands: 0, seats: 8, carry: true },
    ],
  },
  upac: {
    rules: {
      levels: [{ small: 1, big: 2, ante: 0 }],
      think_ms: 1000,
      min_raise: "one_chip",
      raise_out_of_range: "clamp",
      bet_cap: "shortest_stack",
      ask_when_all_in: true,
      fault_costs: "game",
      show: "loser_if_aggressor",
    },
    stages: [{ ...ONE_STAGE, title: "The Duel", hands: 100, seats: 2 }],
  },
  arena: {
    rules: {
      levels: ARENA_BLINDS.trim()
        .split(/\s+/)
        .map((pair) => pair.split("/").map(Number))
        .map(([small, big]) => ({ small, big, ante: 0 })),
      hands_per_level: 24,
      heads_up_button_posts: "big",
      refused_checks: true,
    },
    stages: [{ ...ONE_STAGE, title: "The Arena", hands: 0, seats: 12 }],
  },
};

/**
 * The rules at the table of a contest; null for a contest that is not one of the four.
 *
 * @param {string} contest
 */
export function rulesOfContest(contest) {
  return Object.hasOwn(CONTESTS, contest) ? rulesFrom({ ...CONTESTS[contest].rules, edition: 2 }) : null;
}

/**
 * Whether a stage is the next one of its contest and announced as it should be; true for a contest without rules here.
 *
 * @param {string} contest
 * @param {number} played the number of the last stage
 * @param {number} bots how many are left
 * @param {Happening} announced
 */
export function isNextStage(contest, played, bots, announced) {
  if (!Object.hasOwn(CONTESTS, contest)) return true;
  const { stages } = CONTESTS[contest];
  const next = stages.findIndex((plan, at) => at >= played && (!plan.advance || bots > plan.advance));
  const plan = stages[next];
  return Boolean(plan) && announced.stage === next + 1 && fits(announced, plan);
}

/**
 * Whether the announcement has all that the plan says. The organiser may choose the number and length of games of a
 * series.
 *
 * @param {Happening} announced
 * @param {Plan} plan
 */
function fits(announced, plan) {
  const free = announced.series ? ["games", "hands"] : [];
  return Object.entries(plan).every(([name, value]) => free.includes(name) || announced[name] === value);
}
