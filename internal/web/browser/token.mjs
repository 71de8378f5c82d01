// A service that wants a token: the page asks for it, refuses a wrong one, works with the
// right one, live, and keeps it in its tab alone. node token.mjs URL TOKEN

import process from 'node:process';
import {begin, main, until} from './lib.mjs';

const [url, token] = process.argv.slice(2), wrong = 'wrong-token-of-nobody';

main(async check => {
  const urls = [];
  const opened = await begin(url), {page} = opened;
  page.on('request', r => urls.push(r.url()));
  await page.goto(url, {waitUntil: 'commit'});
  const enter = async text => {
    await page.locator('#login input').fill(text);
    await page.locator('#login button').click();
  };
  await until(page, '#login', /a token is needed/);
  await enter(wrong);
  await until(page, '#login', /not one of those/);
  await enter(token);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, {polling: 50});
  check(!await page.locator('#login').isVisible(), 'the dialog stays');
  const stream = urls.filter(u => u.includes('/events/stream'));
  if (!stream.length) await page.waitForRequest(/events\/stream/);
  const live = await page.evaluate(async () => {
    const r = await fetch('api/v1/events/stream', {headers: {Authorization: 'Bearer ' + sessionStorage.getItem('token')}});
    const {value} = await r.body.getReader().read();
    return r.status + ' ' + new TextDecoder().decode(value).slice(0, 1);
  });
  check(live === '200 :', 'the stream: ' + live);
  const kept = await page.evaluate(() => ({local: JSON.stringify(localStorage), session: sessionStorage.getItem('token'), cookie: document.cookie, at: location.href}));
  check(kept.session === token, 'the tab does not keep it: ' + kept.session);
  check(!(kept.local + kept.cookie + kept.at).includes(token), 'it is kept elsewhere');
  check(!urls.some(u => u.includes(token) || u.includes(wrong)), 'it is in a URL');
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, {polling: 50});
  check(!await page.locator('#login').isVisible(), 'the tab asks again');
  opened.problems = opened.problems.filter(p => !/status of 401/.test(p)); // the browser says so of each
  return opened;
});
