// A renderer of OGraf graphics, for tests: what a renderer does and no more. It knows a package only by its address.
window.renderer = {
  async mount(folder, name) {
    const manifest = await (await fetch(`${folder}/${name}.ograf.json`)).json();
    const { default: Component } = await import(new URL(`${folder}/${manifest.main}`, location.href));
    const tag = `graphic-${name}-${Date.now()}`;
    customElements.define(tag, Component);
    document.body.replaceChildren(document.createElement(tag));
    this.graphic = document.body.firstElementChild;
    return manifest;
  },
  load(how) {
    return this.graphic.load({ renderCharacteristics: {}, ...how });
  },
};
