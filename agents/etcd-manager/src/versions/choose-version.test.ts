import { expect, test } from 'vitest';
import { chooseVersion } from './choose-version.ts';

const OLD = '3.4.23';
const NEW = '3.5.30';
const BOTH = [NEW, OLD];

test('a member keeps the version that served its data until the record says otherwise', () => {
  expect(chooseVersion(OLD, NEW, BOTH)).toBe(OLD);
  expect(chooseVersion('3.4.1', NEW, BOTH)).toBe(OLD);
  expect(chooseVersion(OLD, NEW, [NEW])).toBeUndefined();
});

test('a member without data begins with the wanted version', () => {
  expect(chooseVersion(undefined, NEW, BOTH)).toBe(NEW);
  expect(chooseVersion(undefined, '3.6.1', BOTH)).toBe(NEW);
});

test('without a record, the running etcd stays, and data is served by the version that it names', () => {
  expect(chooseVersion(undefined, NEW, BOTH, { version: OLD, isRunning: true })).toBe(OLD);
  expect(chooseVersion(undefined, NEW, BOTH, { version: '3.4.0', isRunning: false })).toBe(OLD);
  expect(chooseVersion(undefined, NEW, [NEW], { version: '3.4.0', isRunning: false })).toBeUndefined();
});

test('if nothing tells the version, a running etcd is left alone, and otherwise the oldest one starts', () => {
  expect(chooseVersion(undefined, NEW, BOTH, { isRunning: true })).toBeUndefined();
  expect(chooseVersion(undefined, NEW, BOTH, { isRunning: false })).toBe(OLD);
});
