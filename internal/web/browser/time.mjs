// How long it takes until one can use the page, and how fast it is then. Prints JSON.
// node time.mjs URL

import process from 'node:process';
import {open, main} from './lib.mjs';

main(async check => {
  const opened = await open(process.argv[2]), {page} = opened;
  const timed = async act => {
    const began = Date.now();
    await act();
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    return Date.now() - began;
  };
  const found = {ready: opened.ready, page: Number(await page.evaluate(() => document.documentElement.dataset.ready))};
  found.search = await timed(() => page.locator('#search input').fill('node0123'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  found.list = await timed(() => page.keyboard.press('l'));
  found.filter = await timed(() => page.locator('#lists .filter').fill('leaf'));
  found.sort = await timed(() => page.locator('#lists th button', {hasText: 'From'}).click());
  await page.keyboard.press('m');
  found.view = await timed(async () => {
    const last = page.locator('#controls .segments button').last();
    await last.click();
    await page.waitForFunction(() => document.querySelector('#controls .segments button:last-child').getAttribute('aria-pressed') === 'true');
  });
  found.frame = await page.evaluate(async () => {
    const area = document.getElementById('area'), r = area.getBoundingClientRect(), began = performance.now();
    for (let i = 0; i < 5; i++) {
      area.dispatchEvent(new WheelEvent('wheel', {deltaY: -40, clientX: r.left + 400, clientY: r.top + 300, cancelable: true}));
      await new Promise(done => requestAnimationFrame(done));
    }
    return Math.round((performance.now() - began) / 5);
  });
  check(found.ready > 0, 'no time');
  console.log(JSON.stringify(found));
  return opened;
});
