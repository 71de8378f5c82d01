// One node with its ports and what is at their other ends.

import {app} from '../app.js';
import {ofFabric} from '../api.js';
import {h, fill, clean, copyButton} from '../dom.js';
import {types} from '../model.js';
import {bitrate, short, many, count} from '../format.js';
import {troubleBadge, nodeButton, terms, commands, fabricOption} from '../parts.js';
import {eventsOf} from './happened.js';
import {findingsAt} from '../findings.js';

const most = 300; // ports that are listed

export function nodePanel(n) {
  const f = app.fabric, guid = f.nodes.guid[n], gone = new AbortController();
  const facts = h('div'), wrong = h('div'), ports = h('div'), happened = h('div');
  const element = h('article', {},
    h('h2', {}, f.label[n]),
    h('p', {class: 'under'}, f.role(n) + (f.model(n) ? ', ' + f.model(n) : '') + ' ', f.gone.has(n) && troubleBadge('gone')),
    facts, h('div', {class: 'row'}, h('button', {type: 'button', onclick: () => app.tell('pathFrom', n)}, 'Path from here'), h('button', {type: 'button', onclick: () => app.tell('pathTo', n)}, 'Path to here'), h('button', {type: 'button', onclick: () => app.tell('showNode', n)}, 'Show')),
    wrong, ports, happened, commandsOf(n));
  let asked = 0;
  const update = () => {
    const mine = ++asked;
    findingsAt(p => p?.guid === guid).then(list => { if (mine === asked) fill(wrong, list); }, () => {});
    fill(ports, h('h3', {}, many(f.linksOf[n].length, 'link')), portTable(n));
    fill(happened, eventsOf(e => e.at?.guid === guid || e.to?.guid === guid, e => portAt(e, guid)));
  };
  fill(facts, terms(basics(n)));
  update();
  ofFabric(app.name, '/nodes/' + guid, {}, gone.signal).then(a => fill(facts, terms([...basics(n), ...more(a, n)])), () => {});
  return {element, update, close: () => gone.abort()};
}

/** "port 7", where an event is about a port of the node. */
function portAt(e, guid) {
  const p = e.at?.guid === guid ? e.at : e.to;
  return p?.port > 0 ? 'port ' + clean(p.label || p.port) : '';
}

function basics(n) {
  const {nodes} = app.fabric;
  return [
    ['GUID', h('span', {class: 'mono'}, nodes.guid[n], copyButton(nodes.guid[n]))],
    ['LID', nodes.lid[n] ? String(nodes.lid[n]) : 'none'],
    ['Type', types[nodes.type[n]] + ', ' + many(nodes.ports[n], 'port')],
    ['Place', [nodes.tier[n] && 'tier ' + nodes.tier[n], nodes.group[n] && 'group ' + nodes.group[n]].filter(Boolean).join(', ')],
  ];
}

function more({node, ports}, n) {
  return [
    ['Machine', clean(node.host)],
    ['Description', node.description !== app.fabric.label[n] ? clean(node.description) : ''],
    ['Chassis', node.chassis ? [node.chassis.type, node.chassis.position].filter(Boolean).map(clean).join(', ') || String(node.chassis.number) : ''],
    ['System', node.system_image_guid !== node.guid ? h('span', {class: 'mono'}, node.system_image_guid) : ''],
    ['Firmware', node.firmware && clean(node.firmware)],
    ['Board', node.psid && clean(node.psid)],
    ['Route', node.path && h('span', {class: 'mono'}, node.path)],
    ['Errors', node.errors === undefined ? '' : count(node.errors)],
    ['Without cable', spans(ports.filter(p => !p.peer && p.port > 0).map(p => p.port))],
  ];
}

/** "1–4, 7" of numbers in order. */
function spans(list) {
  const out = [];
  for (let i = 0, j; i < list.length; i = j + 1) {
    for (j = i; j + 1 < list.length && list[j + 1] === list[j] + 1;) j++;
    out.push(i === j ? String(list[i]) : list[i] + '–' + list[j]);
  }
  return out.length ? (list.length > 1 ? 'ports ' : 'port ') + out.join(', ') : '';
}

function portTable(n) {
  const f = app.fabric, list = f.linksOf[n].map(i => ({i, far: f.far(i, n)})).sort((p, q) => p.far.ownNum - q.far.ownNum);
  const rows = list.slice(0, most).map(({i, far}) => h('tr', {class: app.selection?.link === i ? 'chosen' : '', onclick: () => app.select({link: i}, {look: true})},
    h('th', {scope: 'row'}, h('button', {type: 'button', class: 'link', 'aria-label': 'Link at port ' + far.own}, far.own)),
    h('td', {class: 'peer'}, nodeButton(far.node), h('span', {class: 'faint'}, ' : ' + far.port)),
    h('td', {}, f.trouble(i) ? troubleBadge(f.trouble(i)) : h('span', {class: 'faint'}, f.rate(i).text)),
    h('td', {class: 'number'}, f.isCounted(i) ? bitrate(f.load(i)) : '–'),
    h('td', {class: 'number'}, f.isCounted(i) ? short(f.errors(i)) : '–')));
  const table = h('table', {class: 'small'}, h('thead', {}, h('tr', {}, ['Port', 'Other end', 'Rate', 'Traffic', 'Errors'].map((t, k) => h('th', {scope: 'col', class: k > 2 ? 'number' : ''}, t)))), h('tbody', {}, rows));
  return h('div', {class: 'wide'}, table, list.length > most && h('p', {class: 'faint'}, '… and ' + (list.length - most) + ' more'));
}

function commandsOf(n) {
  const {nodes} = app.fabric, guid = nodes.guid[n], where = fabricOption();
  const list = [`ibscope nodes --guid ${guid}${where}`, `ibscope links --guid ${guid}${where}`, `ibscope errors --guid ${guid}${where}`];
  if (nodes.lid[n]) list.push(`smpquery nodeinfo ${nodes.lid[n]}`);
  return commands(list);
}
