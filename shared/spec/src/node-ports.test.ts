import { expect, test } from 'vitest';
import { nodePortsOf, portRange } from './node-ports.ts';

test.each([
  ['30000-32767', { first: 30_000, last: 32_767 }],
  [' 30000+2767 ', { first: 30_000, last: 32_767 }],
  ['30000', { first: 30_000, last: 30_000 }],
  ['32767-30000', undefined],
  ['65000+1000', undefined],
  ['ports', undefined],
])('the ports %j', (text, range) => {
  expect(portRange(text)).toEqual(range);
});

test('firewalls and nodes get one form of the ports of Services', () => {
  expect(nodePortsOf({})).toBe('30000-32767');
  expect(nodePortsOf({ kubeAPIServer: { serviceNodePortRange: '31000+10' } })).toBe('31000-31010');
});
