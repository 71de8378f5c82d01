// Light and dark: the palette of the map, and the switch.

const palettes = {
  light: {
    paper: '#f6f7f9', ink: '#1b2530', faint: '#64707d', frame: '#ffffff', frameLine: '#e1e6eb', line: '#9aa8b6', mark: '#1f6feb', halo: '#f6f7f9',
    gone: '#d92d20', down: '#d92d20', flapping: '#b5179e', 'not active': '#7a7f87', errors: '#c2410c', degraded: '#d98200',
    added: '#1a7f37', removed: '#d92d20', moved: '#1f6feb', changed: '#b5179e',
  },
  dark: {
    paper: '#0f151b', ink: '#e3e9ef', faint: '#8c98a5', frame: '#141c24', frameLine: '#26313c', line: '#5a6875', mark: '#6cb0ff', halo: '#0f151b',
    gone: '#ff6b60', down: '#ff6b60', flapping: '#f07ae6', 'not active': '#9aa0a8', errors: '#ff9b5e', degraded: '#f5b13d',
    added: '#4ac26b', removed: '#ff6b60', moved: '#6cb0ff', changed: '#f07ae6',
  },
};

// Inside and border of boxes by role.
const roles = {
  light: {
    host: ['#eef4ea', '#86a576'], storage: ['#fbf1d7', '#b8912f'], management: ['#fbe7ee', '#b95c83'], gateway: ['#e0f3f3', '#4a9494'],
    aggregation: ['#f0f1f2', '#9aa1a9'], leaf: ['#dde9f6', '#5b86b3'], spine: ['#e7e2f4', '#8270b3'], core: ['#f8e8d8', '#bb8347'],
    switch: ['#e8ecf0', '#73808d'], router: ['#ffe5d9', '#c46a4c'], unknown: ['#eeeeee', '#888888'],
  },
  dark: {
    host: ['#1e2b21', '#5f8559'], storage: ['#322a14', '#a8872f'], management: ['#35202a', '#b0638a'], gateway: ['#173030', '#4a9494'],
    aggregation: ['#22282e', '#6a737c'], leaf: ['#1a2a3b', '#4f7fb0'], spine: ['#27223a', '#7d6cb5'], core: ['#33271a', '#b07f48'],
    switch: ['#212a33', '#6a7885'], router: ['#37231b', '#bf6b4d'], unknown: ['#2a2a2a', '#888888'],
  },
};

const media = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set();
let chosen = 'auto';

export const theme = {name: 'light', colours: palettes.light};

/** Inside and border of the boxes of a role. */
export const roleColours = role => roles[theme.name][role] || roles[theme.name].unknown;

export const onTheme = f => listeners.add(f);

export function startTheme() {
  try {
    chosen = localStorage.getItem('theme') || 'auto';
  } catch { /* there is no storage: as the system says */ }
  media.addEventListener('change', apply);
  apply();
}

export const themeChoice = () => chosen;

export function setTheme(name) {
  chosen = name;
  try {
    localStorage.setItem('theme', name);
  } catch { /* for this page only, then */ }
  apply();
}

function apply() {
  theme.name = chosen === 'auto' ? (media.matches ? 'dark' : 'light') : chosen;
  theme.colours = palettes[theme.name];
  document.documentElement.dataset.theme = theme.name;
  for (const f of listeners) f();
}

const parsed = new Map();

/** "#rrggbb" as three numbers 0…255. */
export function rgb(colour) {
  let c = parsed.get(colour);
  if (!c) {
    const n = parseInt(colour.slice(1), 16);
    c = [n >> 16, (n >> 8) & 255, n & 255];
    parsed.set(colour, c);
  }
  return c;
}
