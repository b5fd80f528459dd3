/** What this browser keeps for all of our pages. One that forbids it keeps nothing, and its pages work all the same. */

/**
 * @param {string} key
 * @returns {string} "" where nothing is kept
 */
export function kept(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} key
 * @param {string} value
 * @returns {boolean} whether it is kept
 */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
