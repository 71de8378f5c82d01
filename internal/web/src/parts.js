// Small things that several parts of the page show.

import {h, clean, copyButton} from './dom.js';
import {percent} from './format.js';
import {app} from './app.js';

const slug = what => what.replace(' ', '-');

/** What is wrong with a link or node, as a coloured word; fine says what else to write. */
export function troubleBadge(what, fine = '') {
  if (!what) return h('span', {class: 'fine'}, fine || '–');
  return h('span', {class: 'badge ' + slug(what)}, what);
}

export const severityBadge = word => h('span', {class: 'badge ' + word}, word);

/** A share as a bar with its text. */
export function bar(share, text = percent(share)) {
  const fill_ = h('span', {class: share >= 0.9 ? 'full' : share >= 0.75 ? 'high' : ''});
  fill_.style.width = Math.round(Math.min(1, share) * 100) + '%';
  return h('span', {class: 'bar'}, h('span', {class: 'track', 'aria-hidden': 'true'}, fill_), h('span', {}, text));
}

/** "leaf01 port 7", of what the service calls a place. */
export function placeText(p) {
  if (!p) return '';
  return clean(p.name || p.guid || '') + (p.port === undefined || p.port < 0 ? '' : ' port ' + clean(p.label || p.port));
}

/** A node as a button that chooses it. */
export function nodeButton(n, text) {
  return h('button', {type: 'button', class: 'link', onclick: e => { e.stopPropagation(); app.select({node: n}, {look: true}); }}, text || app.fabric.label[n]);
}

/** A list of terms: [term, text or element]. */
export function terms(list) {
  return h('dl', {class: 'terms'}, list.filter(([, v]) => v !== undefined && v !== null && v !== '').map(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]));
}

/** A word for a shell. */
export const quoted = s => /^[\w@%+=:,./-]+$/.test(s) ? s : "'" + s.replace(/'/g, "'\\''") + "'";

/** The option that names the fabric of the page to a command. */
export function fabricOption() {
  const source = app.fabric?.now?.source || '';
  return source && !/^umad:?$/.test(source) ? ' --fabric ' + quoted(source) : '';
}

/** Commands to copy: [label, command]. */
export function commands(list) {
  return h('section', {class: 'commands'}, h('h3', {}, 'On the command line'), list.map(c => h('div', {class: 'command'}, h('code', {}, c), copyButton(c))));
}
