// What a box of many nodes, or a line of many links, stands for.

import {app} from '../app.js';
import {h} from '../dom.js';
import {many, bitrate, short} from '../format.js';
import {troubleBadge, nodeButton, terms} from '../parts.js';
import {nodesOfBox, linksOfEdge} from '../map/geometry.js';
import {weigh} from '../lists/nodes.js';

const most = 400;

/** A pod, a group, the hosts of a switch. */
export function boxPanel(view, box) {
  const f = app.fabric, nodes = nodesOfBox(view, box), first = view.first[box], second = view.second[box];
  const worst = nodes.map(n => ({n, what: worstOf(n)})).sort((p, q) => weigh(q.what) - weigh(p.what));
  const bad = worst.filter(w => w.what), fine = worst.filter(w => !w.what);
  const item = ({n, what}) => h('li', {}, nodeButton(n), h('span', {class: 'faint'}, ' ' + f.role(n)), what && troubleBadge(what));
  const section = (title, list) => list.length ? h('section', {}, h('h3', {}, title), h('ul', {class: 'plain'}, list.slice(0, most).map(item), list.length > most && h('li', {class: 'faint'}, '… and ' + (list.length - most) + ' more'))) : null;
  return {
    element: h('article', {}, h('h2', {}, second ? first : many(nodes.length, 'node')), h('p', {class: 'under'}, second || ''),
      h('div', {class: 'row'}, h('button', {type: 'button', class: 'main', onclick: () => app.tell('expand', {box})}, 'Expand'), h('span', {class: 'faint'}, 'or a double click on the map')),
      section('With trouble', bad), section(bad.length ? 'Others' : 'Nodes', fine)),
  };
}

function worstOf(n) {
  const f = app.fabric;
  let worst = f.gone.has(n) ? 'gone' : '';
  for (const i of f.linksOf[n]) if (weigh(f.trouble(i)) > weigh(worst)) worst = f.trouble(i);
  return worst;
}

/** All links between two boxes. */
export function edgePanel(view, edge) {
  const f = app.fabric, links = [...linksOfEdge(view, edge)].sort((p, q) => weigh(f.trouble(q)) - weigh(f.trouble(p)) || p - q);
  const load = links.reduce((s, i) => s + f.load(i), 0), errors = links.reduce((s, i) => s + f.errors(i), 0);
  const rows = links.slice(0, most).map(i => h('tr', {onclick: () => app.select({link: i}, {look: true})},
    h('td', {class: 'peer'}, h('button', {type: 'button', class: 'link'}, f.label[f.links.a[i]]), h('span', {class: 'faint'}, ' : ' + f.portText(i, true))),
    h('td', {class: 'peer'}, f.label[f.links.b[i]], h('span', {class: 'faint'}, ' : ' + f.portText(i, false))),
    h('td', {}, f.trouble(i) ? troubleBadge(f.trouble(i)) : h('span', {class: 'faint'}, f.rate(i).text))));
  return {
    element: h('article', {}, h('h2', {}, many(links.length, 'link')),
      h('p', {class: 'under'}, name(view, view.a[edge]) + '  –  ' + name(view, view.b[edge])),
      terms([['Traffic', bitrate(load)], ['Errors', short(errors)]]),
      h('div', {class: 'wide'}, h('table', {class: 'small'}, h('thead', {}, h('tr', {}, ['From', 'To', 'Rate'].map(t => h('th', {scope: 'col'}, t)))), h('tbody', {}, rows))),
      links.length > most && h('p', {class: 'faint'}, '… and ' + (links.length - most) + ' more')),
  };
}

function name(view, box) {
  const nodes = nodesOfBox(view, box);
  if (view.second[box]) return view.first[box];
  return nodes.length === 1 ? app.fabric.label[nodes[0]] : many(nodes.length, 'node');
}
