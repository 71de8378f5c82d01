// The panel beside the map: what is chosen, or a tool.

import {app} from '../app.js';
import {$, h, fill, icon} from '../dom.js';
import {nodePanel} from './node.js';
import {linkPanel} from './link.js';
import {boxPanel, edgePanel} from './many.js';
import {pathTool} from './path.js';
import {compareTool} from './compare.js';

export function startPanel(map) {
  const panel = $('panel');
  let shown = null, live = null; // live: {update()} of what is shown
  const tools = {path: pathTool(map), compare: compareTool(map)};
  const show = () => {
    const s = app.selection, tool = tools[app.tool];
    panel.hidden = !s && !tool || !app.fabric;
    live?.close?.();
    live = null;
    if (panel.hidden) return fill(panel);
    const focused = panel.contains(document.activeElement);
    if (tool && !s) {
      shown = null;
      fill(panel, tool.element);
      tool.shown?.();
      return undefined;
    }
    live = 'node' in s ? nodePanel(s.node) : 'link' in s ? linkPanel(s.link) : 'box' in s ? boxPanel(map.view, s.box) : edgePanel(map.view, s.edge);
    const back = tool && h('button', {type: 'button', class: 'quiet', onclick: () => app.select(null)}, icon('back'), 'Back to ' + app.tool);
    fill(panel, h('header', {}, back, h('div', {class: 'grow'}), h('button', {type: 'button', class: 'quiet round', 'aria-label': 'Close (Esc)', title: 'Close (Esc)', onclick: close}, icon('close'))), live.element);
    if (JSON.stringify(shown) !== JSON.stringify(s)) panel.scrollTop = 0;
    shown = s;
    if (focused) panel.querySelector('button')?.focus();
    return undefined;
  };
  app.on('selection', show);
  app.on('tool', () => {
    if (app.tool) app.selection = null;
    show();
    app.tell('selection', false);
  });
  app.on('fabric', show);
  app.on('view', () => {
    if (app.selection && !('node' in app.selection) && !('link' in app.selection)) app.select(null);
  });
  app.on('state', () => live?.update?.());
}

/** Closes what is chosen, then the tool. */
export function close() {
  if (app.selection) app.select(null);
  else if (app.tool) app.setTool('');
}
