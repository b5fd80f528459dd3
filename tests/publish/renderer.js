// A renderer of OGraf graphics (web components for television), like ograf-server and OGraf's own tool. It is given
// only a package's address. Each graphic is a custom element, named by the graphic's id, in its own closed shadow root.
window.renderer = {
  graphics: [],
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
  async load(folder, name, parameters) {
    const graphic = document.createElement(await this.define(folder, name));
    this.layer().append(graphic);
    this.graphics.push(graphic);
    const renderCharacteristics = { resolution: { width: innerWidth, height: innerHeight }, frameRate: 50 };
    return graphic.load({ renderType: "realtime", renderCharacteristics, ...parameters });
  },
};
