// Asks the service. A token, where it wants one, stays in this tab.

const base = 'api/v1';
let token = '';
try {
  token = sessionStorage.getItem('token') || '';
} catch { /* for this page only, then */ }

/** An answer that is none: status is 0 where nobody answers. */
export class APIError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function setToken(text) {
  token = text;
  try {
    sessionStorage.setItem('token', text);
  } catch { /* for this page only, then */ }
}

const headers = more => token ? {...more, Authorization: 'Bearer ' + token} : more;

async function ask(path, options) {
  let r;
  try {
    r = await fetch(base + path, {...options, headers: headers(options?.headers)});
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new APIError(0, 'The service does not answer.');
  }
  if (r.ok) return r;
  let detail = r.statusText || 'status ' + r.status;
  try {
    detail = (await r.json()).detail || detail;
  } catch { /* the status has to do */ }
  throw new APIError(r.status, detail);
}

/** Gets a JSON answer; query values that are undefined are left out. */
export async function get(path, query, signal) {
  const q = new URLSearchParams(Object.entries(query || {}).filter(([, v]) => v !== undefined && v !== ''));
  return (await ask(path + (q.size ? '?' + q : ''), {signal})).json();
}

export const ofFabric = (name, path, query, signal) => get('/fabrics/' + encodeURIComponent(name) + path, query, signal);

/**
 * Follows the events of a fabric, and begins again when the line breaks. The handler gets
 * (kind, data); told('on' | 'off') says how the line is. Ends with the signal.
 */
export async function follow(fabric, after, handler, told, signal) {
  for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 15000)) {
    try {
      const r = await ask('/events/stream?' + new URLSearchParams({fabric, after}), {signal, headers: {Accept: 'text/event-stream'}});
      told('on');
      wait = 500;
      for await (const e of messages(r.body)) {
        if (e.id) after = e.id;
        if (e.data) handler(e.event, JSON.parse(e.data));
      }
    } catch (e) {
      if (signal.aborted) return;
      if (e.status === 401 || e.status === 403) return told('refused');
    }
    told('off');
    await new Promise(done => setTimeout(done, wait));
  }
}

async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    text += value;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const e = {};
      for (const line of text.slice(0, end).split('\n')) {
        const at = line.indexOf(': ');
        if (at > 0) e[line.slice(0, at)] = line.slice(at + 2);
      }
      yield e;
    }
  }
}
