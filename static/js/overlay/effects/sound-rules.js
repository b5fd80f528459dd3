/**
 * Decides whether a sound is played, when, how loud and how fast. No I/O: the time is an argument.
 *
 * @typedef {"tick" | "sting" | "win" | "voice"} SoundKind A "tick" is a short sound of play, such as a chip's. Some
 *   ticks are skipped if there are too many. A "sting" announces an event, such as a new game. A new sting replaces the
 *   sting before it, and the commentator's new line replaces the line before it. Winners' sounds are queued
 * @typedef {{ begins: number, seconds: number, gain: number, rate: number, kind: SoundKind }} Playback how to play a
 *   sound; times are in seconds
 */

export const TICKS = ["deal", "chip", "check", "fold", "call", "raise", "allin", "flop", "turn", "river"];
export const STINGS = ["eliminated", "game_start", "final_start", "champion"];

/** How long a replaced sound takes to fade out. */
export const FADE_SECONDS = 0.05;
const MAX_SECONDS = 5;
/** A bot's spoken thought is dropped if it would have to wait longer than this for the commentator. */
const MAX_THOUGHT_WAIT_SECONDS = 2;
/** A tick is not repeated within this time. */
const REPEAT_SECONDS = 0.045;
/** At most `most` ticks start within `seconds`. */
const TICK_LIMIT = { most: 3, seconds: 0.15 };
/** A tick that is repeated within `seconds` gets quieter by `db` decibels each time, but at most by `most` decibels. */
const REPEAT_REDUCTION = { seconds: 1.2, db: 3, most: 9 };
/**
 * A winner's sound is dropped if it would have to wait longer than this for other winners' sounds. A later sound would
 * seem to belong to another win.
 */
const MAX_WIN_DELAY_SECONDS = 3.5;
/** Playback rates that make a tick sound slightly different each time. */
const RATES = [1, 0.965, 1.03, 0.985, 1.015];

/** Remembers recent sounds, and decides how to play a new sound. */
export class SoundRules {
  /**
   * When each tick was last played, and by how many decibels it was reduced.
   *
   * @type {Map<string, { at: number, reduction: number }>}
   */
  #lastTicks = new Map();
  /** @type {number[]} */
  #recentTicks = [];
  #winnersFreeAt = 0;
  #voiceFreeAt = 0;

  /**
   * @param {{ name: string, bot?: number, variant?: number, ms?: number }} cue `bot`: the bot whose thought is spoken,
   *   0 if the commentator speaks; `variant` chooses the playback rate; `ms`: the maximum length, if it is below
   *   five seconds
   * @param {number} seconds the length of the sound, in seconds
   * @param {number} now
   * @returns {Playback | null} how to play the sound, or null if it is not played
   */
  planPlayback({ name, bot = 0, variant = 0, ms }, seconds, now) {
    const kind = name === "win" || name === "voice" ? name : STINGS.includes(name) ? "sting" : "tick";
    const maxSeconds = Math.min(seconds, MAX_SECONDS, ms ? ms / 1000 : MAX_SECONDS);
    if (kind === "tick") return this.#planTick(name, variant, maxSeconds, now);
    if (kind === "sting") return { begins: now, seconds: maxSeconds, gain: 1, rate: 1, kind };
    if (kind === "voice" && bot) {
      const begins = Math.max(now, this.#voiceFreeAt);
      return begins - now > MAX_THOUGHT_WAIT_SECONDS ? null : { begins, seconds, gain: 1, rate: 1, kind };
    }
    if (kind === "voice") {
      const begins = now < this.#voiceFreeAt ? now + FADE_SECONDS : now;
      this.#voiceFreeAt = begins + seconds;
      return { begins, seconds, gain: 1, rate: 1, kind };
    }
    const begins = Math.max(now, this.#winnersFreeAt);
    if (begins - now > MAX_WIN_DELAY_SECONDS) return null;
    this.#winnersFreeAt = begins + maxSeconds;
    return { begins, seconds: maxSeconds, gain: 1, rate: 1, kind };
  }

  /** Forgets all sounds, after they have been stopped. */
  clear() {
    this.#lastTicks.clear();
    this.#recentTicks = [];
    this.#winnersFreeAt = this.#voiceFreeAt = 0;
  }

  /** @type {(name: string, variant: number, seconds: number, now: number) => Playback | null} */
  #planTick(name, variant, seconds, now) {
    const last = this.#lastTicks.get(name);
    const secondsSince = last ? now - last.at : Number.POSITIVE_INFINITY;
    this.#recentTicks = this.#recentTicks.filter((tickTime) => now - tickTime < TICK_LIMIT.seconds);
    if (secondsSince < REPEAT_SECONDS || this.#recentTicks.length >= TICK_LIMIT.most) return null;
    this.#recentTicks.push(now);
    const reduction =
      secondsSince < REPEAT_REDUCTION.seconds
        ? Math.min(REPEAT_REDUCTION.most, (last?.reduction ?? 0) + REPEAT_REDUCTION.db)
        : 0;
    this.#lastTicks.set(name, { at: now, reduction });
    const rate = RATES[variant % RATES.length] ?? 1;
    return { begins: now, seconds: seconds / rate, gain: 10 ** (-reduction / 20), rate, kind: "tick" };
  }
}
