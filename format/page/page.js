'use strict';
(() => {
  const $ = id => document.getElementById(id);
  const data = JSON.parse($('data').textContent);
  const {nodes, links, styles, roles, views} = data;
  const canvas = $('canvas'), tip = $('tip'), side = $('side'), details = $('details'), search = $('search');
  const ctx = canvas.getContext('2d', {alpha: false});
  const over = document.createElement('canvas'); // what changes with the pointer, above the picture
  over.style.pointerEvents = 'none';
  canvas.after(over);
  const overCtx = over.getContext('2d');

  // The state: which view, and screen = picture * k + (x, y).
  let at = data.first, view, k = 1, x = 0, y = 0, width = 0, height = 0, ratio = 1;
  let hover = null, chosen = null, found = [], foundAt = -1, dark = false, shot = null, timer = 0, asked = false;

  // Links by node, to tell of them.
  const linksOf = nodes.map(() => []);
  links.forEach((l, i) => {
    linksOf[l.a].push(i);
    if (l.b !== l.a) linksOf[l.b].push(i);
  });

  // Colours

  const mix = (colour, other, share) => {
    const c = parseInt(colour.slice(1), 16), o = parseInt(other.slice(1), 16);
    let out = '#';
    for (const shift of [16, 8, 0]) {
      const v = Math.round(((c >> shift) & 255) * (1 - share) + ((o >> shift) & 255) * share);
      out += v.toString(16).padStart(2, '0');
    }
    return out;
  };
  const theme = {};
  function setTheme() {
    dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const css = getComputedStyle(document.documentElement);
    for (const name of ['paper', 'ink', 'faint', 'border', 'mark']) theme[name] = css.getPropertyValue('--' + name).trim();
    theme.frame = dark ? '#1a222b' : '#f7f9fb';
    theme.lines = styles.map(s => dark ? mix(s.colour, '#ffffff', 0.3) : s.colour);
    theme.fills = roles.map(r => dark ? mix(r.stroke, theme.paper, 0.6) : r.fill);
    theme.strokes = roles.map(r => dark ? mix(r.stroke, '#ffffff', 0.25) : r.stroke);
    legend();
  }

  // Places

  function prepare(v) {
    if (v.boxOf) return;
    v.boxOf = new Int32Array(nodes.length).fill(-1);
    v.edgesOf = v.boxes.map(() => []);
    v.between = v.edges.filter(e => e.p.length <= 6).length; // those that do not go down beside hosts
    v.boxes.forEach((b, i) => b.n.forEach(n => { v.boxOf[n] = i; }));
    v.edges.forEach((e, i) => {
      v.edgesOf[e.a].push(i);
      v.edgesOf[e.b].push(i);
      e.min = [Infinity, Infinity];
      e.max = [-Infinity, -Infinity];
      for (let j = 0; j < e.p.length; j += 2) {
        for (const d of [0, 1]) {
          e.min[d] = Math.min(e.min[d], e.p[j + d]);
          e.max[d] = Math.max(e.max[d], e.p[j + d]);
        }
      }
    });
    // Lines of one look are drawn together, the more telling ones last.
    const sets = new Map();
    for (const e of v.edges) {
      const down = e.p.length > 6, key = e.s + ' ' + e.w + down;
      if (!sets.has(key)) sets.set(key, {style: e.s, width: e.w, down, edges: []});
      sets.get(key).edges.push(e);
    }
    v.sets = [...sets.values()].sort((a, b) => styles[a.style].rank - styles[b.style].rank || a.width - b.width);
  }

  // Drawing

  function resize() {
    ratio = Math.min(devicePixelRatio || 1, 2);
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    for (const c of [canvas, over]) {
      c.width = Math.max(1, Math.round(width * ratio));
      c.height = Math.max(1, Math.round(height * ratio));
    }
    shot = null;
  }

  const trace = (c, e) => {
    const p = e.p;
    c.moveTo(p[0], p[1]);
    if (e.c) c.quadraticCurveTo(p[2], p[3], p[4], p[5]);
    else for (let j = 2; j < p.length; j += 2) c.lineTo(p[j], p[j + 1]);
  };

  function paint() {
    const left = -x / k, top = -y / k, right = left + width / k, bottom = top + height / k;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = theme.paper;
    ctx.fillRect(0, 0, width, height);
    ctx.setTransform(k * ratio, 0, 0, k * ratio, x * ratio, y * ratio);
    ctx.lineWidth = 1 / k;
    for (const f of view.frames) {
      ctx.fillStyle = theme.frame;
      ctx.strokeStyle = theme.border;
      ctx.fillRect(...f.p);
      ctx.strokeRect(...f.p);
    }
    paintLines(left, top, right, bottom);
    const small = Math.sqrt(k);
    for (const b of view.boxes) {
      const [bx, by, w, h] = b.p;
      if (bx > right || by > bottom || bx + w < left || by + h < top) continue;
      ctx.fillStyle = theme.fills[b.r];
      ctx.fillRect(bx, by, w, h);
      if (w * k > 3) {
        ctx.strokeStyle = theme.strokes[b.r];
        ctx.lineWidth = (b.m ? 1.6 : 1) / Math.max(small, k / 2);
        ctx.strokeRect(bx, by, w, h);
      }
    }
    paintTexts(left, top, right, bottom);
    shot = {k, x, y};
    canvas.dataset.place = [k, x, y].join(' ');
  }

  // halo keeps the others off lines that tell of a fault.
  function halo(set, left, top, right, bottom) {
    ctx.save();
    ctx.strokeStyle = theme.paper;
    ctx.setLineDash([]);
    ctx.lineWidth += 3 / Math.max(k, 0.4);
    ctx.beginPath();
    for (const e of set.edges) {
      if (e.min[0] <= right && e.max[0] >= left && e.min[1] - (e.c ? 120 : 0) <= bottom && e.max[1] >= top) trace(ctx, e);
    }
    ctx.stroke();
    ctx.restore();
  }

  function paintLines(left, top, right, bottom) {
    // Many lines are thin, and let others shine through.
    const n = view.between, crowd = n > 6000 ? 0.15 : n > 1500 ? 0.2 : n > 300 ? 0.25 : 0.9;
    const thin = n > 300 ? 0.55 : 1;
    for (const set of view.sets) {
      const style = styles[set.style], fault = style.rank >= 50 && !set.down;
      ctx.strokeStyle = theme.lines[set.style];
      ctx.globalAlpha = style.rank < 50 && !set.down ? Math.min(0.9, crowd * Math.max(1, k)) : 0.95;
      ctx.lineWidth = Math.max(set.width * Math.min(1, 1.5 / Math.sqrt(Math.max(k, 0.1))) * (fault ? 1 : thin), 0.6 / k);
      if (fault && n > 300) halo(set, left, top, right, bottom);
      ctx.setLineDash((style.dash || []).map(d => d / Math.max(k, 0.4)));
      let count = 0;
      ctx.beginPath();
      for (const e of set.edges) {
        if (e.min[0] > right || e.max[0] < left || e.min[1] - (e.c ? 120 : 0) > bottom || e.max[1] < top) continue;
        trace(ctx, e);
        if (++count % 64 === 0 && !set.down) { // what is stroked at once does not add up where it crosses
          ctx.stroke();
          ctx.beginPath();
        }
      }
      ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }

  const shorten = (s, n) => {
    if (s.length <= n) return s;
    if (n < 4) return s.slice(0, n);
    const tail = Math.floor(n * 0.6);
    return s.slice(0, n - 1 - tail) + '…' + s.slice(s.length - tail);
  };

  function paintTexts(left, top, right, bottom) {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    const font = px => { ctx.font = px.toFixed(1) + 'px system-ui, sans-serif'; };
    ctx.fillStyle = theme.faint;
    for (const f of view.frames) {
      const w = f.p[2] * k;
      if (w < 40) continue;
      const px = Math.min(13, Math.max(8, 11 * k));
      font(px);
      ctx.fillText(shorten(f.n, Math.floor((w - 8) / (px * 0.55))), f.p[0] * k + x + 5, f.p[1] * k + y + Math.min(10, 9 * k + 2));
    }
    ctx.textAlign = 'center';
    ctx.fillStyle = theme.ink;
    for (const b of view.boxes) {
      const [bx, by, w, h] = b.p;
      if (bx > right || by > bottom || bx + w < left || by + h < top) continue;
      const long = (b.t ? h : w) * k - 4, high = (b.t ? w : h) * k;
      const px = Math.min(high * (b.s ? 0.32 : 0.62), 10.5 * Math.max(1, Math.sqrt(k)), 15);
      if (px < 6 || long < px) continue;
      font(px);
      const n = Math.floor(long / (px * 0.55));
      if (n < Math.min(4, b.f.length)) continue;
      const cx = (bx + w / 2) * k + x, cy = (by + h / 2) * k + y;
      if (b.t) {
        ctx.save();
        ctx.translate(cx, cy);
        ctx.rotate(-Math.PI / 2);
        ctx.fillText(shorten(b.f, n), 0, 0);
        ctx.restore();
      } else if (b.s) {
        ctx.fillText(shorten(b.f, n), cx, cy - px * 0.65);
        ctx.fillText(shorten(b.s, n), cx, cy + px * 0.65);
      } else ctx.fillText(shorten(b.f, n), cx, cy);
    }
  }

  // move shows the last picture, moved, and paints it anew when the hand rests.
  let copy = null;
  function move() {
    if (!asked) {
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        if (view.edges.length < 3000 || !shot) paint();
        else {
          if (!copy) {
            copy = document.createElement('canvas');
            copy.width = canvas.width;
            copy.height = canvas.height;
            copy.getContext('2d').drawImage(canvas, 0, 0);
            copy.at = shot;
          }
          const z = k / copy.at.k;
          ctx.setTransform(1, 0, 0, 1, 0, 0);
          ctx.fillStyle = theme.paper;
          ctx.fillRect(0, 0, canvas.width, canvas.height);
          ctx.setTransform(z, 0, 0, z, (x - copy.at.x * z) * ratio, (y - copy.at.y * z) * ratio);
          ctx.drawImage(copy, 0, 0);
          clearTimeout(timer);
          timer = setTimeout(() => { copy = null; paint(); }, 120);
        }
        marks();
      });
    }
  }

  function redraw() {
    clearTimeout(timer);
    copy = null;
    paint();
    marks();
  }

  // marks draws what is found, chosen and under the pointer.
  function marks() {
    const c = overCtx;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, over.width, over.height);
    c.setTransform(k * ratio, 0, 0, k * ratio, x * ratio, y * ratio);
    const around = (i, pad, line, colour) => {
      const p = view.boxes[i].p;
      c.lineWidth = line / k;
      c.strokeStyle = colour;
      c.strokeRect(p[0] - pad / k, p[1] - pad / k, p[2] + 2 * pad / k, p[3] + 2 * pad / k);
    };
    const seen = new Set();
    for (const n of found.slice(0, 5000)) {
      const i = view.boxOf[n];
      if (i < 0 || seen.has(i)) continue;
      seen.add(i);
      around(i, 2, 2, theme.mark);
    }
    for (const what of [chosen, hover]) {
      if (!what) continue;
      const box = 'box' in what ? what.box : 'node' in what ? view.boxOf[what.node] : -1;
      const edges = box >= 0 ? view.edgesOf[box] : 'edge' in what ? [what.edge] : [];
      c.beginPath();
      for (const i of edges) trace(c, view.edges[i]);
      c.lineWidth = (edges.length === 1 ? 4 : 2) / k;
      c.strokeStyle = theme.mark;
      c.globalAlpha = 0.85;
      c.stroke();
      c.globalAlpha = 1;
      const ends = box >= 0 ? [box] : [];
      for (const i of edges) ends.push(view.edges[i].a, view.edges[i].b);
      for (const i of new Set(ends)) around(i, 1, i === box ? 3 : 1.5, i === box ? theme.mark : theme.ink);
    }
  }

  // What is where

  function nearest(px, py) {
    const wx = (px - x) / k, wy = (py - y) / k;
    for (let i = 0; i < view.boxes.length; i++) {
      const p = view.boxes[i].p;
      if (wx >= p[0] && wx <= p[0] + p[2] && wy >= p[1] && wy <= p[1] + p[3]) return {box: i};
    }
    let best = 5 / k, hit = null;
    view.edges.forEach((e, i) => {
      const bend = e.c ? 120 : 0;
      if (wx < e.min[0] - best - bend || wx > e.max[0] + best + bend || wy < e.min[1] - best - bend || wy > e.max[1] + best) return;
      const p = e.c ? flat(e.p) : e.p;
      for (let j = 0; j + 3 < p.length; j += 2) {
        const d = distance(wx, wy, p[j], p[j + 1], p[j + 2], p[j + 3]);
        if (d < best) {
          best = d;
          hit = {edge: i};
        }
      }
    });
    return hit;
  }

  function flat(p) {
    const out = [];
    for (let i = 0; i <= 16; i++) {
      const t = i / 16, u = 1 - t;
      out.push(u * u * p[0] + 2 * u * t * p[2] + t * t * p[4], u * u * p[1] + 2 * u * t * p[3] + t * t * p[5]);
    }
    return out;
  }

  function distance(px, py, ax, ay, bx, by) {
    const dx = bx - ax, dy = by - ay, l = dx * dx + dy * dy;
    const t = l ? Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / l)) : 0;
    return Math.hypot(px - ax - t * dx, py - ay - t * dy);
  }

  // Words. Texts of the fabric go into the page as text only.

  const endText = (n, port) => nodes[n].n + ' port ' + port;
  const linkText = l => endText(l.a, l.p) + '  –  ' + endText(l.b, l.q) + '\n  ' + l.w + (l.e ? ', errors ' + l.e[0] + ' and ' + l.e[1] : '');
  const nodeText = n => {
    const d = nodes[n];
    return d.n + '\n' + d.r + ', ' + d.t + (d.i ? ', tier ' + d.i : '') + '\nGUID ' + d.g + (d.l ? '\nLID ' + d.l : '');
  };
  const boxName = b => b.s ? b.f + ': ' + b.s : b.m ? b.n.length + ' nodes' : b.f;

  function words(what) {
    if ('box' in what) {
      const b = view.boxes[what.box];
      if (!b.m) return nodeText(b.n[0]);
      const names = b.n.slice(0, 8).map(n => nodes[n].n);
      if (b.n.length > 8) names.push('… and ' + (b.n.length - 8) + ' more');
      return boxName(b) + '\n' + names.join('\n');
    }
    const e = view.edges[what.edge], lines = e.l.slice(0, 6).map(i => linkText(links[i]));
    if (e.l.length > 1) lines.unshift(e.l.length + ' links');
    if (e.l.length > 6) lines.push('… and ' + (e.l.length - 6) + ' more');
    return lines.join('\n');
  }

  function showTip(px, py) {
    if (!hover) {
      tip.hidden = true;
      return;
    }
    tip.textContent = words(hover);
    tip.hidden = false;
    tip.style.left = Math.max(4, Math.min(px + 14, width - tip.offsetWidth - 8)) + 'px';
    tip.style.top = Math.max(4, Math.min(py + 14, height - tip.offsetHeight - 8)) + 'px';
  }

  const make = (tag, text, parent) => {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    if (parent) parent.append(e);
    return e;
  };
  const nodeLink = (n, parent) => {
    const a = make('a', nodes[n].n, parent);
    a.href = '#';
    a.addEventListener('click', event => {
      event.preventDefault();
      go(n);
    });
  };

  const most = 200; // items of a list in the details
  function list(items, fill) {
    const ul = make('ul', undefined, details);
    for (const i of items.slice(0, most)) fill(make('li', undefined, ul), i);
    if (items.length > most) make('li', '… and ' + (items.length - most) + ' more', ul);
  }

  function linkItem(li, i, from) {
    const l = links[i], turn = from === l.b;
    if (from === undefined) {
      nodeLink(l.a, li);
      li.append(' port ' + l.p + '  –  ');
      nodeLink(l.b, li);
      li.append(' port ' + l.q);
    } else {
      li.append('port ' + (turn ? l.q : l.p) + '  –  ');
      nodeLink(turn ? l.a : l.b, li);
      li.append(' port ' + (turn ? l.p : l.q));
    }
    const rate = make('div', l.w + (l.e ? ', errors ' + l.e[0] + ' and ' + l.e[1] : ''), li);
    if (/degraded|not active/.test(l.w)) rate.className = 'bad';
  }

  function show(what) {
    chosen = what;
    side.hidden = !what;
    details.textContent = '';
    if (what) {
      if ('box' in what && view.boxes[what.box].m) {
        const b = view.boxes[what.box];
        make('h2', boxName(b), details);
        list(b.n, (li, n) => nodeLink(n, li));
      } else if ('edge' in what) {
        const e = view.edges[what.edge];
        make('h2', e.l.length === 1 ? 'Link' : e.l.length + ' links', details);
        list(e.l, (li, i) => linkItem(li, i));
      } else {
        const n = 'node' in what ? what.node : view.boxes[what.box].n[0];
        const [name, ...rest] = nodeText(n).split('\n');
        make('h2', name, details);
        for (const line of rest) make('div', line, details);
        list(linksOf[n], (li, i) => linkItem(li, i, n));
      }
    }
    marks();
  }

  // Moving about

  function bounds(boxes) {
    let b = [Infinity, Infinity, -Infinity, -Infinity];
    for (const i of boxes) {
      const p = view.boxes[i].p;
      b = [Math.min(b[0], p[0]), Math.min(b[1], p[1]), Math.max(b[2], p[0] + p[2]), Math.max(b[3], p[1] + p[3])];
    }
    return b;
  }
  const topRoom = 64, bottomRoom = 56;
  function fitTo(b, most) {
    const w = Math.max(b[2] - b[0], 1), h = Math.max(b[3] - b[1], 1), room = Math.max(height - topRoom - bottomRoom, 50);
    k = Math.min((width - 24) / w, room / h, most);
    x = (width - w * k) / 2 - b[0] * k;
    y = topRoom + (room - h * k) / 2 - b[1] * k;
  }
  function fit() {
    fitTo([0, 0, view.w, view.h], 2);
    redraw();
  }
  function zoom(factor, px = width / 2, py = height / 2) {
    const next = Math.min(Math.max(k * factor, 0.005), 24), z = next / k;
    x = px - (px - x) * z;
    y = py - (py - y) * z;
    k = next;
    move();
  }
  // go shows a node, large enough to read.
  function go(n) {
    const i = view.boxOf[n];
    show({node: n});
    if (i < 0) return;
    const p = view.boxes[i].p;
    k = Math.max(k, Math.min(3, 60 / Math.max(p[2], p[3] / 2)), 1);
    x = width / 2 - (p[0] + p[2] / 2) * k;
    y = height / 2 - (p[1] + p[3] / 2) * k;
    redraw();
  }
  // setView goes to another view and stays at some nodes, if there are any.
  function setView(i, keep) {
    if (i < 0 || i >= views.length) return;
    at = i;
    view = views[i];
    prepare(view);
    hover = null;
    tip.hidden = true;
    if (chosen && !('node' in chosen)) show(null);
    for (const b of $('views').children) b.setAttribute('aria-pressed', String(+b.dataset.view === i));
    const boxes = keep ? [...new Set(keep.map(n => view.boxOf[n]))].filter(b => b >= 0) : [];
    if (!boxes.length) return fit();
    fitTo(bounds(boxes), 3);
    redraw();
  }
  const kept = () => !chosen ? null : 'node' in chosen ? [chosen.node] : 'box' in chosen ? view.boxes[chosen.box].n : null;

  // Searching

  function find() {
    const text = search.value.trim().toLowerCase();
    found = [];
    foundAt = -1;
    if (text) {
      const hex = text.replace(/^0x/, ''), isHex = /^[0-9a-f]{4,16}$/.test(hex);
      const lid = /^(0x[0-9a-f]+|[0-9]+)$/.test(text) ? Number(text) : 0;
      nodes.forEach((n, i) => {
        if (n.n.toLowerCase().includes(text) || isHex && n.g.slice(2).includes(hex) || lid && n.l === lid) found.push(i);
      });
      // A whole name, GUID or LID comes first.
      const exact = n => n.l === lid && lid || n.n.toLowerCase() === text || n.g.slice(2) === hex ? 0 : 1;
      found.sort((a, b) => exact(nodes[a]) - exact(nodes[b]) || a - b);
    }
    $('found').textContent = !text ? '' : found.length ? found.length + ' found' : 'none';
    marks();
  }
  function next(step) {
    if (!found.length) return;
    foundAt = foundAt < 0 && step < 0 ? found.length - 1 : (foundAt + step + found.length) % found.length;
    $('found').textContent = (foundAt + 1) + ' of ' + found.length;
    go(found[foundAt]);
  }

  // Legend

  function legend() {
    const box = $('legend');
    box.textContent = '';
    const svg = (name, attributes, parent) => {
      const e = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
      parent.append(e);
      return e;
    };
    styles.map((s, i) => i).sort((a, b) => styles[a].rank - styles[b].rank).forEach(i => {
      const span = make('span', undefined, box);
      svg('path', {d: 'M0 5h26', stroke: theme.lines[i], 'stroke-width': 2.5, 'stroke-dasharray': (styles[i].dash || []).join(' ') || 'none'}, svg('svg', {width: 26, height: 10}, span));
      span.append(styles[i].name);
    });
    roles.forEach((r, i) => {
      const span = make('span', undefined, box);
      svg('rect', {x: 1, y: 1, width: 12, height: 9, fill: theme.fills[i], stroke: theme.strokes[i]}, svg('svg', {width: 14, height: 11}, span));
      span.append(r.name);
    });
  }

  // Hands

  let grabbed = null, moved = false;
  canvas.addEventListener('pointerdown', event => {
    grabbed = {x: event.clientX - x, y: event.clientY - y, px: event.clientX, py: event.clientY};
    moved = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({preventScroll: true});
  });
  canvas.addEventListener('pointermove', event => {
    if (grabbed) {
      if (Math.hypot(event.clientX - grabbed.px, event.clientY - grabbed.py) > 3) moved = true;
      if (moved) {
        x = event.clientX - grabbed.x;
        y = event.clientY - grabbed.y;
        canvas.classList.add('held');
        tip.hidden = true;
        move();
      }
      return;
    }
    const was = JSON.stringify(hover);
    hover = nearest(event.clientX, event.clientY);
    canvas.classList.toggle('hot', !!hover);
    showTip(event.clientX, event.clientY);
    if (JSON.stringify(hover) !== was) marks();
  });
  const release = () => {
    grabbed = null;
    canvas.classList.remove('held');
  };
  canvas.addEventListener('pointerup', event => {
    release();
    if (!moved) show(nearest(event.clientX, event.clientY));
  });
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => {
    hover = null;
    tip.hidden = true;
    marks();
  });
  canvas.addEventListener('dblclick', event => {
    const what = nearest(event.clientX, event.clientY);
    if (what && 'box' in what && view.boxes[what.box].m) setView(at + 1, view.boxes[what.box].n);
    else zoom(2, event.clientX, event.clientY);
  });
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.clientX, event.clientY);
  }, {passive: false});

  const toggleHelp = () => {
    $('keys').hidden = !$('keys').hidden;
    $('help').setAttribute('aria-expanded', String(!$('keys').hidden));
  };
  const keys = {
    '/': () => { search.focus(); search.select(); },
    '+': () => zoom(1.3), '=': () => zoom(1.3), '-': () => zoom(1 / 1.3), '0': fit,
    '1': () => setView(0, kept()), '2': () => setView(1, kept()), '3': () => setView(2, kept()),
    '[': () => setView(at - 1, kept()), ']': () => setView(at + 1, kept()),
    '?': toggleHelp,
    Escape: () => { $('keys').hidden = true; show(null); },
    ArrowLeft: () => { x += 80; move(); }, ArrowRight: () => { x -= 80; move(); },
    ArrowUp: () => { y += 80; move(); }, ArrowDown: () => { y -= 80; move(); },
  };
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === search) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  search.addEventListener('input', find);
  search.addEventListener('keydown', event => {
    if (event.key === 'Enter') next(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') {
      search.value = '';
      find();
      canvas.focus();
    }
  });
  $('in').addEventListener('click', () => zoom(1.5));
  $('out').addEventListener('click', () => zoom(1 / 1.5));
  $('fit').addEventListener('click', fit);
  $('help').addEventListener('click', toggleHelp);
  $('close').addEventListener('click', () => show(null));
  if (views.length > 1) {
    views.forEach((v, i) => {
      const b = make('button', v.name, $('views'));
      b.dataset.view = i;
      b.title = 'Key ' + (i + 1);
      b.addEventListener('click', () => setView(i, kept()));
    });
  }
  addEventListener('resize', () => {
    resize();
    fit();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    setTheme();
    redraw();
  });
  resize();
  setTheme();
  setView(at);
})();
