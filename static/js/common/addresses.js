/**
 * Addresses of files and pages. All of them begin with a root, which the page's HTML gives. The root may be any path of
 * a host: the path of a published site, or of a running show's server behind a proxy. The default root is "/". The
 * program's own files may have a root of their own.
 *
 * @import { Bot } from "./types.js"
 */

const { root = "/", program = root } = globalThis.document?.documentElement.dataset ?? {};

/** Whether the page belongs to a published site, which any web host serves as files. */
export const IS_PUBLISHED = globalThis.document?.documentElement.dataset.site !== undefined;

export const DEFAULT_AVATAR = assetAddress("avatars/default.webp");

/**
 * @param {string} path of a page, a recording, a film or a bot's file, such as "media/x.webp"
 * @returns {string} its address for this page
 */
export function fromRoot(path) {
  return `${root}${path}`;
}

/**
 * @param {string} path of one of the program's own files, such as "sounds/win.ogg"
 * @returns {string} its address for this page
 */
export function assetAddress(path) {
  return `${program}assets/${path}`;
}

/** @param {string} name may include folders, as the name of a recording does */
export function encodePath(name) {
  return name.split("/").map(encodeURIComponent).join("/");
}

/** @param {string} file the name of a bot's file, or of the file with a spoken line */
export function mediaAddress(file) {
  return fromRoot(`media/${encodeURIComponent(file)}`);
}

/** @param {{ avatar: string } | undefined} bot */
export function avatarOf(bot) {
  return bot?.avatar ? mediaAddress(bot.avatar) : DEFAULT_AVATAR;
}

/** @param {Bot | undefined} bot */
export function particleOf(bot) {
  return bot?.particle ? mediaAddress(bot.particle) : assetAddress("particles/default.webp");
}

/** @param {Bot | undefined} bot */
export function winSoundOf(bot) {
  return bot?.sound ? mediaAddress(bot.sound) : assetAddress("sounds/win.ogg");
}

/**
 * The end of a folder's address. On a published site, this end names the folder's index file, because some static hosts
 * do not serve that file for an address that ends in "/".
 */
const INDEX_FILE = IS_PUBLISHED ? "/index.html" : "";

/**
 * @param {string} channel
 * @param {number} hand the hand's number in the show's list of hands
 * @returns {string} the page that shows the hand in the running show
 */
export function momentAddress(channel, hand) {
  return fromRoot(`watch${INDEX_FILE}?channel=${encodeURIComponent(channel)}&hand=${hand}`);
}

/**
 * @param {string} recording
 * @param {number} [hand] the hand's number in the recording's list of hands
 * @returns {string} the page that replays the recording, from that hand on
 */
export function replayAddress(recording, hand) {
  return fromRoot(`replay/${encodePath(recording)}${INDEX_FILE}${hand === undefined ? "" : `?hand=${hand}&step=0`}`);
}
