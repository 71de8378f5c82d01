// The page: keeps what is known and chosen, and tells its parts when that changes.

import {get, ofFabric, follow, APIError} from './api.js';
import {Fabric} from './model.js';
import {modes} from './colour.js';

const kept = 3000; // events

class App {
  constructor() {
    Object.assign(this, {
      fabrics: [], name: '', fabric: null, events: [], tab: 'map', tool: '', selection: null, mode: modes[0], view: 0, line: 'off', samples: [], error: null, listeners: {},
    });
  }

  on(topic, f) { (this.listeners[topic] ||= []).push(f); }

  tell(topic, ...what) { for (const f of this.listeners[topic] || []) f(...what); }

  /** Reads the list of fabrics, and the one that is wanted, or the first. */
  async start(wanted) {
    const list = await get('/fabrics');
    this.fabrics = list.items;
    this.program = list.program;
    this.tell('fabrics');
    const chosen = list.items.find(f => f.name === wanted) || list.items[0];
    if (!chosen) throw new APIError(404, 'The service has no fabric.');
    await this.open(chosen.name);
  }

  async open(name) {
    this.following?.abort();
    this.following = new AbortController();
    const signal = this.following.signal;
    Object.assign(this, {name, selection: null, events: [], samples: []});
    this.tell('selection');
    await this.load(signal, true);
    const answer = await get('/events', {fabric: name, last: true, limit: kept}, signal);
    this.events = answer.items.reverse();
    this.tell('events', []);
    follow(name, answer.last, (kind, data) => this.hear(kind, data), line => this.setLine(line), signal);
  }

  setLine(line) {
    this.line = line;
    this.tell('line');
    if (line === 'on') this.refresh();
  }

  /** Loads the map, and how its links are; of another fabric than before, or of the same. */
  async load(signal, other) {
    const [structure, state] = await Promise.all([ofFabric(this.name, '/map', {}, signal), ofFabric(this.name, '/map', {part: 'state'}, signal)]);
    const before = other ? null : this.fabric, at = before && this.view < structure.views.length ? this.view : structure.start;
    const view = await ofFabric(this.name, '/map', {part: 'view', view: at}, signal);
    if (state.version !== structure.version || view.version !== structure.version) return this.load(signal, other);
    this.fabric = new Fabric(structure);
    this.fabric.addView(at, view);
    this.view = at;
    this.fabric.take(state);
    this.samples = [];
    this.sample();
    this.keepSelection(before);
    this.tell('fabric', before);
    this.tell('state');
    return undefined;
  }

  /** What was chosen by its number has another one in another structure. */
  keepSelection(before) {
    const s = this.selection, f = this.fabric;
    if (!s || !before) return;
    let same = null;
    if ('node' in s) {
      const n = f.byGUID.get(before.nodes.guid[s.node]);
      if (n !== undefined) same = {node: n};
    } else if ('link' in s) {
      const link = f.linkAt(before.nodes.guid[before.links.a[s.link]], before.links.ap[s.link]);
      if (link !== undefined) same = {link};
    }
    this.selection = same;
    this.tell('selection');
  }

  /** Asks how the links are now; at most one request at a time, and one after it. */
  async refresh() {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    try {
      const signal = this.following.signal, state = await ofFabric(this.name, '/map', {part: 'state'}, signal);
      if (!this.fabric || state.version !== this.fabric.version) await this.load(signal);
      else {
        this.fabric.take(state);
        this.sample();
        this.tell('state');
      }
      this.error = null;
    } catch (e) {
      if (e.name !== 'AbortError') this.error = e;
    }
    this.asking = false;
    this.tell('line');
    if (this.again) {
      this.again = false;
      setTimeout(() => this.refresh(), 300);
    }
  }

  /** Keeps the rates of now, for charts where the service keeps no history. */
  sample() {
    const now = this.fabric.now, last = this.samples[this.samples.length - 1];
    if (!now.counted || last && last.at >= now.counted) return;
    this.samples.push({at: now.counted, there: now.links.there, back: now.links.back});
    const most = Math.min(360, Math.max(30, 4e6 / (this.fabric.linkCount + 1)));
    if (this.samples.length > most) this.samples.shift();
  }

  hear(kind, data) {
    if (kind === 'state') {
      this.refresh();
      return;
    }
    if (kind === 'missed') return;
    this.events.unshift(data);
    if (this.events.length > kept) this.events.pop();
    this.tell('events', [data]);
    this.refresh();
  }

  /** Chooses {node}, {link}, {box} or {edge} of the view; null for nothing. */
  select(what, {look = false} = {}) {
    this.selection = what;
    this.tell('selection', look);
  }

  setTab(tab) {
    this.tab = tab;
    this.tell('tab');
  }

  /** Opens a tool beside the map: 'path' or 'compare'; '' for what is chosen. */
  setTool(tool) {
    this.tool = tool;
    this.tell('tool');
  }

  setMode(id) {
    this.mode = modes.find(m => m.id === id) || modes[0];
    this.tell('mode');
  }

  /** Shows another view; true when it is there. */
  async setView(at) {
    const f = this.fabric;
    if (!f) return false;
    const to = Math.max(0, Math.min(f.viewNames.length - 1, at));
    if (to === this.view) return true;
    if (!f.views[to]) {
      const view = await ofFabric(this.name, '/map', {part: 'view', view: to}, this.following.signal);
      if (view.version !== f.version || f !== this.fabric) return false;
      f.addView(to, view);
    }
    this.view = to;
    this.tell('view');
    return true;
  }
}

export const app = new App();
