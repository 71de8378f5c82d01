// Colours and widths of what a view draws, as the painters want them.

import {theme, roleColours, rgb} from '../theme.js';
import {binColour, stronger} from '../colour.js';
import {troubles} from '../model.js';

const dashes = {gone: 6, down: 6, 'not active': 6, degraded: 14, errors: 0, flapping: 5};

/** Boxes: {rects, insides, borders, looks}. Dead nodes are hollow, those that are not meant fade. */
export function boxStyles(fabric, view, lit) {
  const n = view.roles.length;
  const insides = new Uint8Array(n * 4), borders = new Uint8Array(n * 4), looks = new Float32Array(n * 2);
  const gone = rgb(theme.colours.gone), paper = rgb(theme.colours.frame);
  for (let b = 0; b < n; b++) {
    const many = view.flags[b] & 2, small = view.rects[b * 4 + 3] < 12;
    let [inside, border] = roleColours(view.roles[b]).map(rgb);
    if (isGone(fabric, view, b)) [inside, border] = [paper, gone];
    const a = lit && !lit.boxes.has(b) ? 70 : 255;
    insides.set([...inside, a], b * 4);
    borders.set([...border, a], b * 4);
    looks.set([small ? 1.5 : many ? 5 : 3, many ? 1.6 : 1], b * 2);
  }
  return {rects: view.floatRects || (view.floatRects = new Float32Array(view.rects)), insides, borders, looks};
}

/** Whether nothing of a box is there any more. */
export function isGone(fabric, view, b) {
  if (fabric.gone.size === 0) return false;
  for (let i = view.nodeStart[b]; i < view.nodeStart[b + 1]; i++) {
    if (!fabric.gone.has(view.nodes[i])) return false;
  }
  return view.nodeStart[b + 1] > view.nodeStart[b];
}

export function frameStyles(view) {
  const n = view.frames.length / 4;
  const insides = new Uint8Array(n * 4), borders = new Uint8Array(n * 4), looks = new Float32Array(n * 2);
  for (let i = 0; i < n; i++) {
    insides.set([...rgb(theme.colours.frame), 255], i * 4);
    borders.set([...rgb(theme.colours.frameLine), 255], i * 4);
    looks.set([8, 1], i * 2);
  }
  return {rects: view.floatFrames || (view.floatFrames = new Float32Array(view.frames)), insides, borders, looks};
}

/**
 * Lines: of each edge the bin of its most telling link, and the worst trouble. Edges with
 * trouble are drawn again, last and stronger: {plain, below, bad, badEdges}; badBoxes are
 * the boxes that have trouble within.
 */
export function lineStyles(fabric, view, sorted, mode, lit) {
  const n = view.a.length, bins = sorted.bins, binOf = new Uint8Array(n), bad = new Map();
  const badBoxes = new Map(); // with links in them that have trouble, and nodes that are gone
  for (const {link, what} of fabric.troubled()) {
    const e = edgeOf(view, fabric)[link];
    if (e >= 0) note(bad, e, what);
    else note(badBoxes, view.boxOf[fabric.links.a[link]], what);
  }
  for (const n of fabric.gone) {
    const b = view.boxOf[n];
    if (b >= 0 && view.flags[b] & 2 && !badBoxes.has(b)) note(badBoxes, b, 'gone');
  }
  for (let e = 0; e < n; e++) {
    let best = -1;
    for (let i = view.linkStart[e]; i < view.linkStart[e + 1]; i++) {
      const at = sorted.of[view.links[i]];
      if (lit && lit.bin !== undefined && at !== lit.bin) continue;
      best = best < 0 ? at : stronger(bins, best, at);
    }
    binOf[e] = best < 0 ? 255 : best;
  }
  return {...pieces(view, bins, binOf, lit), bad: badPieces(view, bad, mode, bins, binOf), badEdges: bad, badBoxes};
}

/** Counts trouble at a place, and keeps the worst. */
function note(map, at, what) {
  const seen = map.get(at);
  if (!seen) map.set(at, {what, count: 1});
  else {
    seen.count++;
    if (troubles.indexOf(what) < troubles.indexOf(seen.what)) seen.what = what;
  }
}

/** Edges by link, -1 for those within a box. */
export function edgeOf(view, fabric) {
  if (view.edgeOf) return view.edgeOf;
  const of = new Int32Array(fabric.linkCount).fill(-1);
  for (let e = 0; e < view.a.length; e++) {
    for (let i = view.linkStart[e]; i < view.linkStart[e + 1]; i++) of[view.links[i]] = e;
  }
  view.edgeOf = of;
  return of;
}

function widthOf(view, e) {
  const links = view.linkStart[e + 1] - view.linkStart[e];
  return Math.min(4, (view.between > 300 ? 1 : 1.3) * (1 + 0.25 * Math.log2(Math.max(1, links))));
}

/** Pieces of edges between switches, and of those to hosts, which close ones show only. */
function pieces(view, bins, binOf, lit) {
  const colours = bins.map(b => rgb(binColour(b)));
  const sets = [[], []];
  view.pieceOf.forEach((e, i) => sets[view.below[e]].push(i));
  const [plain, below] = sets.map(list => {
    const ends = new Float32Array(list.length * 4), colour = new Uint8Array(list.length * 4), looks = new Float32Array(list.length * 2);
    list.forEach((piece, i) => {
      const e = view.pieceOf[piece], at = binOf[e];
      ends.set(view.pieces.subarray(piece * 4, piece * 4 + 4), i * 4);
      const dim = lit && (lit.edges ? !lit.edges.has(e) : at === 255);
      colour.set([...(colours[at] || colours[0]), dim ? 22 : 255], i * 4);
      looks[i * 2] = view.below[e] ? 1 : widthOf(view, e);
    });
    return {ends, colours: colour, looks};
  });
  return {plain, below};
}

/** Pieces of edges with trouble: a wide glow below, the line itself above it. */
function badPieces(view, bad, mode, bins, binOf) {
  const list = [];
  view.pieceOf.forEach((e, i) => { if (bad.has(e)) list.push(i); });
  const ends = new Float32Array(list.length * 8), colours = new Uint8Array(list.length * 8), looks = new Float32Array(list.length * 4);
  list.forEach((piece, i) => {
    const e = view.pieceOf[piece], {what} = bad.get(e), glow = rgb(theme.colours[what]);
    const own = mode.id === 'state' || binOf[e] === 255 ? glow : rgb(binColour(bins[binOf[e]]));
    const width = Math.max(2, widthOf(view, e));
    for (const [at, colour, alpha, w, dash] of [[i, glow, 60, width + 5, 0], [list.length + i, own, 255, width, dashes[what]]]) {
      ends.set(view.pieces.subarray(piece * 4, piece * 4 + 4), at * 4);
      colours.set([...colour, alpha], at * 4);
      looks.set([w, dash], at * 2);
    }
  });
  return {ends, colours, looks};
}
