// The last events of a node or a link.

import {app} from '../app.js';
import {h} from '../dom.js';
import {clock} from '../format.js';
import {whatOf} from '../say.js';

const most = 12;

/** The events that fit, the newest first; nothing if there are none. about adds a word. */
export function eventsOf(fits, about = () => '') {
  const found = [];
  for (const e of app.events) {
    if (!fits(e)) continue;
    if (found.push(e) > most) break;
  }
  if (!found.length) return null;
  const items = found.slice(0, most).map(e => h('li', {class: e.severity}, h('time', {datetime: e.time}, clock(Date.parse(e.time) / 1000)), h('span', {}, whatOf(e), about(e) && h('span', {class: 'faint'}, ' ' + about(e)))));
  return h('section', {class: 'happened'}, h('h3', {}, 'What happened'), h('ol', {}, items), found.length > most && h('p', {class: 'faint'}, 'Older ones are in the list of events.'));
}
