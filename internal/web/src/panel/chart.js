// Rates of a link over time: from the service's history, or from what this page has seen.

import uPlot from '../vendor/uplot.js';
import {app} from '../app.js';
import {ofFabric} from '../api.js';
import {h, fill} from '../dom.js';
import {short, span, clock} from '../format.js';
import {theme, onTheme} from '../theme.js';

const ranges = [['1 h', 3600], ['6 h', 6 * 3600], ['24 h', 86400], ['7 d', 7 * 86400]];

let history = true; // the service keeps some, as far as is known

export function rateChart(link) {
  const place = h('div', {class: 'plot'}), note = h('p', {class: 'faint'});
  let range = ranges[0], plot = null, closed = false, asked = 0;
  const buttons = ranges.map(r => h('button', {type: 'button', 'aria-pressed': r === range, onclick: () => {
    range = r;
    buttons.forEach((b, k) => b.setAttribute('aria-pressed', ranges[k] === range));
    load();
  }}, r[0]));
  const choice = h('div', {class: 'segments', role: 'group', 'aria-label': 'Time'}, buttons);
  const element = h('section', {class: 'chart'}, h('div', {class: 'row'}, h('h3', {}, 'Traffic'), h('div', {class: 'grow'}), choice), place, note);

  const draw = (data, text) => {
    note.textContent = text;
    place.hidden = data[0].length < 2;
    if (place.hidden || closed) return;
    if (plot) plot.setData(data);
    else {
      fill(place);
      plot = new uPlot(options(place.clientWidth || 340, link), data, place);
    }
  };
  const own = () => {
    const f = app.fabric, s = app.samples, t = s.map(x => x.at);
    draw([t, s.map(x => x.there[link] * 8), s.map(x => x.back[link] * 8)], t.length < 2 ? f.now.stored ? '' : 'Rates are shown after two readings of the counters.' : 'Since this page was opened, ' + span(t[t.length - 1] - t[0]) + '.');
  };
  const load = async () => {
    const mine = ++asked, f = app.fabric;
    const has = history && !f.now.stored;
    choice.hidden = !has;
    if (!has) return own();
    try {
      const a = await ofFabric(app.name, '/rates', {node: f.nodes.guid[f.links.a[link]], port: f.links.ap[link], since: range[1] + 's'});
      if (mine !== asked || closed) return undefined;
      const of = name => (a.series.find(s => s.name === name)?.values || a.times.map(() => null)).map(v => v === null ? null : v * 8);
      draw([a.times, of('xmit_bytes_per_second'), of('rcv_bytes_per_second')], a.times.length < 2 ? 'Nothing is kept of this time yet.' : '');
    } catch (e) {
      if (e.name === 'AbortError' || closed) return undefined;
      history = false;
      return load();
    }
    return undefined;
  };
  const again = () => {
    plot?.destroy();
    plot = null;
    load();
  };
  onTheme(again);
  const watch = new ResizeObserver(() => plot?.setSize({width: place.clientWidth, height: 150}));
  watch.observe(place);
  return {
    element, update: load,
    close: () => {
      closed = true;
      watch.disconnect();
      plot?.destroy();
    },
  };
}

/** A time on the axis: the day, the hour and minute, or with seconds, as the step wants. */
function timeText(unix, step) {
  const d = new Date(unix * 1000), two = n => String(n).padStart(2, '0');
  if (step >= 86400) return d.getMonth() + 1 + '/' + d.getDate();
  return two(d.getHours()) + ':' + two(d.getMinutes()) + (step < 60 ? ':' + two(d.getSeconds()) : '');
}

function options(width, link) {
  const c = theme.colours, f = app.fabric, name = n => f.label[n];
  const axis = {stroke: c.faint, grid: {stroke: c.frameLine, width: 1}, ticks: {show: false}, font: '11px system-ui, sans-serif'};
  const series = (label, stroke, fillColour) => ({label, stroke, fill: fillColour, width: 1.5, points: {show: false}, value: (u, v) => v === null || v === undefined ? '–' : short(v) + 'b/s'});
  return {
    width, height: 150, padding: [8, 8, 0, 0],
    cursor: {points: {size: 6}, drag: {x: false, y: false}},
    axes: [{...axis, size: 26, space: 70, values: (u, list) => list.map((v, k) => timeText(v, list[1] - list[0]))}, {...axis, size: 46, values: (u, list) => list.map(v => v === 0 ? '0' : short(v).replace(' ', '').replace(/\.0+(?=\D|$)/, ''))}],
    scales: {y: {range: (u, min, max) => [0, Math.max(1, max * 1.1)]}},
    series: [{label: 'At', value: (u, v) => v ? clock(v) : ''}, series('from ' + name(f.links.a[link]), theme.name === 'dark' ? '#62b6ee' : '#1f6feb'), series('from ' + name(f.links.b[link]), theme.name === 'dark' ? '#f5b13d' : '#d98200')],
  };
}
