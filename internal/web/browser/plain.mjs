// The map in a browser without WebGL: it is drawn, and answers. IBSCOPE_BROWSER=plain
// node plain.mjs URL

import process from 'node:process';
import {open, main, until} from './lib.mjs';

main(async check => {
  const opened = await open(process.argv[2]), {page} = opened;
  await page.waitForTimeout(500);
  const drawn = await page.evaluate(() => {
    const c = document.getElementById('canvas'), d = c.getContext('2d')?.getImageData(0, 0, c.width, c.height).data;
    if (!d) return 'it is no 2D canvas';
    const colours = new Set();
    for (let i = 0; i < d.length; i += 4) colours.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
    return colours.size > 10 ? '' : colours.size + ' colours';
  });
  check(drawn === '', 'the map is not drawn: ' + drawn);
  await page.locator('#search input').fill('leaf01');
  await page.locator('#search input').press('Enter');
  await until(page, '#panel h2', /^leaf01$/);
  for (const key of ['1', '2', '+', '-', '0']) {
    await page.locator('#area').focus();
    await page.keyboard.press(key);
  }
  await page.waitForTimeout(300);
  opened.problems = opened.problems.filter(p => !/WebGL/.test(p)); // the browser says that it has none
  return opened;
});
