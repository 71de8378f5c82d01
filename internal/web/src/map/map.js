// The map: draws a view of the fabric, and what one does with pointer and keys.

import {theme, rgb, onTheme} from '../theme.js';
import {sortLinks} from '../colour.js';
import {Camera} from './camera.js';
import {GLPainter} from './gl.js';
import {PlainPainter} from './plain.js';
import {Overlay} from './overlay.js';
import {prepare, pick, rectOf, nodesOfBox, linksOfEdge} from './geometry.js';
import {boxStyles, frameStyles, lineStyles, edgeOf, isGone} from './style.js';

export class FabricMap {
  /** Events go to the handlers: point(what, x, y), choose(what), expand(box), moved(). */
  constructor(canvas, above, handlers) {
    Object.assign(this, {canvas, above, handlers, fabric: null, view: null, marks: {found: [], path: null, changes: null}, chosen: null, hover: null, lit: null});
    this.camera = new Camera(() => this.draw());
    this.overlay = new Overlay(above);
    this.painter = makePainter(canvas);
    this.canvas = this.painter.canvas;
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    onTheme(() => this.restyle());
  }

  /** Shows a fabric in one of its views, looking at all of it or at what was seen. */
  show(fabric, at, mode, keep) {
    const place = keep && this.view ? {k: this.camera.k, x: this.camera.x, y: this.camera.y} : null;
    Object.assign(this, {fabric, mode, hover: null, view: prepare(fabric.views[at])});
    this.restyle();
    if (place) this.camera.go(place);
    else this.fit(0);
  }

  setMode(mode) {
    this.mode = mode;
    this.lit = null;
    this.restyle();
  }

  /** Makes some links and boxes stand out: {bin} of the colours, or {edges, boxes}; null for none. */
  light(lit) {
    this.lit = lit;
    this.restyle();
  }

  restyle() {
    if (!this.view) return;
    const {fabric, view, painter} = this;
    this.sorted = sortLinks(fabric, this.mode);
    const frames = frameStyles(view), boxes = boxStyles(fabric, view, this.lit && this.lit.boxes ? this.lit : null);
    const lines = lineStyles(fabric, view, this.sorted, this.mode, this.lit);
    painter.setBoxes('frames', frames.rects, frames.insides, frames.borders, frames.looks);
    painter.setBoxes('boxes', boxes.rects, boxes.insides, boxes.borders, boxes.looks);
    for (const name of ['plain', 'below', 'bad']) painter.setLines(name, lines[name].ends, lines[name].colours, lines[name].looks);
    Object.assign(this, {badEdges: lines.badEdges, badBoxes: lines.badBoxes});
    this.dead = fabric.gone.size ? view.roles.map((_, b) => b).filter(b => isGone(fabric, view, b)) : [];
    this.draw();
  }

