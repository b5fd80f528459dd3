/**
 * The organiser's branding in the picture, below the lower third.
 */

/** Copies the branding from the page's HTML. @returns {HTMLElement[]} empty if the page has no branding */
export function brandingOfPage() {
  const branding = document.querySelector(".branding")?.cloneNode(true);
  if (!(branding instanceof HTMLElement)) return [];
  branding.hidden = false;
  branding.ariaHidden = "true";
  return [branding];
}
