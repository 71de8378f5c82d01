// Pictures for the documents. node pictures.mjs URL FOLDER NAME [QUERY …]: of the map as
// it is, light and dark, and of what happens where a query is given.

import process from 'node:process';
import {open, main} from './lib.mjs';

const [url, folder, name, dark, ...steps] = process.argv.slice(2);

main(async () => {
  const opened = await open(url, {viewport: {width: 1280, height: 760}, colorScheme: dark === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce'}), {page} = opened;
  await page.waitForTimeout(1200);
  for (const step of steps) {
    const [act, selector, value] = step.split('|');
    if (act === 'click') await page.locator(selector).first().click();
    if (act === 'fill') await page.locator(selector).first().fill(value);
    if (act === 'press') await page.locator(selector).first().press(value);
    await page.waitForTimeout(500);
  }
  await page.mouse.move(640, 755);
  await page.waitForTimeout(1500);
  await page.screenshot({path: folder + '/' + name + '.png', animations: 'disabled'});
  return opened;
});
