/**
 * Types of messages to pages, of the picture and of cues. For the type checker only; no browser loads this file.
 *
 * Seats count from 0; games, hands and stages from 1; amounts are chips, prizes cents, times milliseconds.
 */

import type { OnAirEvent, SceneName, State, WinSize } from "./on-air.js";

export type { Item as ScheduleItem, Schedule as ShowSchedule } from "./on-air.js";
export * from "./on-air.js";

/** "As", "Td", "2c" */
export type Card = string;

// -- messages over the WebSocket ----------------------------------------------------------------------

export type Entry = { seq: number; at_ms: number; hold_ms: number } & OnAirEvent;
export type Welcome = { type: "welcome"; seq: number; at_ms: number; epoch: string; channel: string; speed: number };
export type Snapshot = { type: "snapshot"; seq: number; at_ms: number; state: State };
/** Nothing new: the connection is still up. */
export type Heartbeat = { type: "heartbeat"; seq: number; at_ms: number };

/** What each type of event changes in the previous picture. */
export type Reducers = {
  [T in OnAirEvent["type"]]?: (state: State, entry: Extract<Entry, { type: T }>) => Partial<State>;
};

// -- cues: the sounds and animations that the screen plays for an entry. `ms` is the maximum length. --------

/**
 * `variant`: equal numbers give equal sounds; `ms`: the maximum length. A "voice" has a `file` in /media. A voice with
 * `describe` is only for pages that describe the picture.
 */
export type SoundCue = {
  kind: "sound";
  name: string;
  bot: number;
  variant?: number;
  ms?: number;
  file?: string;
  describe?: boolean | undefined;
};
export type SeatCue = { kind: "deal" | "muck" | "act" | "pin"; seat: number; ms: number };
export type StampCue = { kind: "stamp"; seat: number; ms: number };
export type BurnCue = { kind: "burn"; seat: number; ms: number };
export type BoardCue = { kind: "board"; from: number; ms: number };
/** Chips that fly from one seat to another; the number -1 (POT) means the pot. */
export type ChipsCue = { kind: "chips"; from: number; to: number; amount: number; ms: number };
/** `ms`: how long the previous chance stays. */
export type ChanceCue = { kind: "chance"; seat: number; ms: number };
export type ParticlesCue = { kind: "particles"; seat: number; bot: number; size: WinSize; ms: number };
export type DuelCue = { kind: "duel"; ms: number };
export type RegroupCue = { kind: "regroup"; ms: number };
export type EnterCue = { kind: "enter"; scene: SceneName; ms: number };
export type Cue =
  | SoundCue
  | SeatCue
  | StampCue
  | BurnCue
  | BoardCue
  | ChipsCue
  | ChanceCue
  | ParticlesCue
  | DuelCue
  | RegroupCue
  | EnterCue;
