/**
 * Where things lie, seen from the page: it says so itself, as a published one may lie under any path of any host, and a
 * studio's below the path of a proxy. Others begin at the root.
 *
 * @import { Bot } from "./types.js"
 */

const { root = "/", program = root } = globalThis.document?.documentElement.dataset ?? {};

/** Whether the page lies on some host, without our server. */
export const IS_PUBLISHED = globalThis.document?.documentElement.dataset.site !== undefined;

export const DEFAULT_AVATAR = asset("avatars/default.webp");

/**
 * @param {string} path of a page, a recording, a film or a bot's file: "media/x.webp"
 * @returns {string} an address for this page
 */
export function fromRoot(path) {
  return `${root}${path}`;
}

/**
 * @param {string} path of a file of the program: "sounds/win.ogg"
 * @returns {string} an address for this page
 */
export function asset(path) {
  return `${program}assets/${path}`;
}

/** @param {string} name that may have folders in front, such as a recording's */
export function encoded(name) {
  return name.split("/").map(encodeURIComponent).join("/");
}

/** @param {string} file a bot's, or of a spoken line */
export function media(file) {
  return fromRoot(`media/${encodeURIComponent(file)}`);
}

/** @param {{ avatar: string } | undefined} bot */
export function avatarOf(bot) {
  return bot?.avatar ? media(bot.avatar) : DEFAULT_AVATAR;
}

/** @param {Bot | undefined} bot */
export function particleOf(bot) {
  return bot?.particle ? media(bot.particle) : asset("particles/default.webp");
}

/** @param {Bot | undefined} bot */
export function winSoundOf(bot) {
  return bot?.sound ? media(bot.sound) : asset("sounds/win.ogg");
}

/** What the address of a page ends with where no server looks for its file. */
const INDEX = IS_PUBLISHED ? "/index.html" : "";

/**
 * @param {string} channel
 * @param {number} hand by its number in the outline
 * @returns {string} the address of the page that shows it
 */
export function momentAddress(channel, hand) {
  return fromRoot(`watch${INDEX}?channel=${encodeURIComponent(channel)}&hand=${hand}`);
}

/**
 * @param {string} recording
 * @param {number} [hand] by its number in the outline
 * @returns {string} the address of the page that shows it again
 */
export function replayAddress(recording, hand) {
  return fromRoot(`replay/${encoded(recording)}${INDEX}${hand === undefined ? "" : `?hand=${hand}&step=0`}`);
}
