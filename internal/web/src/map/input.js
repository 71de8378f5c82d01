// Pointer and keys on the map.

/** Lets a map be moved, zoomed and pointed at. */
export function listen(map, area) {
  const pointers = new Map();
  let start = null, pinch = 0;
  const place = e => {
    const r = area.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  };
  area.addEventListener('pointerdown', e => {
    if (e.button > 0) return;
    area.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, place(e));
    start = {at: place(e), moved: false};
  });
  area.addEventListener('pointermove', e => {
    const [px, py] = place(e), last = pointers.get(e.pointerId);
    if (!last) return point(map, px, py);
    pointers.set(e.pointerId, [px, py]);
    if (pointers.size > 1) {
      pinch = zoomByPinch(map, [...pointers.values()], pinch);
      return undefined;
    }
    if (!start.moved && Math.hypot(px - start.at[0], py - start.at[1]) < 4) return undefined;
    start.moved = true;
    map.isFit = false;
    area.classList.add('moving');
    map.camera.pan(px - last[0], py - last[1]);
    return undefined;
  });
  const end = e => {
    const [px, py] = place(e);
    if (pointers.delete(e.pointerId) && start && !start.moved && e.type === 'pointerup' && pinch === 0) map.handlers.choose(map.at(px, py));
    area.classList.remove('moving');
    if (pointers.size === 0) pinch = 0;
  };
  area.addEventListener('pointerup', end);
  area.addEventListener('pointercancel', end);
  area.addEventListener('pointerleave', () => point(map, -1, -1));
  area.addEventListener('dblclick', e => {
    const what = map.at(...place(e));
    if (what) map.handlers.expand(what);
    else map.camera.zoom(...place(e), 2);
  });
  area.addEventListener('wheel', e => {
    e.preventDefault();
    map.isFit = false;
    const step = e.deltaMode === 1 ? e.deltaY * 30 : e.deltaY;
    map.camera.zoom(...place(e), Math.exp(-Math.max(-200, Math.min(200, step)) * (e.ctrlKey ? 0.01 : 0.0016)));
  }, {passive: false});
}

function point(map, px, py) {
  const what = px < 0 ? null : map.at(px, py), same = JSON.stringify(what) === JSON.stringify(map.hover);
  map.hover = what;
  map.handlers.point(what, px, py);
  if (!same) map.draw();
}

function zoomByPinch(map, [p, q], before) {
  const apart = Math.hypot(p[0] - q[0], p[1] - q[1]);
  if (before) map.camera.zoom((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, apart / before);
  map.isFit = false;
  return apart;
}

const arrows = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

/** Keys while the map has the focus: arrows go from box to box, or move the map. */
export function keys(map, e) {
  const arrow = arrows[e.key];
  if (arrow && map.chosen && !e.shiftKey) return map.handlers.step(-arrow[0], -arrow[1]), true;
  if (arrow) {
    map.isFit = false;
    return map.camera.pan(arrow[0] * 80, arrow[1] * 80), true;
  }
  const middle = [map.camera.width / 2, map.camera.height / 2];
  switch (e.key) {
    case '+': case '=': map.isFit = false; map.camera.zoom(...middle, 1.4); return true;
    case '-': map.isFit = false; map.camera.zoom(...middle, 1 / 1.4); return true;
    case '0': case 'Home': map.fit(); return true;
    case 'Enter': if (map.chosen) map.handlers.expand(map.chosen); return true;
  }
  return false;
}

/** The nearest box in a direction from a box; -1 for none. */
export function neighbour(view, from, dx, dy) {
  const r = view.rects, cx = r[from * 4] + r[from * 4 + 2] / 2, cy = r[from * 4 + 1] + r[from * 4 + 3] / 2;
  let best = -1, least = Infinity;
  for (let b = 0; b < view.roles.length; b++) {
    if (b === from) continue;
    const x = r[b * 4] + r[b * 4 + 2] / 2 - cx, y = r[b * 4 + 1] + r[b * 4 + 3] / 2 - cy;
    const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead < 1 || aside > ahead * 2.5) continue;
    const d = ahead + aside * 2;
    if (d < least) {
      least = d;
      best = b;
    }
  }
  return best;
}
