// Events in words.

import {app} from './app.js';
import {clean} from './dom.js';
import {count} from './format.js';
import {placeText} from './parts.js';

const words = {
  'link-down': 'Link down', 'link-idle': 'Link up, no subnet manager', 'link-up': 'Link up again', 'link-added': 'New link', 'link-moved': 'Cable moved', 'link-flap': 'Link flaps', 'flap-ended': 'Link is steady again',
  'width-lost': 'Lanes lost', 'speed-lost': 'Speed lost', 'rate-restored': 'Full rate again', 'errors-high': 'Errors', 'errors-ended': 'No more errors', 'counter-reset': 'Counters reset',
  'node-appeared': 'Node appeared', 'node-vanished': 'Node gone', 'node-replaced': 'Node replaced', 'node-moved': 'Node moved', 'node-renamed': 'Node renamed', 'node-rebooted': 'Node rebooted',
  'lid-changed': 'LID changed', 'manager-change': 'Another subnet manager', 'fabric-lost': 'Fabric lost', 'fabric-back': 'Fabric back',
};

/** What happened: "Lanes lost: 1x, was 4x". */
export function whatOf(e) {
  const name = e.kind === 'link-flap' && !e.new ? 'Link fell for a moment' : words[e.kind] || clean(e.kind);
  const details = [];
  if (e.field && !/^(width|speed)$/.test(e.field)) details.push(clean(e.field));
  if (e.new && e.old) details.push(clean(e.new) + ', was ' + clean(e.old));
  else if (e.old && e.old !== 'flapping') details.push('was ' + clean(e.old));
  else if (e.new && e.new !== 'flapping') details.push(clean(e.new));
  if (e.count > 1) details.push(e.kind.startsWith('errors') ? count(e.count) : count(e.count) + ' times');
  return details.length ? name + ': ' + details.join(', ') : name;
}

/** Where: "leaf01 port 7 – node0003 port 1". */
export const whereOf = e => [e.at, e.to].filter(p => p?.guid).map(placeOf).join(' – ');

function placeOf(p) {
  const n = app.fabric?.byGUID.get(p.guid);
  return placeText(n === undefined ? p : {...p, name: app.fabric.label[n]});
}
