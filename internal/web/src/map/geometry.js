// Lines of a view as straight pieces, and what is where.

const steps = 14; // pieces of a curve

/** Prepares a view once: pieces of its edges, their bounds, edges by box. */
export function prepare(view) {
  if (view.ready) return view;
  const n = view.a.length, pieces = [], of = [], below = new Uint8Array(n);
  const bounds = new Float32Array(n * 4);
  view.edgesOf = view.roles.map(() => []);
  for (let e = 0; e < n; e++) {
    view.edgesOf[view.a[e]].push(e);
    view.edgesOf[view.b[e]].push(e);
    below[e] = (view.flags[view.a[e]] | view.flags[view.b[e]]) & 4 ? 1 : 0;
    const p = points(view, e);
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i += 2) {
      box[0] = Math.min(box[0], p[i]);
      box[1] = Math.min(box[1], p[i + 1]);
      box[2] = Math.max(box[2], p[i]);
      box[3] = Math.max(box[3], p[i + 1]);
      if (i > 0) {
        pieces.push(p[i - 2], p[i - 1], p[i], p[i + 1]);
        of.push(e);
      }
    }
    bounds.set(box, e * 4);
  }
  Object.assign(view, {pieces: new Float32Array(pieces), pieceOf: Int32Array.from(of), bounds, below, between: n - below.reduce((s, b) => s + b, 0), ready: true});
  return view;
}

/** The points of an edge, of a curve many. */
export function points(view, e) {
  const p = view.path.slice(view.pathStart[e], view.pathStart[e + 1]);
  if (!view.curved[e] || p.length < 6) return p;
  const out = [];
  for (let i = 0; i <= steps; i++) {
    const t = i / steps, u = 1 - t;
    out.push(u * u * p[0] + 2 * u * t * p[2] + t * t * p[4], u * u * p[1] + 2 * u * t * p[3] + t * t * p[5]);
  }
  return out;
}

/** A place on the way along an edge, 0…1 of its length. */
export function along(view, e, at) {
  const p = points(view, e);
  let length = 0;
  for (let i = 2; i < p.length; i += 2) length += Math.hypot(p[i] - p[i - 2], p[i + 1] - p[i - 1]);
  let rest = length * at;
  for (let i = 2; i < p.length; i += 2) {
    const l = Math.hypot(p[i] - p[i - 2], p[i + 1] - p[i - 1]);
    if (rest <= l || i === p.length - 2) {
      const t = l ? Math.min(1, rest / l) : 0;
      return [p[i - 2] + (p[i] - p[i - 2]) * t, p[i - 1] + (p[i + 1] - p[i - 1]) * t];
    }
    rest -= l;
  }
  return [p[0], p[1]];
}

export const linksOfEdge = (view, e) => view.links.slice(view.linkStart[e], view.linkStart[e + 1]);
export const nodesOfBox = (view, b) => view.nodes.slice(view.nodeStart[b], view.nodeStart[b + 1]);
export const rectOf = (view, b) => view.rects.slice(b * 4, b * 4 + 4);

/** What is at a place of the picture: {box}, {edge} or null. */
export function pick(view, x, y, near) {
  const r = view.rects;
  for (let b = 0, i = 0; b < view.roles.length; b++, i += 4) {
    if (x >= r[i] - near / 4 && x <= r[i] + r[i + 2] + near / 4 && y >= r[i + 1] - near / 4 && y <= r[i + 1] + r[i + 3] + near / 4) return {box: b};
  }
  let best = near, hit = null;
  const {bounds, pieces, pieceOf} = view;
  for (let i = 0, last = -1, away = false; i < pieceOf.length; i++) {
    const e = pieceOf[i];
    if (e !== last) {
      last = e;
      const j = e * 4;
      away = x < bounds[j] - near || y < bounds[j + 1] - near || x > bounds[j + 2] + near || y > bounds[j + 3] + near;
    }
    if (away) continue;
    const j = i * 4, d = distance(x, y, pieces[j], pieces[j + 1], pieces[j + 2], pieces[j + 3]);
    if (d < best) {
      best = d;
      hit = {edge: e};
    }
  }
  return hit;
}

function distance(px, py, ax, ay, bx, by) {
  const dx = bx - ax, dy = by - ay, l = dx * dx + dy * dy;
  const t = l ? Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / l)) : 0;
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}
