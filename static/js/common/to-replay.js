/**
 * Runs on the page of a show that is over. If the link names a hand, goes to that hand in the replay, and keeps the
 * other settings of the address.
 */

const replay = document.querySelector("a[data-replay]");
if (replay instanceof HTMLAnchorElement) {
  const parameters = new URLSearchParams(location.search);
  parameters.delete("channel");
  replay.search = String(parameters);
  if (parameters.has("hand")) location.replace(replay.href);
}
