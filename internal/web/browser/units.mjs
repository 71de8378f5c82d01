// Parts of the page that need no browser. node units.mjs

import assert from 'node:assert/strict';
import {matcher, words} from '../src/match.js';
import {short, bitrate, percent, span, count} from '../src/format.js';

const row = {text: 'leaf01 mf0;leaf01:mqm8700/u1 0xfc6a quantum', names: ['leaf01', 'mqm8700'], field: id => ({lid: 7, role: 'leaf', errors: 12, use: 80.5})[id]};
for (const [query, want] of [
  ['', true], ['leaf', true], ['LEAF01', true], ['leaf02', false], ['leaf*', true], ['*eaf0?', true], ['lea?', false], ['-spine', true], ['-leaf', false],
  ['role:leaf', true], ['role:spine', false], ['lid:7', true], ['lid:70', false], ['errors>11', true], ['errors>12', false], ['errors<13', true], ['use>50', true],
  ['leaf quantum', true], ['leaf spine', false], ['nofield:x', false], ['role:l*f', true], ['-role:leaf', false], ['a(b', false], ['[', false], ['\\', false], ['*', true], ['leaf01:mqm', true],
]) assert.equal(matcher(query)(row), want, query);
assert.deepEqual(words('a "b c" -d kind:"x y"'), ['a', 'b c', '-d', 'kind:x y']);
for (const [n, want] of [[0, '0'], [7, '7'], [999, '999'], [1000, '1.00 k'], [99949, '99.9 k'], [123456, '123 k'], [2.5e9, '2.50 G']]) assert.equal(short(n), want);
assert.equal(bitrate(25e9), '200 Gb/s');
assert.equal(bitrate(10), '80 b/s');
assert.equal(bitrate(0), '0');
assert.deepEqual([0, 0.05, 0.42, 1].map(s => percent(s)), ['0 %', '5.0 %', '42 %', '100 %']);
assert.deepEqual([5, 61, 7200, 400000].map(s => span(s)), ['5 s', '1 min', '2 h', '4 d']);
assert.equal(count(12345), '12,345');
