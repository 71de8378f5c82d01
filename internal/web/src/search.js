// Searching for nodes: the box at the top, and those of the path tool.

import {h, fill, icon} from './dom.js';
import {app} from './app.js';
import {matcher, words} from './match.js';

const shown = 12;

/** The nodes that a query means, the best first: a LID or GUID exactly, then names. */
export function findNodes(query, most = Infinity) {
  const f = app.fabric, text = query.trim().toLowerCase();
  if (!f || !text) return [];
  const exact = /^\d+$/.test(text) ? [...f.nodes.lid.keys()].filter(n => f.nodes.lid[n] === Number(text)) : [];
  const guid = text.replace(/^0x/, '').replace(/:/g, '');
  const byGUID = /^[0-9a-f]{6,16}$/.test(guid);
  const test = matcher(query), first = words(query)[0] || '', found = [], seen = new Set(exact);
  for (let n = 0; n < f.size; n++) {
    if (seen.has(n)) continue;
    const g = f.nodes.guid[n];
    if (byGUID && g.includes(guid) || test(rowOf(f, n))) found.push(n);
    if (found.length >= most) break;
  }
  const rank = n => f.lower[n] === text ? 0 : f.lower[n].startsWith(first) ? 1 : 2;
  const ranked = found.map(n => [rank(n), f.sortKey(n), n]);
  ranked.sort((p, q) => p[0] - q[0] || (p[1] < q[1] ? -1 : 1));
  return [...exact, ...ranked.map(x => x[2])];
}

function rowOf(f, n) {
  const name = f.lower[n];
  return {
    text: name + ' ' + f.nodes.guid[n] + ' ' + f.role(n), names: [name, ...name.split(/[\s/;:]+/)],
    field: id => ({name, guid: f.nodes.guid[n], lid: f.nodes.lid[n], tier: f.nodes.tier[n], group: f.nodes.group[n], role: f.role(n), model: f.model(n)})[id],
  };
}

let boxes = 0;

/**
 * A text box with suggestions. found(nodes) is called as one types, chosen(node) when one
 * is taken; with cycle, Enter goes from one to the next.
 */
export function nodeBox({label, placeholder, found, chosen, cycle}) {
  const id = 'suggestions' + ++boxes;
  const list = h('ul', {id, role: 'listbox', 'aria-label': label, class: 'suggestions', hidden: true});
  const status = h('span', {class: 'found', role: 'status'});
  const input = h('input', {type: 'search', role: 'combobox', 'aria-label': label, placeholder, 'aria-expanded': 'false', 'aria-controls': id, 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false'});
  const element = h('div', {class: 'nodebox'}, icon('search'), input, status, list);
  let nodes = [], at = -1;

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = () => {
    [...list.children].forEach((li, k) => li.setAttribute('aria-selected', k === at));
    if (at >= 0 && at < shown) input.setAttribute('aria-activedescendant', id + '-' + at);
    status.textContent = !input.value ? '' : nodes.length === 0 ? 'none' : (at >= 0 ? at + 1 + ' of ' : '') + nodes.length;
  };
  const take = k => {
    if (!nodes.length) return;
    at = (k + nodes.length) % nodes.length;
    mark();
    chosen(nodes[at]);
    if (!cycle) {
      input.value = app.fabric.label[nodes[at]];
      close();
    }
  };
  input.addEventListener('input', () => {
    nodes = findNodes(input.value);
    at = -1;
    const f = app.fabric;
    fill(list, nodes.slice(0, shown).map((n, k) => h('li', {role: 'option', id: id + '-' + k, 'aria-selected': 'false', onpointerdown: e => { e.preventDefault(); take(k); if (cycle) close(); }},
      h('span', {}, f.label[n]), h('span', {class: 'faint'}, f.role(n) + (f.nodes.lid[n] ? ', LID ' + f.nodes.lid[n] : '')))));
    list.hidden = !nodes.length;
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark();
    found?.(nodes);
  });
  input.addEventListener('keydown', e => {
    if (e.key === 'Enter') {
      e.preventDefault();
      if (cycle) close();
      take(cycle ? at + (e.shiftKey ? -1 : 1) : Math.max(at, 0));
    } else if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && nodes.length) {
      e.preventDefault();
      const n = Math.min(shown, nodes.length);
      at = (at + (e.key === 'ArrowDown' ? 1 : n - 1 + (at < 0))) % n;
      mark();
      if (cycle) chosen(nodes[at]);
    } else if (e.key === 'Escape') {
      e.stopPropagation();
      if (!list.hidden) return close();
      input.value = '';
      nodes = [];
      mark();
      found?.([]);
      input.blur();
    }
    return undefined;
  });
  input.addEventListener('blur', close);
  app.on('fabric', () => { // nodes have other numbers now
    nodes = findNodes(input.value);
    at = -1;
    close();
    mark();
    found?.(nodes);
  });
  return {element, input, set: n => { input.value = n === undefined ? '' : app.fabric.label[n]; close(); }};
}
