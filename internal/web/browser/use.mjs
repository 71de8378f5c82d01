// What one does with the page: search, choose, filter, sort, paths, comparisons, and
// what changes by itself. node use.mjs URL

import process from 'node:process';
import {open, main, control, text, until} from './lib.mjs';

main(async check => {
  const opened = await open(process.argv[2]), {page} = opened;
  await search(page, check);
  await point(page, check);
  await panels(page, check);
  await lists(page, check);
  await path(page, check);
  await keys(page, check);
  await live(page, check);
  await compare(page, check);
  await reload(page, check);
  return opened;
});

async function search(page, check) {
  for (const [query, name] of [['node0003', 'node0003 mlx5_0'], ['LEAF02', 'leaf02'], ['spine*', 'spine01']]) {
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    await page.keyboard.press('Enter');
    await until(page, '#panel h2', new RegExp('^' + name + '$'));
    await page.keyboard.press('Escape');
  }
  const guid = (await text(page, '#panel dd .mono')).trim();
  const lid = await page.locator('#panel dt:text-is("LID") + dd').innerText();
  for (const query of [guid, guid.slice(2), lid]) {
    await page.locator('#search input').fill(query);
    await page.locator('#search input').press('Enter');
    check((await text(page, '#panel h2')).startsWith('spine'), 'searching for ' + query + ' finds ' + await text(page, '#panel h2'));
    check(/^1 of /.test(await text(page, '.found')), 'the number found is ' + await text(page, '.found'));
  }
  await page.locator('#search input').fill('nobody');
  check(await text(page, '.found') === 'none', 'nobody is found: ' + await text(page, '.found'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** The pointer on a line tells both ends. */
async function point(page, check) {
  await page.locator('#area').focus();
  await page.keyboard.press('0');
  await page.waitForTimeout(600);
  const box = await page.locator('#area').boundingBox();
  let both = false;
  for (let y = 0.2; y < 0.8 && !both; y += 0.02) {
    for (let x = 0.3; x < 0.8 && !both; x += 0.02) {
      await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
      const tip = await page.locator('#tip').textContent();
      both = (tip.match(/ port /g) || []).length === 2;
      if (both) {
        await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
        await until(page, '#panel h2', /^(Link|\d+ links)$/);
      }
    }
  }
  check(both, 'no line tells both ends');
  await page.keyboard.press('Escape');
}

async function panels(page, check) {
  await page.locator('#search input').fill('leaf01');
  await page.locator('#search input').press('Enter');
  await until(page, '#panel table', /node0001 mlx5_0/);
  await page.locator('#panel table tbody tr').first().locator('th button').click();
  await until(page, '#panel .ends', /leaf01/);
  const ends = await page.locator('#panel .end').allInnerTexts();
  check(ends.length === 2 && ends.every(e => /port \d+/.test(e)), 'the ends of a link are ' + ends);
  await until(page, '#panel', /xmit bytes/);
  const numbers = await page.locator('#panel table tbody tr', {hasText: 'xmit bytes'}).locator('td').allInnerTexts();
  check(numbers.length === 2 && numbers.every(n => /\d/.test(n)), 'counters of both ends are ' + numbers);
  await page.waitForSelector('#panel .uplot canvas');
  check(/ibscope trace 0x/.test(await text(page, '#panel .commands')), 'there is no command to copy');
  await page.locator('#panel .end button').nth(1).click();
  await until(page, '#panel h2', /node|leaf|spine/);
  await page.keyboard.press('Escape');
  check(await page.locator('#panel').isHidden(), 'Escape does not close the panel');
}

async function lists(page, check) {
  await page.keyboard.press('n');
  const rows = () => page.locator('#lists tbody tr[data-at]');
  const filter = page.locator('#lists .filter');
  for (const [query, want] of [['role:leaf', 4], ['node000?', 9], ['leaf -leaf01', 3], ['node000* node0001', 1], ['tier:2', 2], ['"node0001 mlx5_0"', 1], ['nobody', 0]]) {
    await filter.fill(query);
    check(await rows().count() === want, query + ' leaves ' + await rows().count() + ' rows, want ' + want);
  }
  await filter.fill('');
  const names = async () => (await rows().locator('td:first-child').allInnerTexts()).slice(0, 3).join();
  await page.locator('#lists th button', {hasText: 'Name'}).click();
  check(await names() === 'leaf01,leaf02,leaf03', 'by name: ' + await names());
  await page.locator('#lists th button', {hasText: 'Name'}).click();
  check(/^spine02,spine01/.test(await names()), 'by name, down: ' + await names());
  check(await page.locator('#lists th[aria-sort=descending]').count() === 1, 'aria-sort is not set');
  const count = await page.locator('#lists table').getAttribute('aria-rowcount');
  check(count === '23', 'aria-rowcount is ' + count);
  await page.keyboard.press('l');
  await page.locator('#lists .filter').fill('speed:hdr errors<1000');
  check(await rows().count() > 16, 'links by speed: ' + await rows().count());
  await rows().first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(page, '#panel h2', /^Link$/);
  check(await page.locator('#lists tr.chosen').getAttribute('aria-rowindex') === '3', 'the second row is not chosen');
  await page.keyboard.press('h');
  await until(page, '#lists .verdict', /healthy|degraded|failing/);
  await page.keyboard.press('e');
  await page.keyboard.press('m');
  await page.keyboard.press('Escape');
}

async function path(page, check) {
  await page.keyboard.press('p');
  for (const [label, name] of [['From', 'node0001'], ['To', 'node0016']]) {
    await page.locator(`#panel input[aria-label=${label}]`).fill(name);
    await page.locator(`#panel input[aria-label=${label}]`).press('Enter');
  }
  await until(page, '#panel .result', /4 hops/);
  const hops = await page.locator('#panel .hops li').allInnerTexts();
  check(hops.length === 5 && hops[0].startsWith('node0001') && hops[1].startsWith('leaf01') && hops[2].startsWith('spine') && hops[4].startsWith('node0016'), 'the hops are ' + hops);
  await until(page, '#panel .result .tables', /forwarding tables of the switches, read/);
  check(/ibscope trace 0x\w+ 0x\w+/.test(await text(page, '#panel .commands')), 'there is no command to copy');
  await page.locator('#panel button', {hasText: 'Swap'}).click();
  await page.waitForFunction(() => document.querySelector('#panel .hops li')?.innerText.startsWith('node0016'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  check(await page.locator('#panel').isHidden(), 'the tool does not close');
}

async function keys(page, check) {
  await page.locator('#search input').fill('spine01');
  await page.locator('#search input').press('Enter');
  await page.locator('#area').focus();
  await page.keyboard.press('ArrowRight');
  await until(page, '#panel h2', /^spine02$/);
  await page.keyboard.press('ArrowDown');
  await until(page, '#panel h2', /^leaf0\d$/);
  for (const key of ['+', '-', 'Shift+ArrowLeft', '0', '1', '2', '1']) await page.keyboard.press(key);
  await page.keyboard.press('?');
  check(await page.locator('#keys').isVisible(), 'there is no help');
  await page.keyboard.press('Escape');
  check(await page.locator('#keys').isHidden(), 'the help stays');
  await page.keyboard.press('Escape');
  await page.locator('#theme').click();
  await page.locator('#theme').click();
  check(await page.evaluate(() => document.documentElement.dataset.theme) === 'dark', 'it does not become dark');
  await page.locator('#theme').click();
  await page.locator('#mode').selectOption('use');
  check(/1 … 25 %|25 … 50 %/.test(await text(page, '#legend')), 'the legend is ' + await text(page, '#legend'));
  await page.locator('#legend button').first().click();
  await page.locator('#mode').selectOption('state');
}

let before = 0;

/** Things happen to the fabric, and the page tells of them without being touched. */
async function live(page, check) {
  await page.waitForTimeout(1500);
  before = Math.floor(Date.now() / 1000);
  await page.waitForTimeout(1500);
  await control('link down leaf01/5');
  await until(page, '#attention', /Down\s*1/);
  await control('kill node0007');
  await until(page, '#attention', /Nodes gone\s*1\s*node0007/);
  await control('speed leaf02/6 1xHDR');
  await until(page, '#attention', /Degraded\s*1/);
  await control('flap leaf03/6 times=10 period=2s down=500ms');
  await until(page, '#attention', /Flapping\s*1/);
  await page.locator('#attention section.degraded .kind').click();
  await until(page, '#panel', /Could be\s*4x HDR/);
  await until(page, '#panel', /Lanes are lost/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await until(page, '#lists tbody', /Link down[\s\S]*|Node gone/);
  const events = await text(page, '#lists tbody');
  for (const what of [/Link down.*\n?.*leaf01 port 5/, /Node gone.*\n?.*node0007/, /Link flaps/, /Lanes lost/]) check(what.test(events), 'no event ' + what + ' in ' + events);
  await page.keyboard.press('m');
}

/** What has changed since then: what is gone, and what is not as it was. */
async function compare(page, check) {
  await page.keyboard.press('c');
  const from = page.locator('#panel input[type=datetime-local]').first();
  const local = await page.evaluate(unix => new Date(unix * 1000 - new Date(unix * 1000).getTimezoneOffset() * 60000).toISOString().slice(0, 19), before);
  await from.fill(local);
  await from.blur();
  await until(page, '#panel .result', /Gone/);
  const changes = await text(page, '#panel .changes');
  check(/node0007/.test(changes) && /leaf01/.test(changes), 'the changes are ' + changes);
  await page.locator('#panel .chip', {hasText: 'Changed'}).click();
  check(!/removed/.test(await page.locator('#panel .changes').innerHTML()), 'the chip does not choose');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** The address names what one sees. */
async function reload(page, check) {
  await page.locator('#search input').fill('node0005');
  await page.locator('#search input').press('Enter');
  await page.waitForFunction(() => location.hash.includes('node=0x'));
  await page.reload();
  await until(page, '#panel h2', /^node0005 mlx5_0$/);
}
