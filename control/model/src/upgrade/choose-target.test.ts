import { expect, test } from 'vitest';
import { chooseTarget } from './choose-target.ts';
import { STABLE_CHANNEL } from './stable-channel.ts';

const choose = (applied: string, named?: string) =>
  chooseTarget({ cluster: 'demo', applied, named, channel: STABLE_CHANNEL });

test('The version that the channel recommends is the target, and the newest patch is named', () => {
  expect(choose('1.34.4')).toEqual({
    version: '1.36.3',
    remarks: ['The newest patch of its minor version is 1.34.10: --kubernetes-version 1.34.10 goes no further.'],
  });
});

test('A cluster that is newer than the channel stays as it is', () => {
  const { version, remarks } = choose('1.36.9');
  expect(version).toBe('1.36.9');
  expect(remarks).toEqual(['Kubernetes 1.36.9 is newer than 1.36.3, which the channel recommends.']);
});

test('A version that the channel no longer supports is told', () => {
  expect(choose('1.30.2').remarks[0]).toBe(
    'The channel requires Kubernetes 1.32.0 or newer; 1.30.2 is no longer supported.',
  );
});

test('A version that a person names counts, an older patch too', () => {
  expect(choose('1.34.4', 'v1.35.1').version).toBe('1.35.1');
  expect(choose('1.34.4', '1.34.1').version).toBe('1.34.1');
});

test.each([
  ['1.35', 'is not a version'],
  ['newest', 'is not a version'],
  ['1.33.9', 'goes back a minor version'],
])('%s is refused', (named, why) => {
  expect(() => choose('1.34.4', named)).toThrow(why);
});
