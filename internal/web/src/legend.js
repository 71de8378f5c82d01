// What the colours mean, and the choice of what they say.

import {app} from './app.js';
import {$, h, fill, icon} from './dom.js';
import {modes, sortLinks, binColour} from './colour.js';
import {count} from './format.js';
import {onTheme, roleColours} from './theme.js';

export function startLegend(map) {
  let lit = -1;
  const show = () => {
    const f = app.fabric;
    if (!f?.now) return;
    const {bins} = sortLinks(f, app.mode);
    const select = h('select', {id: 'mode', 'aria-label': 'Colour links by', onchange: e => app.setMode(e.target.value)}, modes.map(m => h('option', {value: m.id, selected: m === app.mode}, m.name)));
    const items = bins.map((b, i) => ({b, i})).filter(({b}) => b.count).map(({b, i}) => {
      const swatch = h('span', {class: 'swatch', 'aria-hidden': 'true'});
      swatch.style.backgroundColor = binColour(b);
      return h('button', {type: 'button', 'aria-pressed': String(lit === i), title: 'Only these', onclick: () => {
        lit = lit === i ? -1 : i;
        map.light(lit < 0 ? null : {bin: lit});
        show();
      }}, swatch, b.label, h('span', {class: 'number'}, count(b.count)));
    });
    const used = [...new Set(map.view.roles)];
    const roles = h('div', {class: 'roles'}, used.map(r => {
      const box = h('span', {class: 'box', 'aria-hidden': 'true'}), [inside, border] = roleColours(r);
      box.style.backgroundColor = inside;
      box.style.borderColor = border;
      return h('span', {}, box, r);
    }));
    const focused = document.activeElement?.closest?.('#legend') ? [...$('legend').querySelectorAll('button,select')].indexOf(document.activeElement) : -1;
    fill($('legend'), h('div', {class: 'colours'}, h('label', {}, 'Links by ', select), items), roles);
    if (focused >= 0) $('legend').querySelectorAll('button,select')[focused]?.focus();
  };
  for (const topic of ['state', 'fabric', 'view']) app.on(topic, show);
  app.on('mode', () => {
    lit = -1;
    show();
  });
  onTheme(show);
}

/** Buttons at the right of the map: what is one box, and how large. */
export function startControls(map) {
  const show = () => {
    const f = app.fabric;
    if (!f) return;
    const button = (name, label, act) => h('button', {type: 'button', class: 'quiet round', 'aria-label': label, title: label, onclick: act}, icon(name));
    const middle = () => [map.camera.width / 2, map.camera.height / 2];
    fill($('controls'),
      f.viewNames.length > 1 && h('div', {class: 'segments', role: 'group', 'aria-label': 'One box for each'}, f.viewNames.map((name, i) => h('button', {type: 'button', 'aria-pressed': String(i === app.view), title: i + 1 + '', onclick: () => app.setView(i)}, name))),
      h('div', {class: 'zoom'}, button('plus', 'Larger (+)', () => map.camera.zoom(...middle(), 1.5)), button('minus', 'Smaller (−)', () => map.camera.zoom(...middle(), 1 / 1.5)), button('fit', 'All of it (0)', () => map.fit())));
  };
  app.on('fabric', show);
  app.on('view', show);
}
