/**
 * Runs on the page of a show that is over. Adds the settings in the page's address to the link to the replay. If the
 * address names a hand, goes to that hand in the replay at once.
 */

const replay = document.querySelector("a[data-replay]");
if (replay instanceof HTMLAnchorElement) {
  const parameters = new URLSearchParams(location.search);
  parameters.delete("channel");
  replay.search = String(parameters);
  if (parameters.has("hand")) location.replace(replay.href);
}
