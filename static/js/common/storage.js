/**
 * Reads and writes the browser's storage. If the browser forbids storage, nothing is stored, and no error is thrown.
 */

/**
 * @param {string} key
 * @returns {string} "" if nothing is stored
 */
export function readStored(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} key
 * @param {string} value
 * @returns {boolean} whether the value was stored
 */
export function writeStored(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
