// The findings of the service, asked once for each state of the fabric.

import {app} from './app.js';
import {ofFabric} from './api.js';
import {h, clean} from './dom.js';
import {severityBadge} from './parts.js';

let of = null, asked = null;

/** The health of the fabric as it is now. */
export function healthNow() {
  if (of !== app.fabric?.now) {
    of = app.fabric?.now;
    asked = ofFabric(app.name, '/health', {limit: 2000});
  }
  return asked;
}

/** A section about what is wrong at a place; nothing if nothing is. fits gets {at, to}. */
export async function findingsAt(fits) {
  const found = (await healthNow()).findings.filter(f => fits(f.at) || fits(f.to)).slice(0, 8);
  if (!found.length) return null;
  return h('section', {class: 'findings'}, h('h3', {}, 'What is wrong'), found.map(f => h('div', {class: 'finding'},
    h('p', {}, severityBadge(f.severity), ' ', clean(f.text)),
    (f.evidence || []).length > 0 && h('p', {class: 'faint'}, clean(f.evidence.join('; '))),
    (f.remedy || []).length > 0 && h('ul', {}, f.remedy.map(r => h('li', {}, clean(r)))))));
}
