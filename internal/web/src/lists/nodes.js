// The list of nodes.

import {app} from '../app.js';
import {Table} from '../table.js';
import {types, troubles} from '../model.js';
import {bitrate, count, short} from '../format.js';
import {troubleBadge} from '../parts.js';

export function nodeList() {
  const f = () => app.fabric;
  let sums = null; // of the links of each node, as of now
  const sum = n => {
    sums ||= sumUp(f());
    return sums[n];
  };
  const table = new Table({
    name: 'nodes',
    help: 'Words of a name, GUID or model; name*; role:leaf, tier:1, lid:7, links<4, errors>0, trouble:down',
    columns: [
      {id: 'name', title: 'Name', wide: 5, value: i => f().label[i]},
      {id: 'role', title: 'Role', value: i => f().role(i)},
      {id: 'model', title: 'Model', wide: 3, value: i => f().model(i)},
      {id: 'guid', title: 'GUID', wide: 4, kind: 'mono', value: i => f().nodes.guid[i]},
      {id: 'lid', title: 'LID', wide: 1, kind: 'number', value: i => f().nodes.lid[i] ? String(f().nodes.lid[i]) : '–', sort: i => f().nodes.lid[i]},
      {id: 'group', title: 'Group', wide: 1, kind: 'number', value: i => f().nodes.group[i] ? String(f().nodes.group[i]) : '–', sort: i => f().nodes.group[i]},
      {id: 'links', title: 'Links', wide: 1, kind: 'number', value: i => linksText(sum(i)), sort: i => sum(i).active},
      {id: 'trouble', title: 'Trouble', value: i => trouble(i), sort: i => weigh(trouble(i)), cell: i => troubleBadge(trouble(i))},
      {id: 'errors', title: 'Errors', kind: 'number', value: i => short(sum(i).errors), sort: i => sum(i).errors},
      {id: 'load', title: 'Traffic', kind: 'number', value: i => bitrate(sum(i).load), sort: i => sum(i).load},
    ],
    row: i => {
      const {nodes} = f(), name = f().lower[i];
      const text = [name, nodes.guid[i], f().role(i), types[nodes.type[i]], f().model(i).toLowerCase()].join(' ');
      return {text, names: [name, ...name.split(/[\s/;:]+/), nodes.guid[i]], field: id => field(i, id)};
    },
    choose: i => app.select({node: i}, {look: true}),
  });
  const trouble = i => f().gone.has(i) ? 'gone' : sum(i).trouble;
  const field = (i, id) => {
    const {nodes} = f();
    switch (id) {
      case 'name': return nodes.name[i];
      case 'guid': return nodes.guid[i];
      case 'lid': case 'tier': case 'group': case 'ports': return nodes[id][i];
      case 'role': return f().role(i);
      case 'type': return types[nodes.type[i]];
      case 'model': return f().model(i);
      case 'links': return sum(i).active;
      case 'errors': return sum(i).errors;
      case 'trouble': return trouble(i) || 'none';
    }
    return undefined;
  };
  app.on('fabric', () => {
    sums = null;
    table.setRows(f().size);
  });
  app.on('state', () => {
    sums = null;
    table.update();
  });
  return table;
}

const linksText = s => s.active === s.links ? count(s.links) : s.active + ' of ' + s.links;
export const weigh = what => what ? troubles.length - troubles.indexOf(what) : 0;

function sumUp(f) {
  return f.linksOf.map(list => {
    const s = {links: list.length, active: 0, errors: 0, load: 0, trouble: ''};
    for (const l of list) {
      if (f.state(l) === 0) s.active++;
      s.errors += f.errors(l);
      s.load += f.load(l);
      const what = f.trouble(l);
      if (weigh(what) > weigh(s.trouble)) s.trouble = what;
    }
    return s;
  });
}
