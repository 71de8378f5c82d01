// The fabric as the page has it: columns of nodes and links (see structure.go), and how
// the links are now (see condition.go).

export const linkStates = ['active', 'not active', 'down', 'gone'];
export const types = ['', 'adapter', 'switch', 'router'];
const degraded = 1, flapping = 2, erring = 4, counted = 8;

export class Fabric {
  constructor(structure) {
    Object.assign(this, {version: structure.version, name: structure.fabric, shape: structure.shape, viewNames: structure.views, start: structure.start, views: []});
    this.nodes = structure.nodes;
    this.links = structure.links;
    this.roles = structure.roles || [];
    this.models = structure.models || [];
    this.size = this.nodes.name.length;
    this.linkCount = this.links.a.length;
    this.byGUID = new Map(this.nodes.guid.map((g, i) => [g, i]));
    this.byPort = new Map();
    this.linksOf = Array.from({length: this.size}, () => []);
    for (let i = 0; i < this.linkCount; i++) {
      const {a, b, ap, bp} = this.links;
      this.byPort.set(a[i] + ':' + ap[i], i);
      this.byPort.set(b[i] + ':' + bp[i], i);
      this.linksOf[a[i]].push(i);
      if (b[i] !== a[i]) this.linksOf[b[i]].push(i);
    }
    this.label = this.nodes.name.map(shortName);
    this.lower = this.nodes.name.map((n, i) => (this.label[i] === n ? n : this.label[i] + ' ' + n).toLowerCase());
    this.gone = new Set();
    this.now = null;
  }

  /** Takes in a view: a layout with its number. */
  addView(at, view) {
    view.boxOf = boxOf(view, this.size);
    this.views[at] = view;
  }

  /** Takes in how the links are. */
  take(condition) {
    this.now = condition;
    this.gone = new Set(condition.gone);
    this.bad = null;
  }

  /** What to sort names by. */
  sortKey(n) {
    this.sortKeys ||= [];
    return this.sortKeys[n] ||= natural(this.lower[n]);
  }

  role(n) { return this.roles[this.nodes.role[n]]; }
  model(n) { return this.models[this.nodes.model[n]]; }
  isSwitch(n) { return this.nodes.type[n] === 2; }

  state(i) { return this.now ? this.now.links.state[i] : 0; }
  has(i, flag) { return !!this.now && (this.now.links.flags[i] & flag) !== 0; }
  isDegraded(i) { return this.has(i, degraded); }
  isFlapping(i) { return this.has(i, flapping); }
  isErring(i) { return this.has(i, erring); }
  isCounted(i) { return this.has(i, counted); }
  rate(i) { return this.now.rates[this.now.links.rate[i]]; }
  best(i) { return this.now.rates[this.now.links.best[i]]; }
  errors(i) { return this.now ? this.now.links.errors[i] : 0; }

  /** Bytes per second of the busier direction. */
  load(i) { return this.now ? Math.max(this.now.links.there[i], this.now.links.back[i]) : 0; }

  /** The share of the rate that the busier direction uses, 0…1. */
  use(i) {
    if (!this.now) return 0;
    const gbps = this.rate(i).gbps;
    return gbps ? Math.min(1, this.load(i) * 8e-9 / gbps) : 0;
  }

  /** What is wrong with a link: the worst word, '' for nothing. */
  trouble(i) {
    const state = this.state(i);
    if (state === 3) return 'gone';
    if (state === 2) return 'down';
    if (this.isFlapping(i)) return 'flapping';
    if (state === 1) return 'not active';
    if (this.isErring(i)) return 'errors';
    return this.isDegraded(i) ? 'degraded' : '';
  }

  /** Links with trouble, the worst kinds first. */
  troubled() {
    if (this.bad) return this.bad;
    const list = [];
    for (let i = 0; i < this.linkCount; i++) {
      const what = this.trouble(i);
      if (what) list.push({link: i, what});
    }
    list.sort((p, q) => troubles.indexOf(p.what) - troubles.indexOf(q.what) || p.link - q.link);
    this.bad = list;
    return list;
  }

  /** How a link runs: "4x HDR, degraded from 4x NDR". */
  rateText(i) {
    if (!this.now) return '';
    if (this.state(i) !== 0) return linkStates[this.state(i)];
    const text = this.rate(i).text;
    return this.isDegraded(i) ? text + ', could be ' + this.best(i).text : text;
  }

  /** What stands on the panel beside an end of a link. */
  portText(i, atA) {
    const num = atA ? this.links.ap[i] : this.links.bp[i];
    return this.links.label[i + (atA ? 'a' : 'b')] || String(num);
  }

  /** The other end of a link of a node. */
  far(i, n) {
    const atA = this.links.a[i] === n;
    return {node: atA ? this.links.b[i] : this.links.a[i], port: this.portText(i, !atA), num: atA ? this.links.bp[i] : this.links.ap[i], own: this.portText(i, atA), ownNum: atA ? this.links.ap[i] : this.links.bp[i]};
  }

  linkText(i) {
    const {a, b} = this.links, names = this.label;
    return names[a[i]] + ' port ' + this.portText(i, true) + '  –  ' + names[b[i]] + ' port ' + this.portText(i, false);
  }

  /** Finds a link by the GUID and port of an end. */
  linkAt(guid, port) {
    const n = this.byGUID.get(guid);
    return n === undefined ? undefined : this.byPort.get(n + ':' + port);
  }
}

/** A key by which "node2" comes before "node10". */
export const natural = s => s.toLowerCase().replace(/\d+/g, n => n.padStart(12, '0'));

/** What vendors put around the name of a switch is left out: "MF0;leaf7:MQM8700/U1" is "leaf7". */
function shortName(name) {
  const m = /^MF0;(.+):[^:/]*(?:\/(.*))?$/.exec(name);
  if (!m) return name;
  return m[2] && m[2] !== 'U1' ? m[1] + ' ' + m[2] : m[1];
}

export const troubles = ['gone', 'down', 'flapping', 'not active', 'errors', 'degraded'];

function boxOf(view, size) {
  const at = new Int32Array(size).fill(-1);
  for (let b = 0; b < view.roles.length; b++) {
    for (let i = view.nodeStart[b]; i < view.nodeStart[b + 1]; i++) at[view.nodes[i]] = b;
  }
  return at;
}
