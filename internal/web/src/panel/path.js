// The way of packets between two nodes, drawn hop by hop.

import {app} from '../app.js';
import {ofFabric} from '../api.js';
import {h, fill, clean, icon} from '../dom.js';
import {nodeBox} from '../search.js';
import {commands, fabricOption, troubleBadge} from '../parts.js';
import {ago, count, many} from '../format.js';
import {edgeOf} from '../map/style.js';
import {close} from './panel.js';

export function pathTool(map) {
  const ends = {from: null, to: null}; // GUIDs
  const result = h('div', {class: 'result', 'aria-live': 'polite'});
  const box = (side, label) => nodeBox({label, placeholder: 'Name, GUID or LID', chosen: n => { ends[side] = app.fabric.nodes.guid[n]; ask(); }});
  const boxes = {from: box('from', 'From'), to: box('to', 'To')};
  const swap = () => {
    [ends.from, ends.to] = [ends.to, ends.from];
    for (const side of ['from', 'to']) if (ends[side] !== null) boxes[side].set(app.fabric.byGUID.get(ends[side]));
    ask();
  };
  const element = h('article', {class: 'tool'},
    h('header', {}, h('h2', {}, 'Path'), h('div', {class: 'grow'}), h('button', {type: 'button', class: 'quiet round', 'aria-label': 'Close (Esc)', onclick: close}, icon('close'))),
    h('div', {class: 'field'}, h('span', {}, 'From'), boxes.from.element),
    h('div', {class: 'field'}, h('span', {}, 'To'), boxes.to.element),
    h('div', {class: 'row'}, h('button', {type: 'button', onclick: swap}, icon('swap'), 'Swap')),
    result);
  let trace = null, way = 0, asked = 0, marked = '';

  const ask = async () => {
    if (ends.from === null || ends.to === null) return;
    const mine = ++asked;
    if (!trace) fill(result, h('p', {class: 'faint'}, 'Looking …'));
    try {
      trace = await ofFabric(app.name, '/trace', {from: 'guid:' + ends.from, to: 'guid:' + ends.to});
      if (mine !== asked) return;
      way = 0;
      show();
    } catch (e) {
      if (mine !== asked) return;
      trace = null;
      marked = '';
      map.marks.path = null;
      map.draw();
      fill(result, h('p', {class: 'warn'}, clean(e.message)));
    }
  };

  /** Asks again: the ways may have changed, and nothing else has told of that. */
  const again = async () => {
    const mine = ++asked;
    try {
      const now = await ofFabric(app.name, '/trace', {from: 'guid:' + ends.from, to: 'guid:' + ends.to});
      if (mine !== asked || app.tool !== 'path') return;
      trace = now;
      way = Math.min(way, trace.ways.length - 1);
      show();
    } catch { /* what is shown stays */ }
  };

  /** Where ways come from. */
  const source = () => trace.tables === 'computed'
    ? h('p', {class: 'tables'}, h('span', {class: 'badge warning'}, 'computed'), ' The forwarding tables are not known: this is a shortest way.')
    : h('p', {class: 'tables faint'}, 'By the forwarding tables of the switches' + (trace.tables_read_at ? ', read ' + ago(Date.parse(trace.tables_read_at) / 1000) : '') + '.');

  const show = () => {
    const w = trace.ways[way];
    if (!w) return fill(result, h('p', {class: 'warn'}, 'There is no way.'));
    const choice = trace.ways.length > 1 ? h('div', {class: 'segments', role: 'group', 'aria-label': 'LID'}, trace.ways.map((x, k) => h('button', {type: 'button', 'aria-pressed': k === way, onclick: () => { way = k; show(); }}, 'LID ' + x.lid))) : null;
    fill(result, choice,
      h('p', {class: w.arrives ? 'faint' : 'warn'}, w.arrives ? many(w.hops.length - 1, 'hop') : 'It does not arrive: ' + w.outcome),
      source(),
      h('ol', {class: 'hops'}, w.hops.map(hop)),
      commands([`ibscope trace ${ends.from} ${ends.to}${fabricOption()}`]));
    const key = w.hops.map(x => x.guid + '/' + x.out_port).join();
    if (key !== marked) mark(w); // else the map may have been moved meanwhile
    marked = key;
    return undefined;
  };

  const hop = x => {
    const n = app.fabric.byGUID.get(x.guid), link = x.out_port === undefined ? undefined : app.fabric.linkAt(x.guid, x.out_port);
    const what = link === undefined ? '' : app.fabric.trouble(link);
    return h('li', {},
      h('div', {}, n === undefined ? clean(x.name) : h('button', {type: 'button', class: 'link', onclick: () => app.select({node: n}, {look: true})}, app.fabric.label[n])),
      h('div', {class: 'faint'}, [x.in_port !== undefined && 'in ' + x.in_port, x.out_port !== undefined && 'out ' + x.out_port, x.active && x.active.width + ' ' + x.active.speed, errorsOf(x)].filter(Boolean).join(' · ')),
      what && troubleBadge(what));
  };

  const errorsOf = x => (x.in_errors || x.out_errors) && 'errors ' + [x.in_errors && 'in ' + count(x.in_errors), x.out_errors && 'out ' + count(x.out_errors)].filter(Boolean).join(', ');

  const mark = w => {
    const f = app.fabric, view = map.view, edges = [], boxesOf = [];
    for (const x of w.hops) {
      const n = f.byGUID.get(x.guid), b = n === undefined ? -1 : view.boxOf[n];
      if (b >= 0 && boxesOf[boxesOf.length - 1] !== b) boxesOf.push(b);
      const link = x.out_port === undefined ? undefined : f.linkAt(x.guid, x.out_port), e = link === undefined ? -1 : edgeOf(view, f)[link];
      if (e >= 0) edges.push(e);
    }
    map.marks.path = {edges, boxes: boxesOf};
    setTimeout(() => {
      map.resize();
      map.look(boxesOf.map(b => ({box: b})), 1.2);
    });
    map.draw();
  };

  const begin = (side, n) => {
    ends[side] = app.fabric.nodes.guid[n];
    boxes[side].set(n);
    app.setTab('map');
    app.setTool('path');
    ask();
  };
  app.on('pathFrom', n => begin('from', n));
  app.on('pathTo', n => begin('to', n));
  app.on('tool', () => {
    marked = '';
    if (app.tool !== 'path') map.marks.path = null;
    else if (trace) show();
    map.draw();
  });
  app.on('view', () => { if (app.tool === 'path' && trace) mark(trace.ways[way]); });
  app.on('state', () => { if (app.tool === 'path' && trace) again(); });
  app.on('fabric', before => {
    marked = '';
    map.marks.path = null;
    if (!before) { // another fabric has other nodes
      Object.assign(ends, {from: null, to: null});
      trace = null;
      fill(result);
    } else if (app.tool === 'path') ask();
  });
  return {element, shown: () => { if (ends.from === null) boxes.from.input.focus(); }};
}
