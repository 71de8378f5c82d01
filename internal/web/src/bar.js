// The bar at the top: fabrics, tabs, tools, how the line to the service is, the theme.

import {app} from './app.js';
import {$, h, fill, icon} from './dom.js';
import {ago, count} from './format.js';
import {setTheme, themeChoice} from './theme.js';

const tabs = [['map', 'Map'], ['nodes', 'Nodes'], ['links', 'Links'], ['health', 'Health'], ['events', 'Events']];
const tools = [['path', 'Path'], ['compare', 'Compare']];

export function startBar() {
  const select = $('fabrics');
  select.addEventListener('change', () => app.open(select.value).catch(e => app.tell('failed', e)));
  app.on('fabrics', () => {
    fill(select, app.fabrics.map(f => h('option', {value: f.name}, f.name)));
    select.hidden = app.fabrics.length < 2;
  });
  startTabs();
  startTools();
  const theme = $('theme');
  const showTheme = () => {
    const now = themeChoice(), label = {auto: 'as the system', light: 'light', dark: 'dark'}[now];
    theme.title = 'Colours: ' + label;
    theme.setAttribute('aria-label', 'Colours: ' + label);
    fill(theme, icon({auto: 'auto', light: 'sun', dark: 'moon'}[now]));
  };
  theme.addEventListener('click', () => {
    setTheme({auto: 'light', light: 'dark', dark: 'auto'}[themeChoice()]);
    showTheme();
  });
  showTheme();
  app.on('line', showLine);
  app.on('state', showLine);
  app.on('fabric', () => {
    select.value = app.name;
    document.title = app.name + ' – ibscope';
  });
  setInterval(showLine, 1000);
}

function startTabs() {
  const buttons = tabs.map(([id, name]) => h('button', {type: 'button', id: 'tab-' + id, onclick: () => app.setTab(id)}, name, h('span', {class: 'number'})));
  fill($('tabs'), buttons);
  const show = () => tabs.forEach(([id], i) => {
    if (app.tab === id) buttons[i].setAttribute('aria-current', 'page');
    else buttons[i].removeAttribute('aria-current');
  });
  const counts = () => {
    const f = app.fabric;
    if (f) tabs.forEach(([id], i) => { buttons[i].lastChild.textContent = {nodes: count(f.size), links: count(f.linkCount)}[id] || ''; });
  };
  app.on('tab', show);
  app.on('fabric', counts);
  show();
}

function startTools() {
  const buttons = tools.map(([id, name]) => h('button', {type: 'button', id: 'tool-' + id, 'aria-pressed': 'false', onclick: () => {
    if (app.tool === id && !app.selection) return app.setTool('');
    app.setTab('map');
    return app.setTool(id);
  }}, name));
  fill($('tools'), buttons);
  app.on('tool', () => tools.forEach(([id], i) => buttons[i].setAttribute('aria-pressed', String(app.tool === id))));
}

let shown = '';

/** How fresh what one sees is. */
function showLine() {
  const f = app.fabric;
  if (!f?.now) return;
  const now = f.now;
  let kind = 'live', text = now.at ? 'Live, swept ' + ago(now.at) : 'Live';
  if (app.error || app.line === 'off') [kind, text] = ['lost', app.error?.message || 'No line to the service'];
  else if (now.lost) [kind, text] = ['lost', 'Fabric lost ' + ago(now.lost)];
  else if (now.stored && !now.connected) [kind, text] = ['stored', now.at ? 'Stored, as of ' + new Date(now.at * 1000).toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'}) : 'Stored'];
  else if (!now.connected) [kind, text] = ['stored', 'Waiting for the first sweep'];
  if (shown === kind + text) return;
  shown = kind + text;
  const line = $('line');
  line.className = kind;
  line.title = now.error || now.source;
  fill(line, h('span', {class: 'dot', 'aria-hidden': 'true'}), text);
}
