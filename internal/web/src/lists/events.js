// The list of events.

import {app} from '../app.js';
import {Table} from '../table.js';
import {clock} from '../format.js';
import {severityBadge} from '../parts.js';
import {whatOf, whereOf} from '../say.js';

export function eventList() {
  const of = i => app.events[i], seconds = e => Date.parse(e.time) / 1000;
  const table = new Table({
    name: 'events',
    help: 'Words of the message and of names; kind:link-down, severity:critical',
    columns: [
      {id: 'time', title: 'Time', wide: 2, kind: 'mono', value: i => clock(seconds(of(i))), sort: i => seconds(of(i))},
      {id: 'severity', title: 'Severity', value: i => of(i).severity, cell: i => severityBadge(of(i).severity), sort: i => ['info', 'warning', 'critical'].indexOf(of(i).severity)},
      {id: 'what', title: 'What happened', wide: 6, value: i => whatOf(of(i))},
      {id: 'where', title: 'Where', wide: 6, value: i => whereOf(of(i))},
      {id: 'kind', title: 'Kind', wide: 2, value: i => of(i).kind},
      {id: 'how', title: 'Seen by', value: i => of(i).how},
    ],
    row: i => {
      const e = of(i);
      return {text: [e.message, e.kind, e.severity, whatOf(e), whereOf(e), e.at?.guid, e.to?.guid].join(' ').toLowerCase(), field: id => ({kind: e.kind, severity: e.severity, how: e.how, id: e.id})[id]};
    },
    choose: i => chooseEvent(of(i)),
  });
  app.on('events', () => table.setRows(app.events.length));
  app.on('fabric', () => table.update());
  return table;
}

/** Chooses what an event is about. */
export function chooseEvent(e) { choosePlace(e.at, e.to); }

/** Chooses a link where a place is a port, else its node. */
export function choosePlace(at, to) {
  const f = app.fabric;
  for (const p of [at, to]) {
    if (!p?.guid) continue;
    const link = p.port !== undefined ? f.linkAt(p.guid, p.port) : undefined, node = f.byGUID.get(p.guid);
    if (link !== undefined) return app.select({link}, {look: true});
    if (node !== undefined) return app.select({node}, {look: true});
  }
  return undefined;
}
