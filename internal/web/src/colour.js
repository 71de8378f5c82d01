// What the colours of links say: each mode sorts links into bins, the later ones more
// telling than the earlier ones.

import {theme} from './theme.js';

const speeds = [
  ['SDR', '#a89a83', '#b3a58e'], ['DDR', '#8c7b5f', '#a8967a'], ['QDR', '#d18f00', '#e6ad3c'], ['FDR10', '#b87800', '#d39a3a'], ['FDR', '#3a9ad9', '#62b6ee'],
  ['EDR', '#0067a8', '#4b9fd8'], ['HDR', '#00805e', '#2fb38d'], ['NDR', '#9a3a8a', '#cc77bd'], ['XDR', '#40309c', '#8d80e0'],
];

const bin = (label, light, dark, rank = 0) => ({label, light, dark, rank});
const quiet = ['#a9b6c3', '#4d5b68'];

const usage = [
  bin('idle', ...quiet), bin('1 … 25 %', '#6fa8dc', '#4a86c0'), bin('25 … 50 %', '#2f9e8f', '#35b5a3'), bin('50 … 75 %', '#e0a100', '#edb83d'),
  bin('75 … 90 %', '#e0651a', '#ff8f4d'), bin('90 % or more', '#b3123b', '#ff5d7d'), bin('not counted', '#c9cfd6', '#333d47', -1),
];
const mistakes = [
  bin('no errors', ...quiet), bin('1 … 99', '#e0a100', '#edb83d'), bin('100 … 9,999', '#d9541e', '#ff8f4d'), bin('10,000 or more', '#9b1239', '#ff5d7d'), bin('not counted', '#c9cfd6', '#333d47', -1),
];
const ages = [
  bin('nothing seen', ...quiet), bin('a day or more', '#7fa7cf', '#55779a'), bin('within a day', '#3d84c6', '#5fa3e0'), bin('within an hour', '#8a4fbf', '#b98ae6'), bin('within 5 minutes', '#c2185b', '#ff6f9f'),
];
const conditions = [
  bin('active', ...quiet), bin('degraded', '#d98200', '#f5b13d'), bin('errors', '#c2410c', '#ff9b5e'), bin('not active', '#7a7f87', '#9aa0a8'),
  bin('flapping', '#b5179e', '#f07ae6'), bin('down or gone', '#d92d20', '#ff6b60'),
];
const ofTrouble = {'': 0, degraded: 1, errors: 2, 'not active': 3, flapping: 4, down: 5, gone: 5};

const from = (limits, v) => {
  let i = 0;
  while (i < limits.length && v >= limits[i]) i++;
  return i;
};

export const modes = [
  {id: 'state', name: 'State', bins: () => conditions, of: (f, i) => ofTrouble[f.trouble(i)]},
  {
    id: 'speed', name: 'Speed',
    bins: () => [...speeds.map(s => bin(...s)), bin('not known', '#8a8f98', '#7a828b')],
    of: (f, i) => {
      const at = f.now ? speeds.findIndex(s => s[0] === f.rate(i).speed) : -1;
      return at < 0 ? speeds.length : at;
    },
  },
  {id: 'use', name: 'Utilisation', bins: () => usage, of: (f, i) => f.isCounted(i) ? from([0.01, 0.25, 0.5, 0.75, 0.9], f.use(i)) : 6},
  {id: 'errors', name: 'Errors', bins: () => mistakes, of: (f, i) => f.isCounted(i) ? from([1, 100, 10000], f.errors(i)) : 4},
  {
    id: 'age', name: 'Last event', bins: () => ages,
    of: (f, i) => {
      const last = f.now ? f.now.links.last[i] : 0;
      return last === 0 ? 0 : 1 + from([-86400, -3600, -300], last - Date.now() / 1000);
    },
  },
];

export const binColour = b => theme.name === 'dark' ? b.dark : b.light;

/** Sorts all links: {of: bin by link, bins with the number of their links}. */
export function sortLinks(fabric, mode) {
  const bins = mode.bins().map(b => ({...b, count: 0})), of = new Uint8Array(fabric.linkCount);
  for (let i = 0; i < of.length; i++) bins[of[i] = mode.of(fabric, i)].count++;
  return {of, bins};
}

/** The more telling one of two bins. */
export const stronger = (bins, p, q) => (bins[p].rank - bins[q].rank || p - q) >= 0 ? p : q;
