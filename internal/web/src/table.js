// A table of any length: only the rows that are seen are elements. It stays a table for
// who listens to it: each row has its number, and the head says what is sorted.

import {h, fill} from './dom.js';
import {matcher} from './match.js';
import {count} from './format.js';
import {natural} from './model.js';

const spare = 12; // rows beyond those that are seen
const mostTall = 500; // rows of a list whose rows have several lines

export class Table {
  /**
   * columns: {id, title, value(row) gives text, sort(row) what to sort by, cell(row) an
   * element instead of the text, kind: 'number' | 'mono', wide: a share of the width}.
   * row(i) gives what match.js looks at. choose(i) is called with a row. Rows of a tall
   * list have as many lines as they need, and the first of them are elements all.
   */
  constructor({name, columns, row, choose, help, sortBy, tall}) {
    Object.assign(this, {tall, columns, row, choose, all: [], shown: [], active: 0, rows: new Map(), sort: sortBy || null});
    this.input = h('input', {type: 'search', class: 'filter', placeholder: 'Filter ' + name, 'aria-label': 'Filter ' + name, autocomplete: 'off', spellcheck: 'false', title: help, oninput: () => this.refresh(true)});
    this.status = h('span', {class: 'count', role: 'status'});
    this.body = h('tbody');
    this.heads = columns.map(c => this.head(c));
    this.table = h('table', {class: 'list', 'aria-label': name}, h('colgroup', {}, columns.map(c => h('col', {class: 'w' + (c.wide || 2)}))), h('thead', {}, h('tr', {'aria-rowindex': 1}, this.heads)), this.body);
    this.scroll = h('div', {class: 'scroll', onscroll: () => this.render()}, this.table);
    this.tools = h('div', {class: 'tools'}, this.input, this.status);
    this.element = h('section', {class: tall ? 'table tall' : 'table', 'aria-label': name}, this.tools, this.scroll);
    this.body.addEventListener('click', e => {
      const tr = e.target.closest('tr');
      if (tr?.dataset.at && !getSelection().toString()) this.pick(Number(tr.dataset.at));
    });
    this.body.addEventListener('keydown', e => this.key(e));
    new ResizeObserver(() => this.render()).observe(this.scroll);
  }

  head(c) {
    const button = h('button', {type: 'button', onclick: () => this.order(c)}, c.title);
    return h('th', {scope: 'col', class: c.kind, 'aria-sort': this.sort?.id === c.id ? (this.sort.down ? 'descending' : 'ascending') : undefined}, button);
  }

  /** Sets the number of rows; what is filtered and sorted stays so. */
  setRows(n) {
    this.total = n;
    this.keys = {};
    this.rows.clear();
    this.refresh(false);
  }

  /** Values have changed, rows have not. */
  update() {
    this.keys = {};
    this.refresh(false);
  }

  order(c) {
    const same = this.sort?.id === c.id;
    this.sort = same && this.sort.down !== (c.kind === 'number') ? null : {id: c.id, down: same ? !this.sort.down : c.kind === 'number'};
    this.columns.forEach((other, i) => {
      if (this.sort?.id === other.id) this.heads[i].setAttribute('aria-sort', this.sort.down ? 'descending' : 'ascending');
      else this.heads[i].removeAttribute('aria-sort');
    });
    this.refresh(true);
  }

  refresh(top) {
    if (!this.element.isConnected && !top) {
      this.stale = true;
      return;
    }
    this.stale = false;
    const test = this.input.value.trim() ? matcher(this.input.value) : null, list = [];
    for (let i = 0; i < this.total; i++) if (!test || test(this.of(i))) list.push(i);
    const c = this.sort && this.columns.find(x => x.id === this.sort.id);
    if (c) {
      const keys = this.keysOf(c), sign = this.sort.down ? -1 : 1;
      list.sort((p, q) => (keys[p] < keys[q] ? -sign : keys[p] > keys[q] ? sign : p - q));
    }
    this.shown = list;
    this.status.textContent = list.length === this.total ? count(this.total) : count(list.length) + ' of ' + count(this.total);
    this.table.setAttribute('aria-rowcount', list.length + 1);
    if (top) {
      this.active = 0;
      this.scroll.scrollTop = 0;
    }
    this.render();
    this.changed?.(list);
  }

  of(i) {
    let r = this.rows.get(i);
    if (!r) {
      r = this.row(i);
      this.rows.set(i, r);
    }
    return r;
  }

  keysOf(c) {
    if (this.keys[c.id]) return this.keys[c.id];
    const keys = Array.from({length: this.total}, (_, i) => {
      const v = (c.sort || c.value)(i);
      return typeof v === 'string' ? natural(v) : v;
    });
    this.keys[c.id] = keys;
    return keys;
  }

  /** Shows the rows that are seen. */
  render() {
    if (this.stale && this.element.isConnected) return this.refresh(false);
    if (this.tall) return fill(this.body, this.shown.slice(0, mostTall).map((row, i) => this.line(row, i)), this.none());
    const height = parseFloat(getComputedStyle(document.documentElement).fontSize) * 2;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / height) - spare);
    const last = Math.min(this.shown.length, first + Math.ceil((this.scroll.clientHeight || 800) / height) + 2 * spare);
    const focused = this.body.contains(document.activeElement);
    const space = n => {
      const tr = h('tr', {'aria-hidden': 'true', class: 'space'});
      tr.style.height = n * height + 'px';
      return tr;
    };
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.line(this.shown[i], i));
    fill(this.body, space(first), rows, this.none(), space(this.shown.length - last));
    if (focused) this.body.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
    return undefined;
  }

  none() {
    if (this.shown.length) return null;
    return h('tr', {class: 'none'}, h('td', {colspan: this.columns.length}, this.total ? 'Nothing fits the filter.' : 'There is nothing to list.'));
  }

  line(row, at) {
    return h('tr', {'aria-rowindex': at + 2, 'data-at': at, tabindex: at === this.active ? 0 : -1, class: this.chosen === row ? 'chosen' : undefined},
      this.columns.map(c => {
        const content = c.cell ? c.cell(row) : null, text = content ? '' : c.value(row);
        return h('td', {class: c.kind, title: text && text.length > 18 ? text : undefined}, content || text);
      }));
  }

  pick(at) {
    this.active = at;
    this.chosen = this.shown[at];
    this.render();
    this.choose(this.shown[at]);
  }

  key(e) {
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / 32) - 2), last = this.shown.length - 1;
    const to = {ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page, Home: 0, End: last}[e.key];
    if (to !== undefined) {
      e.preventDefault();
      this.active = Math.max(0, Math.min(last, to));
      const height = parseFloat(getComputedStyle(document.documentElement).fontSize) * 2, y = this.active * height;
      if (y < this.scroll.scrollTop) this.scroll.scrollTop = y;
      if (y + 3 * height > this.scroll.scrollTop + this.scroll.clientHeight) this.scroll.scrollTop = y + 3 * height - this.scroll.clientHeight;
      this.render();
      this.body.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
    } else if (e.key === 'Enter' && e.target.tagName === 'TR') this.pick(this.active);
  }
}
