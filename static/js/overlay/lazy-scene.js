/**
 * Loads the scripts and styles of scenes that few shows have, when a show needs them.
 *
 * @import { Size } from "../common/settings.js"
 * @import { State } from "../common/types.js"
 * @import { OccasionalScene } from "../occasional/scenes.js"
 */

import { el } from "../common/dom.js";

/** @type {Promise<typeof import("../occasional/scenes.js")> | null} */
let loadingScenes = null;

/** Loads the scenes and their style sheet, once. The promise is rejected if the scripts cannot be loaded. */
export function loadOccasionalScenes() {
  // The path is right in bundles, too: like this file, every bundle is in a folder beside `occasional`.
  loadingScenes ??= import("../occasional/scenes.js").then(async (module) => {
    await module.loadStyle();
    return module;
  });
  return loadingScenes;
}

/** Stands in for a scene whose script is loaded when the scene is first shown. It is empty until the script arrives. */
export class LazyScene {
  #name;
  #size;
  /** @type {State | null} */
  #state = null;
  /** @type {OccasionalScene | null} */
  #scene = null;
  root;

  /** @param {string} name @param {Size} size */
  constructor(name, size) {
    this.#name = name;
    this.#size = size;
    this.root = el(`scene scene--${name}`);
  }

  /** The rows that slide to their places when the scene is shown again. */
  get rows() {
    return this.#scene?.rows ?? [];
  }

  /** @param {State} state */
  update(state) {
    const isFirst = !this.#state;
    this.#state = state;
    if (isFirst) this.#load();
    else this.#scene?.update(state);
  }

  async #load() {
    const { OCCASIONAL_SCENES: OCCASIONAL } = await loadOccasionalScenes();
    const SceneClass = OCCASIONAL[this.#name];
    if (!SceneClass || !this.#state) return;
    this.#scene = new SceneClass(this.root, this.#size);
    this.#scene.update(this.#state);
  }
}
