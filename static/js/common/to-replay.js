/**
 * Runs on the page of a show that is over. A visitor with a link to a hand is sent to that hand in the replay. The
 * other settings of the address are kept.
 */

const replay = document.querySelector("a[data-replay]");
if (replay instanceof HTMLAnchorElement) {
  const parameters = new URLSearchParams(location.search);
  parameters.delete("channel");
  replay.search = String(parameters);
  if (parameters.has("hand")) location.replace(replay.href);
}
