import { expect, test } from 'vitest';
import type { AddonStatus } from '../follow/list-addons.ts';
import { addonDrift } from './plan-addon-drift.ts';

const noted = (name: string, manifestHash: string, failure?: string): AddonStatus => ({
  name,
  manifestHash,
  objects: 1,
  status: failure === undefined ? 'applied' : 'failed',
  ...(failure === undefined ? {} : { failure }),
});
const WANTED = [
  { name: 'coredns', manifestHash: 'c1' },
  { name: 'flannel', manifestHash: 'f1' },
];
const told = (...addons: readonly AddonStatus[]) =>
  addonDrift(WANTED, addons).map(({ name, message }) => `${name}: ${message}`);

test('addons with the manifests of the channel are as wanted', () => {
  expect(told(noted('coredns', 'c1'), noted('flannel', 'f1'))).toEqual([]);
});

test('an addon that is missing, older or failed is told, each once', () => {
  expect(told(noted('flannel', 'f0'))).toEqual([
    'coredns: is not applied yet',
    'flannel: its new manifest is not applied yet',
  ]);
  expect(told(noted('coredns', '', 'no webhook answers'), noted('flannel', 'f1'))).toEqual([
    'coredns: no webhook answers',
  ]);
});

test('an addon of kops is as wanted until its control planes are replaced', () => {
  const wanted = [{ name: 'coredns', manifestHash: 'c1', hashOfKops: 'k1' }];
  expect(addonDrift(wanted, [noted('coredns', 'k1')])).toEqual([]);
  expect(addonDrift(wanted, [noted('coredns', 'c0')])).toHaveLength(1);
});

test('an addon of another channel is asked only whether it failed', () => {
  const all = [noted('coredns', 'c1'), noted('flannel', 'f1')];
  expect(told(...all, noted('mine', 'm'))).toEqual([]);
  expect(told(...all, noted('channel-mine', '', 'unreadable'))).toEqual(['channel-mine: unreadable']);
});
