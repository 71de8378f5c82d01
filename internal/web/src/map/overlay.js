// What is drawn above the map with a 2D canvas: texts, signs of trouble, marks.

import {theme} from '../theme.js';
import {points, along, rectOf, pick} from './geometry.js';

const family = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const signs = {gone: '×', down: '×', flapping: '~', 'not active': '…', errors: '!', degraded: '↓'};

/** Leaves out the middle: names of machines differ at their ends. */
export function shorten(s, n) {
  const r = [...s];
  if (r.length <= n) return s;
  if (n < 4) return r.slice(0, Math.max(0, n)).join('');
  const tail = Math.floor(n * 0.6);
  return r.slice(0, n - 1 - tail).join('') + '…' + r.slice(r.length - tail).join('');
}

/** A place on a line where no box is, near the end that has fewer lines. */
function freePlace(view, e) {
  const many = view.edgesOf[view.a[e]].length > view.edgesOf[view.b[e]].length;
  for (const at of [0.78, 0.88, 0.94, 0.68, 0.58, 0.45]) {
    const [x, y] = along(view, e, many ? at : 1 - at);
    if (!('box' in (pick(view, x, y, 24) || {}))) return [x, y];
  }
  return along(view, e, many ? 0.78 : 0.22);
}

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = canvas.getContext('2d');
  }

  begin(camera, ratio) {
    Object.assign(this, {camera, ratio, zoom: parseFloat(getComputedStyle(document.documentElement).fontSize) / 14});
    this.ctx.setTransform(1, 0, 0, 1, 0, 0);
    this.ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  font(px, weight = 400) { this.ctx.font = weight + ' ' + px.toFixed(1) + 'px ' + family; }

  sx(x) { return x * this.camera.k + this.camera.x; }
  sy(y) { return y * this.camera.k + this.camera.y; }

  /** Names of frames: within them where there is room, else above them. */
  frames(view) {
    const c = this.ctx, k = this.camera.k;
    c.textAlign = 'left';
    c.textBaseline = 'middle';
    c.fillStyle = theme.colours.faint;
    view.frameNames.forEach((name, i) => {
      const w = view.frames[i * 4 + 2] * k;
      if (w < 30) return;
      const px = Math.min(13 * this.zoom, Math.max(9.5, 11 * k)), within = k > 0.7;
      this.font(px, 500);
      c.fillText(shorten(name, Math.floor((w - 6) / (px * 0.55))), this.sx(view.frames[i * 4]) + (within ? 8 : 2), this.sy(view.frames[i * 4 + 1]) + (within ? Math.min(12 * this.zoom, 10 * k + 2) : -px * 0.65));
    });
  }

  texts(view) {
    const c = this.ctx, k = this.camera.k, [left, top, right, bottom] = this.camera.seen(), r = view.rects;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    for (let b = 0, i = 0; b < view.roles.length; b++, i += 4) {
      if (r[i] > right || r[i + 1] > bottom || r[i] + r[i + 2] < left || r[i + 1] + r[i + 3] < top) continue;
      const turned = view.flags[b] & 1, first = view.first[b];
      const long = (turned ? r[i + 3] : r[i + 2]) * k - 8, high = (turned ? r[i + 2] : r[i + 3]) * k;
      const second = high * 0.32 < 7 ? '' : view.second[b]; // there is room for one line
      const px = Math.min(high * (second ? 0.32 : 0.6), 11 * Math.max(1, Math.sqrt(k)), 17 * this.zoom);
      const fits = Math.floor(long / (px * 0.55));
      if (px < 6.5 || fits < Math.min(4, first.length)) continue;
      this.box(view, b, {turned, first: shorten(first, fits), second: second && shorten(second, Math.floor(long / (px * 0.5))), px});
    }
  }

  box(view, b, {turned, first, second, px}) {
    const c = this.ctx, [x, y, w, h] = rectOf(view, b), cx = this.sx(x + w / 2), cy = this.sy(y + h / 2);
    c.fillStyle = theme.colours.ink;
    this.font(px, second ? 600 : 500);
    if (turned) {
      c.save();
      c.translate(cx, cy);
      c.rotate(-Math.PI / 2);
      c.fillText(first, 0, 0);
      c.restore();
      return;
    }
    c.fillText(first, cx, second ? cy - px * 0.62 : cy + px * 0.04);
    if (!second) return;
    c.fillStyle = theme.colours.faint;
    this.font(px * 0.88);
    c.fillText(second, cx, cy + px * 0.72);
  }

  /** Numbers of parallel links, where there is room for them. */
  bundles(view) {
    if (view.between > 260 || this.camera.k < 0.55) return;
    const c = this.ctx;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    this.font(Math.min(12, 10 * Math.sqrt(this.camera.k)) * this.zoom);
    c.lineWidth = 4;
    c.strokeStyle = theme.colours.halo;
    c.fillStyle = theme.colours.faint;
    const taken = new Set();
    for (let e = 0; e < view.a.length; e++) {
      const n = view.linkStart[e + 1] - view.linkStart[e];
      if (n < 2 || view.below[e]) continue;
      const [x, y] = (view.bundleAt ||= [])[e] ||= freePlace(view, e), text = '×' + n;
      const cell = Math.round(this.sx(x) / 30) + ' ' + Math.round(this.sy(y) / 16);
      if (taken.has(cell)) continue;
      taken.add(cell);
      c.strokeText(text, this.sx(x), this.sy(y));
      c.fillText(text, this.sx(x), this.sy(y));
    }
  }

  /** Round signs on lines with trouble, and at the corners of boxes that have some within. */
  signs(view, badEdges, badBoxes) {
    const most = 240, size = Math.min(9, Math.max(6, 7.5 * Math.sqrt(this.camera.k))) * this.zoom;
    for (const [e, {what, count}] of [...badEdges].slice(0, most)) {
      const [x, y] = along(view, e, view.below[e] ? 1 : 0.5);
      this.sign(this.sx(x) - (view.below[e] ? size : 0), this.sy(y), size, what, count > 1 ? String(count) : signs[what]);
    }
    for (const [b, {what, count}] of [...badBoxes].slice(0, most)) {
      const [x, y, w] = rectOf(view, b);
      this.sign(this.sx(x + w), this.sy(y), size, what, count > 1 ? String(count) : signs[what]);
    }
  }

  sign(px, py, size, what, text) {
    if (px < -20 || py < -20 || px > this.camera.width + 20 || py > this.camera.height + 20) return;
    const c = this.ctx, wide = (text.length - 1) * 3;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.beginPath();
    c.roundRect(px - size - wide, py - size, 2 * (size + wide), 2 * size, size);
    c.fillStyle = theme.colours[what];
    c.fill();
    c.lineWidth = 1.5;
    c.strokeStyle = theme.colours.halo;
    c.stroke();
    c.fillStyle = theme.colours.halo;
    this.font(size * (/\d/.test(text) ? 1.25 : 1.6), 700);
    c.fillText(text, px, py + 0.5);
  }

  /** A cross over nodes that are gone. */
  crosses(view, boxes) {
    const c = this.ctx;
    c.strokeStyle = theme.colours.gone;
    for (const b of boxes) {
      const [x, y, w, h] = rectOf(view, b), s = Math.max(3, Math.min(w, h, 14) * this.camera.k / 2);
      const cx = this.sx(x + w / 2), cy = this.sy(y + h / 2);
      c.lineWidth = Math.min(2, s / 2.5);
      c.beginPath();
      c.moveTo(cx - s, cy - s);
      c.lineTo(cx + s, cy + s);
      c.moveTo(cx + s, cy - s);
      c.lineTo(cx - s, cy + s);
      c.stroke();
    }
  }

  trace(view, e) {
    const c = this.ctx, p = points(view, e);
    c.moveTo(this.sx(p[0]), this.sy(p[1]));
    for (let i = 2; i < p.length; i += 2) c.lineTo(this.sx(p[i]), this.sy(p[i + 1]));
  }

  around(view, b, pad, line, colour) {
    const c = this.ctx, [x, y, w, h] = rectOf(view, b);
    c.lineWidth = line;
    c.strokeStyle = colour;
    c.beginPath();
    c.roundRect(this.sx(x) - pad, this.sy(y) - pad, w * this.camera.k + 2 * pad, h * this.camera.k + 2 * pad, 3 + pad);
    c.stroke();
  }

  /** Edges in a colour, with their ends. */
  lines(view, edges, width, colour, alpha = 1) {
    const c = this.ctx;
    c.beginPath();
    for (const e of edges) this.trace(view, e);
    c.globalAlpha = alpha;
    c.lineJoin = 'round';
    c.lineCap = 'round';
    c.lineWidth = width;
    c.strokeStyle = colour;
    c.stroke();
    c.globalAlpha = 1;
  }

  /** A number in a disc: the hops of a path. */
  number(view, b, text, colour) {
    const c = this.ctx, [x, y, w] = rectOf(view, b), px = this.sx(x + w), py = this.sy(y);
    c.beginPath();
    c.arc(px, py, 9, 0, 7);
    c.fillStyle = colour;
    c.fill();
    c.lineWidth = 1.5;
    c.strokeStyle = theme.colours.halo;
    c.stroke();
    c.fillStyle = theme.colours.halo;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    this.font(10.5, 700);
    c.fillText(text, px, py + 0.5);
  }
}
