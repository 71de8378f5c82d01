// Numbers and times for people.

const whole = new Intl.NumberFormat('en');
export const count = n => whole.format(n);
export const many = (n, what, plural) => count(n) + ' ' + (n === 1 ? what : plural || what + 's');

const units = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** "12.3 G": three digits and a unit. */
export function short(n) {
  let i = 0;
  while (Math.abs(n) >= 999.5 && i < units.length - 1) {
    n /= 1000;
    i++;
  }
  const digits = i === 0 && Number.isInteger(n) || Math.abs(n) >= 99.95 ? 0 : Math.abs(n) >= 9.995 ? 1 : 2;
  return n.toFixed(digits) + (units[i] ? ' ' + units[i] : '');
}

/** Bytes per second as bits per second, as links are sold. */
export function bitrate(bytes) {
  if (!bytes) return '0';
  const text = short(bytes * 8);
  return text + (/[a-z]$/i.test(text) ? '' : ' ') + 'b/s';
}

export const bytes = n => { const t = short(n); return t + (/[a-z]$/i.test(t) ? '' : ' ') + 'B'; };

export const percent = share => share < 0.0005 ? '0 %' : (share * 100).toFixed(share < 0.0995 ? 1 : 0) + ' %';

/** "3 min", "2 h", "5 d": how long something takes or is ago. */
export function span(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return s + ' s';
  if (s < 3600) return Math.floor(s / 60) + ' min';
  if (s < 48 * 3600) return Math.floor(s / 3600) + ' h';
  return Math.floor(s / 86400) + ' d';
}

export const ago = (unix, now = Date.now() / 1000) => now - unix < 2 ? 'now' : span(now - unix) + ' ago';

const two = n => String(n).padStart(2, '0');

/** "14:03:22", with the day where it is not today. */
export function clock(unix) {
  const d = new Date(unix * 1000), today = new Date();
  const time = two(d.getHours()) + ':' + two(d.getMinutes()) + ':' + two(d.getSeconds());
  return d.toDateString() === today.toDateString() ? time : day(unix) + ' ' + time;
}

export function day(unix) {
  const d = new Date(unix * 1000);
  return d.getFullYear() + '-' + two(d.getMonth() + 1) + '-' + two(d.getDate());
}
