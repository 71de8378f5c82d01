// Puts the page together.

import {app} from './app.js';
import {setToken} from './api.js';
import {$, h, fill} from './dom.js';
import {startTheme} from './theme.js';
import {startBar} from './bar.js';
import {startPanel, close} from './panel/panel.js';
import {startAttention} from './attention.js';
import {startLegend, startControls} from './legend.js';
import {startHash, readHash, applyHash} from './hash.js';
import {nodeBox} from './search.js';
import {nodeList} from './lists/nodes.js';
import {linkList} from './lists/links.js';
import {eventList} from './lists/events.js';
import {healthList} from './lists/health.js';
import {FabricMap} from './map/map.js';
import {listen, keys, neighbour} from './map/input.js';
import {nodesOfBox} from './map/geometry.js';
import {tipOf, showTip} from './tip.js';

startTheme();
const map = new FabricMap($('canvas'), $('above'), {
  point: (what, x, y) => showTip(tipOf(map.view, what), x, y, $('area')),
  choose: what => app.select(what),
  expand,
  step,
});
listen(map, $('area'));

// The map follows

let first = true;
app.on('fabric', before => {
  map.chosen = null;
  map.show(app.fabric, app.view, app.mode, !!before);
  app.tell('view');
  $('notice').hidden = app.fabric.size > 0;
  if (!app.fabric.size) return fill($('notice'), h('p', {class: 'faint'}, 'Waiting for the first sweep of ' + app.name + ' …'));
  if (first) document.documentElement.dataset.ready = String(Math.round(performance.now()));
  first = false;
  return undefined;
});
app.on('state', () => map.restyle());
app.on('mode', () => map.setMode(app.mode));
app.on('view', () => {
  if (map.view !== app.fabric.views[app.view]) map.show(app.fabric, app.view, app.mode, false);
});
app.on('selection', async look => {
  const s = app.selection;
  map.choose(s);
  $('chosen').textContent = s ? tipOf(map.view, s).split('\n')[0] : '';
  if (!look || !s) return;
  // A link or node within a box of many: go where it can be seen.
  if ('link' in s && map.edgesOf(s).length === 0 && !await app.setView(app.fabric.viewNames.length - 1)) return;
  setTimeout(() => { // when the panel has its place
    map.resize();
    if (app.selection === s) map.look([s]);
  });
});
app.on('expand', expand);

// The parts around it; they hear of a fabric when the map has it

startBar();
startPanel(map);
startAttention();
startLegend(map);
startControls(map);
startHash();

const search = nodeBox({
  label: 'Search nodes by name, GUID or LID', placeholder: 'Name, GUID, LID    /', cycle: true,
  found: nodes => { map.marks.found = nodes; map.draw(); },
  chosen: n => app.select({node: n}, {look: true}),
});
$('search').append(search.element);

// Lists

const lists = {nodes: nodeList(), links: linkList(), health: healthList(), events: eventList()};

app.on('tab', () => {
  const list = lists[app.tab];
  $('map').classList.toggle('behind', !!list);
  $('lists').hidden = !list;
  if (!list) return;
  fill($('lists'), list.element);
  list.render();
});
app.on('listLinks', query => {
  app.setTab('links');
  lists.links.input.value = query;
  lists.links.refresh(true);
});

/** Goes a step closer to a box of many, or a node. */
async function expand(what) {
  if (!('box' in what)) return map.look([what], 2.2);
  const nodes = [...nodesOfBox(map.view, what.box)];
  if (app.view + 1 >= app.fabric.viewNames.length) return map.look([what], 2.2);
  app.select(null);
  if (!await app.setView(app.view + 1)) return undefined;
  return map.look(nodes.map(n => ({node: n})), 1.6);
}

/** Shows a node by itself, which may be in a box of many now. */
app.on('showNode', async n => {
  app.setTab('map');
  const b = map.view.boxOf[n];
  if ((b < 0 || map.view.flags[b] & 2) && !await app.setView(app.fabric.viewNames.length - 1)) return;
  map.look([{node: n}], 2);
});

/** Chooses the next box in a direction. */
function step(dx, dy) {
  const from = map.boxOf(app.selection || {});
  if (from < 0) return;
  const to = neighbour(map.view, from, dx, dy);
  if (to < 0) return;
  const what = map.view.flags[to] & 2 ? {box: to} : {node: nodesOfBox(map.view, to)[0]};
  app.select(what, {look: true});
}

// Keys

$('help').addEventListener('click', () => $('keys').showModal());
fill($('keys'), h('form', {method: 'dialog'}, h('h2', {}, 'Keys'), h('dl', {}, [
  ['/', 'search; Enter the next one, Shift+Enter the one before'],
  ['m n l h e', 'map, nodes, links, health, events'], ['p', 'path between two nodes'], ['c', 'compare two times'],
  ['Esc', 'close what is open'], ['1 2 3', 'groups, switches, all nodes'], ['+ − 0', 'on the map: larger, smaller, all of it'],
  ['arrows', 'on the map: to the next box; Shift: move. In lists: to the next row'], ['Enter', 'expand, or choose the row'],
  ['mouse', 'drag to move, wheel to zoom, click for details, double click to expand'],
].map(([k, v]) => [h('dt', {}, k.split(' ').map(x => h('kbd', {}, x))), h('dd', {}, v)])), h('button', {class: 'main'}, 'Close')));

document.addEventListener('keydown', e => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
  if (document.querySelector('dialog[open]')) return undefined; // it knows Escape itself
  if (e.ctrlKey || e.metaKey || e.altKey || typing && e.key !== 'Escape') return undefined;
  if (e.target === $('area') && keys(map, e)) return e.preventDefault();
  const act = {
    '/': () => search.input.select(), Escape: escape, '?': () => $('keys').showModal(),
    m: () => app.setTab('map'), n: () => app.setTab('nodes'), l: () => app.setTab('links'), h: () => app.setTab('health'), e: () => app.setTab('events'),
    p: () => $('tool-path').click(), c: () => $('tool-compare').click(), 1: () => app.setView(0), 2: () => app.setView(1), 3: () => app.setView(2),
  }[e.key];
  if (!act) return undefined;
  e.preventDefault();
  return act();
});

function escape() {
  if (document.activeElement?.matches('input, select')) document.activeElement.blur();
  else close();
}

// The beginning

function fail(e) {
  if (e.name === 'AbortError') return;
  if (e.status === undefined) console.error(e); // a fault of the page
  if (e.status === 401 || e.status === 403) return login(e.message);
  $('notice').hidden = false;
  fill($('notice'), h('p', {}, e.message), h('button', {type: 'button', onclick: begin}, 'Try again'));
}

/** Asks for the token that the service wants. */
function login(reason) {
  const input = h('input', {type: 'password', 'aria-label': 'Token', autocomplete: 'off'});
  fill($('login'), h('form', {method: 'dialog', onsubmit: () => { setToken(input.value); begin(); }},
    h('h2', {}, 'Token'), h('p', {class: 'faint'}, 'The service wants a token. It stays in this tab. (' + reason + ')'), input, h('button', {class: 'main'}, 'Continue')));
  if (!$('login').open) $('login').showModal();
}

async function begin() {
  const q = readHash();
  try {
    await app.start(q.fabric);
    applyHash(q);
  } catch (e) {
    fail(e);
  }
}

app.on('failed', fail);
window.addEventListener('hashchange', () => { if (app.fabric) applyHash(readHash()); });
begin();
