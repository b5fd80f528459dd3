// A renderer with two layers, for tests: it calls a graphic as ograf-server and its development tool do. The name of an
// element is the graphic's id, the layers are closed shadow roots, and the package is on another origin.
window.layers = {
  elements: [],
  async define(folder, name) {
    const manifest = await (await fetch(`${folder}/${name}.ograf.json`)).json();
    if (!customElements.get(manifest.id)) {
      customElements.define(manifest.id, (await import(`${folder}/${manifest.main}?componentId=1`)).default);
    }
    return manifest.id;
  },
  layer() {
    const layer = document.body.appendChild(document.createElement("div"));
    layer.style.cssText = "position:absolute;top:0;left:0;right:0;bottom:0";
    return layer.attachShadow({ mode: "closed" });
  },
  async load(folder, name, data) {
    const element = document.createElement(await this.define(folder, name));
    this.layer().append(element);
    this.elements.push(element);
    const renderCharacteristics = { resolution: { width: innerWidth, height: innerHeight }, frameRate: 50 };
    return element.load({ renderType: "realtime", renderCharacteristics, data });
  },
};
