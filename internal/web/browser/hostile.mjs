// Names that would like to be something else. node hostile.mjs URL

import process from 'node:process';
import {open, main, until} from './lib.mjs';

main(async check => {
  const opened = await open(process.argv[2]), {page} = opened;
  await page.waitForTimeout(500);
  for (const key of ['m', 'n', 'l', 'h', 'e']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
  await page.keyboard.press('m');
  for (const query of ['script', 'quote', 'bidi', 'ansi', 'long', 'img']) {
    await page.locator('#search input').fill(query);
    await page.waitForTimeout(100);
    await page.locator('#search input').press('Enter');
    await until(page, '#panel h2', new RegExp(query));
    const name = await page.locator('#panel h2').innerText();
    check(!/[\u202e\u2066\u001b\u0007]/.test(name), query + ' is shown as ' + JSON.stringify(name));
    await page.locator('#panel table tbody th button').first().click();
    await until(page, '#panel', /No counters|Counter/);
    await page.waitForTimeout(200);
  }
  check(await page.evaluate(() => [...document.querySelectorAll('#panel *')].every(e => e.scrollWidth <= document.querySelector('#panel').clientWidth + 400)), 'a long name breaks the panel');
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'a long name makes the page wider than the window');
  await page.keyboard.press('p');
  await page.locator('#panel input[aria-label=From]').fill('script');
  await page.waitForTimeout(200);
  await page.keyboard.press('Escape');
  const state = await page.evaluate(() => ({
    owned: window.owned, title: document.title, images: [...document.images].map(i => i.getAttribute('src')).join(), scripts: document.scripts.length,
    handlers: document.querySelectorAll('[onerror],[onload],[onclick]').length, frames: document.querySelectorAll('iframe,object,embed').length,
  }));
  check(state.owned === undefined && !/owned/.test(state.title), 'a name has run: ' + JSON.stringify(state));
  check(/^icon\.svg\?v=\w+$/.test(state.images) && state.scripts === 1 && state.handlers === 0 && state.frames === 0, 'the page has ' + JSON.stringify(state));
  // The policy holds: what is put in does not run, and is complained of.
  const stopped = await page.evaluate(() => {
    const s = document.createElement('script');
    s.textContent = 'window.owned = 1';
    document.body.append(s);
    return window.owned === undefined;
  });
  check(stopped, 'a script in the page runs');
  await page.waitForTimeout(200);
  const complaints = opened.problems.filter(p => /Content Security Policy/.test(p));
  check(complaints.length > 0, 'the policy does not complain');
  opened.problems = opened.problems.filter(p => !complaints.includes(p));
  return opened;
});
