import { expect, test } from 'vitest';
import { parseDottedKey, renderToml, withValue } from './toml.ts';

test('values of a table precede its subtables, and a table that contains only tables has no header', () => {
  const text = renderToml({ a: { b: { inner: { z: 1 }, list: ['x', 'y'], on: true } }, version: 2 });
  expect(text).toBe('version = 2\n\n[a.b]\nlist = ["x", "y"]\non = true\n\n[a.b.inner]\nz = 1\n');
});

test('keys and texts are quoted and escaped if TOML requires it', () => {
  expect(renderToml({ 'a.b': 'say "hi"\n\u007f', 'c-d_1': '' })).toBe('"a.b" = "say \\"hi\\"\\n\\u007f"\nc-d_1 = ""\n');
});

test('undefined values are omitted, empty tables are not', () => {
  expect(renderToml({ a: undefined, b: {} })).toBe('[b]\n');
});

test.each([
  ['plain', ['plain']],
  ['a.b-c.d_1', ['a', 'b-c', 'd_1']],
  [`plugins."io.containerd.grpc.v1.cri".x`, ['plugins', 'io.containerd.grpc.v1.cri', 'x']],
  [`plugins.'io.x'.y`, ['plugins', 'io.x', 'y']],
  [`"say \\"hi\\"".b`, ['say "hi"', 'b']],
  ['a . b', ['a', 'b']],
])('%s is a dotted key', (text, parts) => {
  expect(parseDottedKey(text)).toEqual(parts);
});

test.each(['', 'a.', '.a', 'a b', 'a..b', '"a', 'a=b'])('%j is not a dotted key', (text) => {
  expect(parseDottedKey(text)).toBeUndefined();
});

test('setting a value does not change other values', () => {
  const table = { a: { b: 1, c: { d: 2 } }, e: 3 };
  expect(withValue(table, ['a', 'c', 'f'], 'new')).toEqual({ a: { b: 1, c: { d: 2, f: 'new' } }, e: 3 });
  expect(withValue(table, ['x', 'y'], true)).toEqual({ ...table, x: { y: true } });
});
