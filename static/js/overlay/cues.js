/**
 * Makes the cues for an entry of the show, such as a bet: the sounds and animations that the page then plays. No I/O: the
 * cues depend only on the entry and on the pictures before and after it. No DOM, no clock, no imports.
 *
 * @import { ActionTaken, Cue, Entry, PotAwarded, State } from "../common/types.js"
 */

/** This number stands for the pot in places that expect the number of a seat. */
export const POT_SEAT = -1;
/** If more bots than this share a pot, only one bot's sound is played, because there is no time for all. */
const MAX_SHARERS_HEARD = 3;

/** @type {(entry: Entry, before: State, after: State) => Cue[]} */
export function cuesOf(entry, before, after) {
  const ms = entry.hold_ms;
  /** @type {Cue[]} */
  const cues = before.scene === after.scene ? [] : [{ kind: "enter", scene: after.scene, ms: Math.min(ms, 700) }];
  return [...cues, ...entryCues(entry, before, after, ms)].map((cue) =>
    cue.kind === "sound" ? { ...cue, variant: entry.seq } : cue,
  );
}

/**
 * "burn" burns a fuse down while a bot thinks, "regroup" shows moved seats, and "pin" pins a star on a winner.
 * @type {(entry: Entry, before: State, after: State, ms: number) => Cue[]}
 */
function entryCues(entry, before, after, ms) {
  switch (entry.type) {
    case "stage_started":
      return after.scene === "finalists" ? [soundCue("final_start")] : [];
    case "game_started":
      return [soundCue("game_start")];
    case "hand_started":
    case "focus_changed":
      return [{ kind: "regroup", ms: Math.min(ms, 500) }];
    case "blind_posted":
      return [soundCue("chip"), { kind: "act", seat: entry.seat, ms }];
    case "hole_dealt":
      return [soundCue("deal"), { kind: "deal", seat: entry.seat, ms }];
    case "turn_started":
      return [{ kind: "burn", seat: entry.seat, ms: entry.think_ms }];
    case "action_taken":
      return actionCues(entry, ms);
    case "bet_returned":
      return [{ kind: "chips", from: POT_SEAT, to: entry.seat, amount: entry.amount, ms: Math.min(ms, 500) }];
    case "bets_collected":
      return before.seats.flatMap((seat, index) =>
        seat.bet ? [{ kind: "chips", from: index, to: POT_SEAT, amount: seat.bet, ms: Math.min(ms, 600) }] : [],
      );
    case "street_dealt":
      return [soundCue(entry.street), { kind: "board", from: before.board.length, ms }];
    case "line_spoken":
      return [{ kind: "sound", name: "voice", bot: entry.bot ?? 0, file: entry.sound, describe: entry.describe }];
    case "equities_changed":
      return entry.chances.map(({ seat }) => ({ kind: "chance", seat, ms }));
    case "pot_awarded":
      return winCues(entry, after, ms);
    case "bot_eliminated":
      return after.scene === "duel" ? [soundCue("eliminated"), { kind: "duel", ms }] : [];
    case "tournament_ended":
      return [
        soundCue("champion"),
        { kind: "particles", seat: POT_SEAT, bot: entry.placings[0]?.bot ?? 0, size: "screen", ms },
      ];
    default:
      return [];
  }
}

/** @type {(event: ActionTaken, ms: number) => Cue[]} */
function actionCues(event, ms) {
  const { seat, act } = event;
  if (act === "fold") return [soundCue("fold"), { kind: "muck", seat, ms }, { kind: "regroup", ms: Math.min(ms, 600) }];
  /** @type {Cue[]} */
  const cues = [{ kind: "act", seat, ms }];
  if (act === "check") return [soundCue("check"), ...cues];
  if (event.all_in) cues.push(soundCue("allin"), { kind: "stamp", seat, ms });
  else cues.push(soundCue(act === "call" ? "call" : "raise"));
  return cues;
}

/** @type {(event: PotAwarded, after: State, ms: number) => Cue[]} */
function winCues(event, after, ms) {
  return [
    ...winSounds(event, after, ms),
    ...event.awards.flatMap((award) => {
      const bot = after.seats[award.seat]?.bot ?? 0;
      return /** @type {Cue[]} */ ([
        { kind: "chips", from: POT_SEAT, to: award.seat, amount: award.amount, ms: Math.min(ms, 900) },
        { kind: "pin", seat: award.seat, ms },
        { kind: "particles", seat: award.seat, bot, size: after.win, ms },
      ]);
    }),
  ];
}

/**
 * Returns the winners' sounds for a pot. Up to three winners are heard one after another, each for an equal part of the
 * time. If more than three share the pot, only the first in betting order is heard. After a small win, a long sound is
 * cut short.
 *
 * @type {(event: PotAwarded, after: State, ms: number) => Cue[]}
 */
function winSounds(event, after, ms) {
  const seats = [...new Set(event.awards.map((award) => award.seat))];
  const heardSeats = seats.length > MAX_SHARERS_HEARD ? seats.slice(0, 1) : seats;
  const share = heardSeats.length > 1 || after.win === "nod" ? { ms: ms / heardSeats.length } : {};
  return heardSeats.map((seat) => ({ kind: "sound", name: "win", bot: after.seats[seat]?.bot ?? 0, ...share }));
}

/** @type {(name: string) => Cue} */
function soundCue(name) {
  return { kind: "sound", name, bot: 0 };
}
