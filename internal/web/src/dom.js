// Elements. Texts become text nodes and never markup; nothing sets style attributes,
// which the policy of the page forbids.

/** Makes an element: attributes, listeners ("onclick"), properties (".value"), children. */
export function h(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (name.startsWith('.')) e[name.slice(1)] = value;
    else e.setAttribute(name, value === true ? '' : value);
  }
  e.append(...children.flat(Infinity).filter(c => c !== undefined && c !== null && c !== false));
  return e;
}

export const $ = id => document.getElementById(id);

export function fill(e, ...children) {
  e.replaceChildren(...children.flat(Infinity).filter(c => c !== undefined && c !== null && c !== false));
}

// What reorders, hides or controls text, and blanks that look like none.
const odd = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u00ad\u180e\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Writes what is not plain text as \uNNNN, so that nothing hides or runs backwards. */
export function clean(text) {
  return String(text ?? '').replace(odd, c => {
    const n = c.codePointAt(0);
    return n < 0x100 ? '\\x' + n.toString(16).padStart(2, '0') : n > 0xffff ? '\\U' + n.toString(16).padStart(8, '0') : '\\u' + n.toString(16).padStart(4, '0');
  });
}

const paths = {
  sun: 'M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m0-11.4L4.9 4.9m14.2 14.2-1.4-1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 0v18',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12 4.5 4.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5',
  swap: 'M7 4 4 7l3 3M4 7h13m0 13 3-3-3-3m3 3H7',
  back: 'M14 6l-6 6 6 6',
};

/** A drawing in the colour of the text, which screen readers do not see. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  for (const [k, v] of [['viewBox', '0 0 24 24'], ['class', 'icon'], ['aria-hidden', 'true']]) svg.setAttribute(k, v);
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/** A button that copies a text, a command mostly. */
export function copyButton(text, label) {
  const b = h('button', {class: 'copy', type: 'button', title: 'Copy: ' + text, 'aria-label': 'Copy ' + (label || text)}, icon('copy'), label && h('span', {}, label));
  b.addEventListener('click', async event => {
    event.stopPropagation();
    if (await copyText(text)) {
      b.classList.add('done');
      setTimeout(() => b.classList.remove('done'), 1200);
    }
  });
  return b;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h('textarea', {class: 'unseen', '.value': text});
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
