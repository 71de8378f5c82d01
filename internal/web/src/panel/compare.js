// What has changed between two times, as a list and on the map.

import {app} from '../app.js';
import {ofFabric} from '../api.js';
import {h, fill, clean, icon} from '../dom.js';
import {clock, many, span} from '../format.js';
import {choosePlace} from '../lists/events.js';
import {edgeOf} from '../map/style.js';
import {commands} from '../parts.js';
import {close} from './panel.js';

const presets = [['1 hour', 3600], ['1 day', 86400], ['1 week', 7 * 86400]];
const kinds = {'only-b': 'added', 'only-a': 'removed', moved: 'moved', replaced: 'moved', differs: 'changed'};
const words = {added: 'Added', removed: 'Gone', moved: 'Moved', changed: 'Changed'};
const most = 1000;

export function compareTool(map) {
  const result = h('div', {class: 'result', 'aria-live': 'polite'});
  const time = label => h('input', {type: 'datetime-local', step: 1, 'aria-label': label, onchange: () => ask()});
  const from = time('Earlier time'), to = time('Later time');
  const preset = ([name, seconds]) => h('button', {type: 'button', onclick: () => {
    from.value = local(Date.now() / 1000 - seconds);
    to.value = '';
    ask();
  }}, name);
  const element = h('article', {class: 'tool'},
    h('header', {}, h('h2', {}, 'Compare'), h('div', {class: 'grow'}), h('button', {type: 'button', class: 'quiet round', 'aria-label': 'Close (Esc)', onclick: close}, icon('close'))),
    h('div', {class: 'row'}, h('span', {class: 'faint'}, 'Now with'), h('div', {class: 'segments', role: 'group', 'aria-label': 'Time ago'}, presets.map(preset)), h('span', {class: 'faint'}, 'ago')),
    h('div', {class: 'field'}, h('span', {}, 'From'), from), h('div', {class: 'field'}, h('span', {}, 'To'), to, h('span', {class: 'faint'}, 'empty: now')),
    result);
  let answer = null, only = '', asked = 0;

  const ask = async () => {
    if (!from.value) return;
    const mine = ++asked;
    fill(result, h('p', {class: 'faint'}, 'Comparing …'));
    try {
      answer = await ofFabric(app.name, '/diff', {from: unix(from.value), to: to.value ? unix(to.value) : undefined, limit: 5000});
      if (mine !== asked) return;
      only = '';
      show();
    } catch (e) {
      if (mine !== asked) return;
      answer = null;
      mark([]);
      fill(result, h('p', {class: 'warn'}, clean(e.message)));
    }
  };

  const show = () => {
    const sums = {added: 0, removed: 0, moved: 0, changed: 0};
    for (const c of answer.changes) sums[kinds[c.change]]++;
    const list = answer.changes.filter(c => !only || kinds[c.change] === only);
    const chips = Object.keys(sums).filter(k => sums[k]).map(k => h('button', {type: 'button', class: 'chip ' + k, 'aria-pressed': only === k, onclick: () => { only = only === k ? '' : k; show(); }}, words[k] + ' ' + sums[k]));
    const at = s => Date.parse(s.at) / 1000;
    fill(result,
      h('p', {class: 'faint'}, clock(at(answer.a)) + ' with ' + clock(at(answer.b)) + ', ' + span(at(answer.b) - at(answer.a)) + ' apart'),
      answer.same ? h('p', {}, 'Nothing has changed.') : h('div', {class: 'row wrap'}, chips),
      h('ul', {class: 'changes'}, list.slice(0, most).map(item)),
      answer.total > list.length && !only && h('p', {class: 'faint'}, '… of ' + many(answer.total, 'difference')),
      commands([`ibscope diff --since ${iso(at(answer.a))}` + (to.value ? ` --at ${iso(at(answer.b))}` : '') + ` --history-fabric ${app.name}`]));
    mark(list);
  };

  const item = c => h('li', {class: kinds[c.change]}, h('button', {type: 'button', class: 'link', onclick: () => choosePlace(c.b || c.a, (c.b || c.a)?.peer)}, clean(c.message)), h('span', {class: 'faint'}, words[kinds[c.change]] + ', ' + c.subject));

  /** Colours what is on the map of the changes. */
  const mark = list => {
    const f = app.fabric, view = map.view, lines = {}, boxes = {};
    for (const c of list) {
      const kind = kinds[c.change];
      for (const p of [c.a, c.b]) {
        if (!p) continue;
        const n = f.byGUID.get(p.guid), link = p.port !== undefined ? f.linkAt(p.guid, p.port) : undefined;
        if (link !== undefined && edgeOf(view, f)[link] >= 0) (lines[kind] ||= new Set()).add(edgeOf(view, f)[link]);
        else if (n !== undefined && view.boxOf[n] >= 0) (boxes[kind] ||= new Set()).add(view.boxOf[n]);
      }
    }
    map.marks.changes = {lines: Object.keys(lines).map(k => ({edges: [...lines[k]], colour: k})), boxes: Object.keys(boxes).map(k => ({boxes: [...boxes[k]], colour: k}))};
    map.draw();
  };

  app.on('tool', () => {
    if (app.tool !== 'compare') map.marks.changes = null;
    else if (answer) show();
    map.draw();
  });
  for (const topic of ['view', 'fabric']) {
    app.on(topic, before => {
      if (topic === 'fabric' && !before) { // another one
        answer = null;
        map.marks.changes = null;
        fill(result);
      }
      if (app.tool === 'compare' && answer) show();
    });
  }
  return {element, shown: () => { if (!from.value) from.focus(); }};
}

const iso = seconds => new Date(seconds * 1000).toISOString().replace('.000', '');
const unix = text => Math.floor(new Date(text).getTime() / 1000);

function local(seconds) {
  const d = new Date(seconds * 1000 - new Date(seconds * 1000).getTimezoneOffset() * 60000);
  return d.toISOString().slice(0, 19);
}
