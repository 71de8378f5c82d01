// What the scripts have in common: a browser, what it complains of, and a line to the
// simulator. The Go tests of internal/cli/view run them.

import {createRequire} from 'node:module';
import net from 'node:net';
import process from 'node:process';

const modules = process.env.IBSCOPE_BROWSER_MODULES; // a folder with node_modules in it
const {chromium} = createRequire(modules + '/')('playwright-core');

// IBSCOPE_BROWSER=plain is a browser without WebGL.
const drawing = process.env.IBSCOPE_BROWSER === 'plain' ? ['--disable-gpu', '--disable-3d-apis'] : ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const flags = ['--no-sandbox', ...drawing, '--disable-background-networking', '--disable-component-update', '--no-first-run'];

/**
 * Opens the page at a URL, and waits until it shows something; options are those of a
 * context.
 */
export async function open(url, options = {}) {
  const opened = await begin(url, options), began = Date.now();
  await opened.page.goto(url, {waitUntil: 'commit'});
  await opened.page.waitForFunction(() => document.documentElement.dataset.ready, null, {polling: 20});
  return {...opened, ready: Date.now() - began};
}

/** Makes a browser with an empty page, for one at a URL. */
export async function begin(url, options = {}) {
  const browser = await chromium.launch({executablePath: process.env.IBSCOPE_CHROMIUM, args: flags});
  const context = await browser.newContext({viewport: {width: 1280, height: 800}, colorScheme: 'light', ...options});
  const page = await context.newPage();
  const host = new URL(url).host, problems = [];
  page.on('console', m => { if (m.type() === 'error' || m.type() === 'warning') problems.push('console: ' + m.text()); });
  page.on('pageerror', e => problems.push('exception: ' + e.stack));
  page.on('request', r => { if (new URL(r.url()).host !== host && !r.url().startsWith('data:')) problems.push('request to ' + r.url()); });
  page.setDefaultTimeout(30000);
  return {browser, page, problems};
}

/** Runs a script: prints what is wrong, and ends the process with a status. */
export async function main(run) {
  const failures = [];
  const check = (ok, what) => { if (!ok) failures.push(what); };
  let opened = null;
  try {
    opened = await run(check);
  } catch (e) {
    failures.push(e.stack || String(e));
  }
  for (const p of opened?.problems || []) failures.push(p);
  await opened?.browser.close();
  for (const f of failures) console.log('FAIL ' + f);
  process.exit(failures.length ? 1 : 0);
}

/** Gives a command to the simulator, and its reply. */
export function control(command) {
  return new Promise((done, fail) => {
    const line = net.connect(process.env.IBSCOPE_CONTROL);
    let text = '';
    line.on('error', fail);
    line.on('data', data => {
      text += data;
      if (!text.includes('\n')) return;
      line.end();
      const reply = JSON.parse(text);
      if (reply.ok) done(reply);
      else fail(new Error(command + ': ' + reply.error));
    });
    line.write(JSON.stringify({command}) + '\n');
  });
}

export const text = (page, selector) => page.locator(selector).first().innerText();

/** Waits until the text of an element fits. */
export async function until(page, selector, pattern) {
  await page.waitForFunction(([s, p]) => new RegExp(p).test(document.querySelector(s)?.innerText || ''), [selector, pattern.source], {polling: 100})
    .catch(async () => { throw new Error(selector + ' does not become ' + pattern + ': ' + await page.locator(selector).first().innerText().catch(() => 'not there')); });
}
