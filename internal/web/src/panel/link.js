// One link: both ends, their counters, rates over time, events.

import {app} from '../app.js';
import {ofFabric} from '../api.js';
import {h, fill, clean} from '../dom.js';
import {bitrate, bytes, short, count, percent, ago} from '../format.js';
import {troubleBadge, nodeButton, terms, commands, fabricOption, bar} from '../parts.js';
import {eventsOf} from './happened.js';
import {rateChart} from './chart.js';
import {findingsAt} from '../findings.js';

export function linkPanel(i) {
  const f = app.fabric, l = f.links, gone = new AbortController();
  const head = h('div'), wrong = h('div'), numbers = h('div'), happened = h('div'), chart = rateChart(i);
  const at = [[l.a[i], l.ap[i]], [l.b[i], l.bp[i]]];
  const isHere = p => p && at.some(([n, port]) => p.guid === f.nodes.guid[n] && p.port === port);
  const element = h('article', {}, h('h2', {}, 'Link'), head, wrong, chart.element, numbers, happened, commandsOf(i));
  let asked = 0;
  const update = async () => {
    fill(head, headOf(i));
    fill(happened, eventsOf(e => isHere(e.at) || isHere(e.to)));
    chart.update();
    const mine = ++asked;
    findingsAt(isHere).then(list => { if (mine === asked) fill(wrong, list); }, () => {});
    const ends = await Promise.all(at.map(([n]) => ofFabric(app.name, '/nodes/' + f.nodes.guid[n], {}, gone.signal).catch(() => null)));
    if (mine !== asked || gone.signal.aborted) return;
    fill(numbers, counterTable(ends.map((a, k) => a?.ports.find(p => p.port === at[k][1]))));
  };
  update();
  return {element, update, close: () => { gone.abort(); chart.close(); }};
}

function headOf(i) {
  const f = app.fabric, l = f.links, now = f.now.links, what = f.trouble(i);
  const end = (n, port, sent) => h('div', {class: 'end'},
    h('div', {class: 'name'}, nodeButton(n)), h('div', {class: 'faint'}, 'port ' + port + ', ' + f.role(n)), h('div', {class: 'sent'}, f.isCounted(i) ? bitrate(sent) + ' sent' : ''));
  return [
    h('div', {class: 'ends'}, end(l.a[i], f.portText(i, true), now.there[i]), h('div', {class: 'cable ' + (what || 'active').replace(' ', '-'), 'aria-hidden': 'true'}), end(l.b[i], f.portText(i, false), now.back[i])),
    terms([
      ['State', troubleBadge(what, 'active')],
      ['Rate', f.state(i) === 0 ? f.rate(i).text + (f.rate(i).gbps ? ', ' + f.rate(i).gbps + ' Gb/s' : '') : ''],
      ['Could be', f.isDegraded(i) ? f.best(i).text : ''],
      ['Utilisation', f.isCounted(i) ? bar(f.use(i)) : ''],
      ['Waits', now.wait[i] > 0 ? percent(now.wait[i] / 1000) + ' of the time without credits' : ''],
      ['Errors', f.isCounted(i) ? short(f.errors(i)) + (now.growth[i] ? ', ' + short(now.growth[i]) + ' per minute' : '') : ''],
      ['Flaps', now.flaps[i] ? count(now.flaps[i]) : ''],
      ['Last event', now.last[i] ? ago(now.last[i]) : ''],
    ]),
  ];
}

/** The counters of both ends side by side; those that are 0 at both only as a count. */
function counterTable([a, b]) {
  const p = a?.counters, q = b?.counters;
  if (!p && !q) return h('p', {class: 'faint'}, 'No counters have been read.');
  const names = [...new Set([...Object.keys(p?.values || {}), ...Object.keys(q?.values || {})])].filter(n => p?.values[n] || q?.values[n]);
  const cell = (c, name) => {
    if (c?.values[name] === undefined) return h('td', {class: 'number faint'}, '–');
    const text = /_bytes$/.test(name) ? bytes(c.values[name]) : count(c.values[name]), rate = c.per_second?.[name];
    return h('td', {class: 'number', title: rate ? short(rate) + ' per second' : undefined}, text + (c.saturated?.includes(name) ? '+' : ''));
  };
  const read = [p, q].map(c => c?.at && Date.parse(c.at) / 1000).filter(Boolean);
  return h('section', {}, h('h3', {}, 'Counters'),
    h('table', {class: 'small'}, h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Counter'), [a, b].map((end, k) => h('th', {scope: 'col', class: 'number'}, end ? clean(end.name).slice(0, 14) : 'end ' + (k + 1))))),
      h('tbody', {}, names.map(n => h('tr', {class: isError(n) ? 'bad' : ''}, h('th', {scope: 'row'}, n.replace(/_/g, ' ')), cell(p, n), cell(q, n))))),
    h('p', {class: 'faint'}, 'Read ' + (read.length ? ago(Math.min(...read)) : 'never') + '; counters that are 0 at both ends are left out.'));
}

const isError = name => !/bytes$|pkts$|packets$|wait$/.test(name);

function commandsOf(i) {
  const {nodes, links: l} = app.fabric, [a, b] = [nodes.guid[l.a[i]], nodes.guid[l.b[i]]], where = fabricOption();
  const list = [`ibscope links --guid ${a}${where}`, `ibscope trace ${a} ${b}${where}`];
  if (nodes.lid[l.a[i]]) list.push(`perfquery ${nodes.lid[l.a[i]]} ${l.ap[i]}`);
  if (nodes.lid[l.b[i]]) list.push(`perfquery ${nodes.lid[l.b[i]]} ${l.bp[i]}`);
  return commands(list);
}
