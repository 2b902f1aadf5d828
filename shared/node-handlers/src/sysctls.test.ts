import { expect, test } from 'vitest';
import { sysctlsHandler } from './sysctls.ts';

const props = sysctlsHandler.parse({ values: { 'net.ipv4.tcp_rmem': '4096  87380 6291456', 'kernel.panic': '10' } });
const found = (panic: object) => [
  { key: 'net.ipv4.tcp_rmem', value: '4096 87380 6291456' },
  { key: 'kernel.panic', value: '0', ...panic },
];

test('values that differ only in their blanks are the same', () => {
  expect(sysctlsHandler.plan('all', props, found({ value: '10' }))).toEqual([]);
});

test('only what differs is set, with both values shown', () => {
  expect(sysctlsHandler.plan('all', props, found({}))).toEqual([
    {
      action: 'set',
      key: 'kernel.panic',
      summary: 'set kernel.panic = 10',
      changes: [{ path: 'kernel.panic', from: '0', to: '10' }],
    },
  ]);
});

test('what this host refuses is not a step but a warning that names it', () => {
  const actual = found({ refusal: 'read-only on this host' });
  expect(sysctlsHandler.plan('all', props, actual)).toEqual([]);
  expect(sysctlsHandler.warnings?.('all', props, actual)).toEqual([
    'kernel.panic stays 0, not 10: read-only on this host',
  ]);
});

test('a refused setting that has the wanted value anyway is not worth a word', () => {
  const actual = found({ value: '10', refusal: 'read-only on this host' });
  expect(sysctlsHandler.warnings?.('all', props, actual)).toEqual([]);
});
