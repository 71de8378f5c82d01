// What is wrong: the findings of the service, with what they rest on and what to do,
// and what the last sweep met.

import {app} from '../app.js';
import {ofFabric} from '../api.js';
import {Table} from '../table.js';
import {h, fill, clean} from '../dom.js';
import {many} from '../format.js';
import {severityBadge, placeText} from '../parts.js';
import {choosePlace} from './events.js';
import {healthNow} from '../findings.js';

const severities = ['note', 'warning', 'error', 'critical'];

export function healthList() {
  let items = [], asked = 0;
  const verdict = h('div', {class: 'verdict', role: 'status'});
  const table = new Table({
    name: 'problems', tall: true,
    help: 'Words of the text; kind:narrow, severity:error',
    columns: [
      {id: 'severity', title: 'Severity', value: i => items[i].severity, sort: i => severities.indexOf(items[i].severity), cell: i => severityBadge(items[i].severity)},
      {id: 'kind', title: 'Kind', wide: 2, value: i => items[i].kind},
      {id: 'text', title: 'What is wrong', wide: 5, value: i => clean(items[i].text)},
      {id: 'evidence', title: 'Evidence', wide: 6, value: i => clean((items[i].evidence || []).join('; '))},
      {id: 'remedy', title: 'What to do', wide: 5, value: i => clean((items[i].remedy || [])[0] || '')},
    ],
    row: i => {
      const p = items[i];
      return {text: [p.text, p.kind, p.severity, placeText(p.at), placeText(p.to), p.at?.guid].join(' ').toLowerCase(), field: id => ({kind: p.kind, severity: p.severity, count: p.count})[id]};
    },
    choose: i => choosePlace(items[i].at, items[i].to),
  });
  table.tools.prepend(verdict);
  const load = async () => {
    if (app.tab !== 'health' || !app.fabric) return;
    const mine = ++asked;
    try {
      const [health, problems] = await Promise.all([healthNow(), ofFabric(app.name, '/problems', {limit: 2000})]);
      if (mine !== asked) return;
      items = [...health.findings, ...problems.items.map(asFinding)];
      fill(verdict, h('span', {class: 'badge ' + health.verdict}, health.verdict), sumOf(health));
    } catch (e) {
      if (mine !== asked) return;
      items = [];
      fill(verdict, e.message);
    }
    table.setRows(items.length);
  };
  for (const topic of ['fabric', 'state', 'tab']) app.on(topic, load);
  return table;
}

const sumOf = x => [x.critical && x.critical + ' critical', x.errors && many(x.errors, 'error'), x.warnings && many(x.warnings, 'warning'), x.notes && many(x.notes, 'note')].filter(Boolean).join(', ') || 'nothing found';

const asFinding = p => ({
  severity: p.loss ? 'error' : 'warning', kind: p.kind, text: p.message, evidence: p.error ? [p.error] : [],
  at: p.guid ? {guid: p.guid, port: p.port, name: p.name} : undefined,
});
