/**
 * The organiser's branding in the picture, below the lower third.
 */

/** Copies the branding in the page's HTML, for the picture. @returns {HTMLElement[]} none without branding */
export function brandingOfPage() {
  const branding = document.querySelector(".branding")?.cloneNode(true);
  if (!(branding instanceof HTMLElement)) return [];
  branding.hidden = false;
  branding.ariaHidden = "true";
  return [branding];
}
