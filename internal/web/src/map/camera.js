// Where one looks: screen = picture * k + (x, y), in CSS pixels.

export class Camera {
  constructor(changed) {
    Object.assign(this, {k: 1, x: 0, y: 0, width: 1, height: 1, least: 0.01, changed, flight: 0});
  }

  /** The place that shows a rectangle as large as it fits beside what floats above the map. */
  placeFor([x, y, w, h], most, pad) {
    const {left = 24, right = 24, top = 24, bottom = 24} = pad || {};
    const wide = Math.max(50, this.width - left - right), high = Math.max(50, this.height - top - bottom);
    const k = Math.min(wide / Math.max(w, 1), high / Math.max(h, 1), most);
    return {k, x: left + (wide - w * k) / 2 - x * k, y: top + (high - h * k) / 2 - y * k};
  }

  go({k, x, y}) {
    Object.assign(this, {k, x, y});
    this.changed();
  }

  /** Goes there smoothly, or at once for who does not want motion. */
  fly(to, duration = 320) {
    cancelAnimationFrame(this.flight);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden) return this.go(to);
    const from = {k: this.k, x: this.x, y: this.y}, start = performance.now();
    const step = now => {
      const t = Math.min(1, (now - start) / duration), s = 1 - (1 - t) ** 3;
      const k = from.k * (to.k / from.k) ** s;
      // The middle of the screen goes straight.
      const mix = from.k === to.k ? s : (k - from.k) / (to.k - from.k);
      this.go(t === 1 ? to : {k, x: from.x + (to.x - from.x) * mix, y: from.y + (to.y - from.y) * mix});
      if (t < 1) this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
    return undefined;
  }

  stop() { cancelAnimationFrame(this.flight); }

  zoom(px, py, factor) {
    this.stop();
    const k = Math.min(8, Math.max(this.least, this.k * factor)), f = k / this.k;
    this.go({k, x: px - (px - this.x) * f, y: py - (py - this.y) * f});
  }

  pan(dx, dy) {
    this.stop();
    this.go({k: this.k, x: this.x + dx, y: this.y + dy});
  }

  /** What is seen: left, top, right, bottom in the picture. */
  seen() {
    return [-this.x / this.k, -this.y / this.k, (this.width - this.x) / this.k, (this.height - this.y) / this.k];
  }
}