  resize() {
    const {clientWidth: w, clientHeight: h} = this.canvas.parentElement, first = this.camera.width <= 1;
    if (!w || !h) return;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    for (const c of [this.canvas, this.above]) {
      c.width = Math.round(w * this.ratio);
      c.height = Math.round(h * this.ratio);
    }
    Object.assign(this.camera, {width: w, height: h});
    if (this.view && (first || this.isFit)) this.fit(0);
    this.paint(); // a canvas with another size is empty
  }

  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.paint();
    });
  }

  paint() {
    const {view, camera, painter, overlay} = this;
    if (!view || camera.width <= 1) return;
    const k = camera.k, n = view.between;
    const crowd = Math.min(0.95, 9 / Math.sqrt(n)); // lines shine through where there are many
    const grow = Math.min(2.2, Math.max(0.45, Math.sqrt(k))) * em();
    painter.begin(camera, this.ratio, rgb(theme.colours.paper));
    painter.boxes('frames');
    if (k > 0.28 || view.roles.length < 600) painter.lines('below', grow, Math.min(0.9, k * 2));
    painter.lines('plain', grow, this.lit ? 0.95 : Math.min(0.95, crowd * Math.max(1, k)));
    painter.lines('bad', grow, 1);
    painter.boxes('boxes');
    overlay.begin(camera, this.ratio);
    overlay.frames(view);
    overlay.bundles(view);
    this.paintMarks();
    overlay.texts(view);
    overlay.crosses(view, this.dead);
    if (!this.lit || this.lit.bin !== undefined) overlay.signs(view, this.badEdges, this.badBoxes);
    this.paintNumbers();
    this.handlers.moved?.();
  }

  paintMarks() {
    const {view, overlay} = this, c = theme.colours;
    for (const {edges, colour} of this.marks.changes?.lines || []) overlay.lines(view, edges, 4, c[colour], 0.9);
    for (const {boxes, colour} of this.marks.changes?.boxes || []) for (const b of boxes) overlay.around(view, b, 2, 3, c[colour]);
    const path = this.marks.path;
    if (path) {
      overlay.lines(view, path.edges, 8, c.halo);
      overlay.lines(view, path.edges, 4.5, c.mark);
    }
    const seen = new Set();
    for (const n of this.marks.found.slice(0, 4000)) {
      const b = view.boxOf[n];
      if (b >= 0 && !seen.has(b)) {
        seen.add(b);
        overlay.around(view, b, 2, 2, c.mark);
      }
    }
    for (const what of [this.chosen, this.hover]) if (what) this.paintWhat(what, what === this.chosen);
  }

  paintWhat(what, strong) {
    const {view, overlay} = this, c = theme.colours, box = this.boxOf(what), edges = this.edgesOf(what);
    overlay.lines(view, edges, edges.length === 1 ? 4 : 1.8, c.mark, strong ? 0.9 : 0.6);
    const ends = new Set(edges.flatMap(e => [view.a[e], view.b[e]]));
    for (const b of ends) if (b !== box) overlay.around(view, b, 1, 1.5, c.mark);
    if (box >= 0) overlay.around(view, box, 2, 3, c.mark);
  }

  paintNumbers() {
    const path = this.marks.path;
    if (path) path.boxes.forEach((b, i) => this.overlay.number(this.view, b, String(i + 1), theme.colours.mark));
  }

  /** The box that {box} or {node} means, -1 for none. */
  boxOf(what) { return 'box' in what ? what.box : 'node' in what ? this.view.boxOf[what.node] : -1; }

  edgesOf(what) {
    const box = this.boxOf(what);
    if (box >= 0) return this.view.edgesOf[box];
    const e = 'edge' in what ? what.edge : 'link' in what ? edgeOf(this.view, this.fabric)[what.link] : -1;
    return e >= 0 ? [e] : [];
  }

  /** What a place of the screen shows, as something to choose: {node}, {box}, {link} or {edge}. */
  at(px, py) {
    if (!this.view) return null;
    const {k, x, y} = this.camera, hit = pick(this.view, (px - x) / k, (py - y) / k, 6 / k);
    if (!hit) return null;
    if ('box' in hit) return this.view.flags[hit.box] & 2 ? hit : {node: nodesOfBox(this.view, hit.box)[0]};
    const links = linksOfEdge(this.view, hit.edge);
    return links.length === 1 ? {link: links[0]} : hit;
  }

  choose(what) {
    this.chosen = what;
    this.draw();
  }

  pad() {
    const wide = this.camera.width > 900;
    return {left: wide ? 250 * em() : 24, right: wide ? 60 * em() : 24, top: 56 * em(), bottom: 68 * em()};
  }

  fit(duration = 320) {
    const v = this.view, to = this.camera.placeFor([0, 0, v.w, v.h], this.camera.width > 3000 ? 3.2 : this.camera.width > 2200 ? 2.6 : 1.6, this.pad());
    this.camera.least = to.k / 2;
    this.isFit = true;
    if (duration) this.camera.fly(to, duration);
    else this.camera.go(to);
  }

  /** Brings things onto the screen, no nearer than is good to read. */
  look(whats, most = 1.4) {
    const boxes = new Set();
    for (const what of whats) {
      const b = this.boxOf(what);
      if (b >= 0) boxes.add(b);
      else for (const e of this.edgesOf(what)) boxes.add(this.view.a[e]).add(this.view.b[e]);
    }
    if (!boxes.size) return;
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (const b of boxes) {
      const [x, y, w, h] = rectOf(this.view, b);
      low[0] = Math.min(low[0], x);
      low[1] = Math.min(low[1], y);
      high[0] = Math.max(high[0], x + w);
      high[1] = Math.max(high[1], y + h);
    }
    const room = 120;
    this.isFit = false;
    this.camera.fly(this.camera.placeFor([low[0] - room, low[1] - room, high[0] - low[0] + 2 * room, high[1] - low[1] + 2 * room], most, this.pad()));
  }
}

/** How much larger texts are than usual: more on large screens. */
const em = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 14;

function makePainter(canvas) {
  try {
    return new GLPainter(canvas);
  } catch {
    // A canvas that has given a context of one kind gives no other: take a new one.
    const fresh = canvas.cloneNode();
    canvas.replaceWith(fresh);
    return new PlainPainter(fresh);
  }
}
