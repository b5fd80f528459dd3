/** What the browser stores for all of our pages. If it forbids storage, the pages work without it. */

/**
 * @param {string} key
 * @returns {string} "" if nothing is stored
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
 * @returns {boolean} whether it was stored
 */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
