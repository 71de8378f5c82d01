// What asks for attention: kinds of trouble with their numbers, the worst first, above
// the map. A click goes from one to the next.

import {app} from './app.js';
import {$, h, fill} from './dom.js';
import {many, count} from './format.js';
import {troubles} from './model.js';

const listed = 4;
const titles = {gone: 'Gone', down: 'Down', flapping: 'Flapping', 'not active': 'Not active', errors: 'Errors growing', degraded: 'Degraded'};

export function startAttention() {
  const place = $('attention'), next = {};
  const show = () => {
    const f = app.fabric;
    if (!f) return fill(place);
    const by = {};
    for (const {link, what} of f.troubled()) (by[what] ||= []).push(link);
    const nodes = [...f.gone];
    const kinds = troubles.filter(t => by[t] && !(t === 'gone' && nodes.length)); // their nodes say it
    const groups = kinds.map(what => {
      const links = by[what], go = () => {
        next[what] = ((next[what] ?? -1) + 1) % links.length;
        app.select({link: links[next[what]]}, {look: true});
      };
      return h('section', {class: what.replace(' ', '-')},
        h('button', {type: 'button', class: 'kind', onclick: go, title: 'The next one'}, h('span', {class: 'sign', 'aria-hidden': 'true'}), titles[what], h('span', {class: 'number'}, count(links.length))),
        h('ul', {}, links.slice(0, listed).map(i => h('li', {}, h('button', {type: 'button', class: 'link', onclick: () => app.select({link: i}, {look: true})}, brief(i))))),
        links.length > listed && h('button', {type: 'button', class: 'more', onclick: () => app.tell('listLinks', 'trouble:' + JSON.stringify(what))}, 'all ' + count(links.length)));
    });
    const dead = nodes.length ? h('section', {class: 'gone'}, h('button', {type: 'button', class: 'kind', onclick: () => {
      next.nodes = ((next.nodes ?? -1) + 1) % nodes.length;
      app.select({node: nodes[next.nodes]}, {look: true});
    }}, h('span', {class: 'sign', 'aria-hidden': 'true'}), 'Nodes gone', h('span', {class: 'number'}, count(nodes.length))),
    h('ul', {}, nodes.slice(0, listed).map(n => h('li', {}, h('button', {type: 'button', class: 'link', onclick: () => app.select({node: n}, {look: true})}, f.label[n]))))) : null;
    fill(place,
      h('header', {}, h('strong', {}, app.name), h('span', {class: 'faint'}, f.shape.replace(/-/g, ' '))),
      h('p', {class: 'faint'}, many(f.size, 'node') + ', ' + many(f.linkCount, 'link')),
      dead, groups, !dead && !groups.length && h('p', {class: 'allfine'}, 'All links are as they should be.'));
    return undefined;
  };
  app.on('fabric', show);
  app.on('state', show);
}

function brief(i) {
  const f = app.fabric, l = f.links, a = l.a[i], b = l.b[i];
  // A switch says more than a host where both ends are named in little room.
  return f.label[a] + ' : ' + f.portText(i, true) + ' – ' + f.label[b] + ' : ' + f.portText(i, false);
}
