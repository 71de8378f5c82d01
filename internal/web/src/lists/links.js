// The list of links.

import {app} from '../app.js';
import {Table} from '../table.js';
import {linkStates} from '../model.js';
import {bitrate, count, percent, short, ago} from '../format.js';
import {troubleBadge, bar} from '../parts.js';
import {weigh} from './nodes.js';

export function linkList() {
  const f = () => app.fabric, l = () => app.fabric.links, now = () => app.fabric.now.links;
  const table = new Table({
    name: 'links',
    help: 'Words of the names of both ends; name*; state:down, speed:hdr, use>50, errors>0, flaps>0, trouble:degraded',
    columns: [
      {id: 'a', title: 'From', wide: 5, value: i => f().label[l().a[i]]},
      {id: 'ap', title: 'Port', wide: 1, kind: 'number', value: i => f().portText(i, true), sort: i => l().ap[i]},
      {id: 'b', title: 'To', wide: 5, value: i => f().label[l().b[i]]},
      {id: 'bp', title: 'Port', wide: 1, kind: 'number', value: i => f().portText(i, false), sort: i => l().bp[i]},
      {id: 'trouble', title: 'State', value: i => f().trouble(i) || 'active', sort: i => weigh(f().trouble(i)), cell: i => troubleBadge(f().trouble(i), 'active')},
      {id: 'rate', title: 'Rate', wide: 2, value: i => f().rate(i).text, sort: i => f().rate(i).gbps},
      {id: 'use', title: 'Utilisation', wide: 2, kind: 'number', value: i => percent(f().use(i)), sort: i => f().use(i), cell: i => bar(f().use(i), f().isCounted(i) ? percent(f().use(i)) : '–')},
      {id: 'load', title: 'Traffic', kind: 'number', value: i => bitrate(f().load(i)), sort: i => f().load(i)},
      {id: 'errors', title: 'Errors', kind: 'number', value: i => f().isCounted(i) ? short(f().errors(i)) : '–', sort: i => f().errors(i)},
      {id: 'growth', title: 'per min', kind: 'number', value: i => now().growth[i] ? short(now().growth[i]) : '–', sort: i => now().growth[i]},
      {id: 'flaps', title: 'Flaps', wide: 1, kind: 'number', value: i => now().flaps[i] ? count(now().flaps[i]) : '–', sort: i => now().flaps[i]},
      {id: 'last', title: 'Last event', kind: 'number', value: i => now().last[i] ? ago(now().last[i]) : '–', sort: i => now().last[i]},
    ],
    row: i => {
      const a = f().lower[l().a[i]], b = f().lower[l().b[i]];
      return {text: a + ' ' + b + ' ' + f().nodes.guid[l().a[i]] + ' ' + f().nodes.guid[l().b[i]], names: [a, b, ...(a + ' ' + b).split(/[\s/;:]+/)], field: id => field(i, id)};
    },
    choose: i => app.select({link: i}, {look: true}),
  });
  const field = (i, id) => {
    switch (id) {
      case 'state': return linkStates[f().state(i)];
      case 'trouble': return f().trouble(i) || 'none';
      case 'speed': return f().rate(i).speed;
      case 'rate': case 'width': return f().rate(i).text;
      case 'gbps': return f().rate(i).gbps;
      case 'use': return f().use(i) * 100;
      case 'errors': return f().errors(i);
      case 'flaps': return now().flaps[i];
      case 'wait': return now().wait[i] / 10;
      case 'guid': return f().nodes.guid[l().a[i]] + ' ' + f().nodes.guid[l().b[i]];
      case 'role': return f().role(l().a[i]) + ' ' + f().role(l().b[i]);
    }
    return undefined;
  };
  app.on('fabric', () => table.setRows(f().linkCount));
  app.on('state', () => table.update());
  return table;
}
