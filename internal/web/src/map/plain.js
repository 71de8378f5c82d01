// The painter without WebGL, for browsers that have none: slower, the same picture.

const css = (c, i) => 'rgba(' + c[i] + ',' + c[i + 1] + ',' + c[i + 2] + ',' + c[i + 3] / 255 + ')';

export class PlainPainter {
  constructor(canvas) {
    this.canvas = canvas;
    this.kind = 'canvas';
    this.ctx = canvas.getContext('2d', {alpha: false});
    this.sets = {};
  }

  setLines(name, ends, colours, looks) { this.sets[name] = {ends, colours, looks}; }

  setBoxes(name, rects, insides, borders, looks) { this.sets[name] = {rects, insides, borders, looks}; }

  begin(camera, ratio, paper) {
    const c = this.ctx;
    this.camera = camera;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = css([...paper, 255], 0);
    c.fillRect(0, 0, this.canvas.width, this.canvas.height);
    c.setTransform(camera.k * ratio, 0, 0, camera.k * ratio, camera.x * ratio, camera.y * ratio);
  }

  lines(name, grow, fade) {
    const set = this.sets[name];
    if (!set) return;
    const {ends, colours, looks} = set, c = this.ctx, k = this.camera.k;
    const [left, top, right, bottom] = this.camera.seen();
    let last = '';
    c.globalAlpha = Math.min(1, fade);
    c.beginPath();
    for (let i = 0, j = 0; i < ends.length; i += 4, j += 2) {
      if (colours[i + 3] === 0) continue;
      if (Math.max(ends[i], ends[i + 2]) < left || Math.min(ends[i], ends[i + 2]) > right || Math.max(ends[i + 1], ends[i + 3]) < top || Math.min(ends[i + 1], ends[i + 3]) > bottom) continue;
      const look = css(colours, i) + ' ' + looks[j] + ' ' + looks[j + 1];
      if (look !== last) {
        c.stroke();
        c.beginPath();
        c.strokeStyle = css(colours, i);
        c.lineWidth = Math.max(0.6, looks[j] * grow) / k;
        c.setLineDash(looks[j + 1] ? [looks[j + 1] * 0.6 / k, looks[j + 1] * 0.4 / k] : []);
        last = look;
      }
      c.moveTo(ends[i], ends[i + 1]);
      c.lineTo(ends[i + 2], ends[i + 3]);
    }
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  boxes(name) {
    const set = this.sets[name];
    if (!set) return;
    const {rects, insides, borders, looks} = set, c = this.ctx, k = this.camera.k;
    const [left, top, right, bottom] = this.camera.seen();
    for (let i = 0, j = 0; i < rects.length; i += 4, j += 2) {
      if (rects[i] > right || rects[i + 1] > bottom || rects[i] + rects[i + 2] < left || rects[i + 1] + rects[i + 3] < top) continue;
      c.fillStyle = css(insides, i);
      c.strokeStyle = css(borders, i);
      c.lineWidth = looks[j + 1] / k;
      c.beginPath();
      if (rects[i + 2] * k < 6) c.rect(rects[i], rects[i + 1], rects[i + 2], rects[i + 3]);
      else c.roundRect(rects[i], rects[i + 1], rects[i + 2], rects[i + 3], Math.min(looks[j], rects[i + 3] / 2));
      c.fill();
      if (looks[j + 1] && rects[i + 2] * k >= 3) c.stroke();
    }
  }
}
