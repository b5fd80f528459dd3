import { graphicOf } from "./graphic.js";

export default graphicOf("standings");
