// The address of what one sees, so that it can be sent to somebody: after the #, which
// never leaves the browser.

import {app} from './app.js';

/** The values of the address. */
export const readHash = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

export function startHash() {
  let asked = false;
  const write = () => {
    if (asked || !app.fabric) return;
    asked = true;
    setTimeout(() => {
      asked = false;
      const f = app.fabric, s = app.selection, q = new URLSearchParams();
      if (!f) return;
      if (app.fabrics.length > 1) q.set('fabric', app.name);
      if (app.tab !== 'map') q.set('tab', app.tab);
      if (app.mode.id !== 'state') q.set('colour', app.mode.id);
      if (s && 'node' in s) q.set('node', f.nodes.guid[s.node]);
      if (s && 'link' in s) q.set('link', f.nodes.guid[f.links.a[s.link]] + '-' + f.links.ap[s.link]);
      const text = q.toString();
      if (text !== location.hash.slice(1)) history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
    }, 100);
  };
  for (const topic of ['tab', 'mode', 'selection', 'fabric']) app.on(topic, write);
}

/** Shows what the address names, once the fabric is there. */
export function applyHash(q) {
  const f = app.fabric;
  if (q.colour) app.setMode(q.colour);
  if (q.tab) app.setTab(q.tab);
  if (q.node && f.byGUID.has(q.node)) app.select({node: f.byGUID.get(q.node)}, {look: true});
  const [guid, port] = (q.link || '').split('-'), link = f.linkAt(guid, Number(port));
  if (link !== undefined) app.select({link}, {look: true});
}
