import { defineGraphic } from "./graphic.js";

export default defineGraphic("table");
