// What the thing under the pointer is.

import {app} from './app.js';
import {$} from './dom.js';
import {many, bitrate, percent, short} from './format.js';
import {nodesOfBox, linksOfEdge} from './map/geometry.js';

const most = 6;

/** Lines about {node}, {box}, {link} or {edge}. */
export function tipOf(view, what) {
  if (!what) return '';
  if ('node' in what) return ofNode(what.node);
  if ('link' in what) return ofLink(what.link);
  if ('box' in what) return ofBox(view, what.box);
  const links = [...linksOfEdge(view, what.edge)], f = app.fabric, bad = links.filter(i => f.trouble(i));
  const lines = [many(links.length, 'link') + (bad.length ? ', ' + bad.length + ' with trouble' : ''), ...[...bad, ...links.filter(i => !f.trouble(i))].slice(0, most).map(i => f.linkText(i) + ': ' + f.rateText(i))];
  if (links.length > most) lines.push('… and ' + (links.length - most) + ' more');
  return lines.join('\n');
}

function ofNode(n) {
  const f = app.fabric, bad = f.linksOf[n].filter(i => f.trouble(i)).length;
  return [f.label[n], f.role(n) + (f.model(n) ? ', ' + f.model(n) : ''), 'GUID ' + f.nodes.guid[n] + (f.nodes.lid[n] ? ', LID ' + f.nodes.lid[n] : ''),
    f.gone.has(n) ? 'gone' : many(f.linksOf[n].length, 'link') + (bad ? ', ' + bad + ' with trouble' : '')].join('\n');
}

function ofLink(i) {
  const f = app.fabric, lines = [f.linkText(i), f.rateText(i) + (f.trouble(i) && f.state(i) === 0 ? ', ' + f.trouble(i) : '')];
  if (f.isCounted(i)) lines.push(bitrate(f.load(i)) + ', ' + percent(f.use(i)) + (f.errors(i) ? ', ' + short(f.errors(i)) + ' errors' : ''));
  return lines.join('\n');
}

function ofBox(view, b) {
  const f = app.fabric, nodes = nodesOfBox(view, b), names = [...nodes].slice(0, most).map(n => f.label[n]);
  if (nodes.length > most) names.push('… and ' + (nodes.length - most) + ' more');
  return [view.second[b] ? view.first[b] + ', ' + view.second[b] : many(nodes.length, 'node'), ...names].join('\n');
}

export function showTip(text, x, y, area) {
  const tip = $('tip');
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = Math.max(6, Math.min(x + 16, area.clientWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = Math.max(6, Math.min(y + 16, area.clientHeight - tip.offsetHeight - 8)) + 'px';
}
