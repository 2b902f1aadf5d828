import { expect, test } from 'vitest';
import type { InstanceType } from './instance-type.ts';
import { flexibly, like, selectTypes, type TypeWishes } from './select-types.ts';

const type = (name: string, vcpus: number, gib: number, more: Partial<InstanceType> = {}): InstanceType => ({
  name,
  vcpus,
  memoryMib: gib * 1024,
  architectures: ['amd64'],
  gpus: 0,
  gpuMemoryMib: 0,
  networkInterfaces: 3,
  isBurstable: false,
  isCurrent: true,
  isBareMetal: false,
  usageClasses: ['on-demand', 'spot'],
  placementStrategies: ['spread'],
  hasEna: true,
  ...more,
});

const TYPES = [
  type('m5.xlarge', 4, 16),
  type('c5.xlarge', 4, 8),
  type('c5.large', 2, 4),
  type('t3.medium', 2, 4, { isBurstable: true }),
  type('m3.large', 2, 7.5, { isCurrent: false, usageClasses: ['on-demand'] }),
  type('m6g.large', 2, 8, { architectures: ['arm64'] }),
  type('g4dn.xlarge', 4, 16, { gpus: 1, gpuMemoryMib: 16 * 1024 }),
];

const ANY: TypeWishes = { architecture: 'amd64', usageClass: 'on-demand', onlyCurrent: false, maxResults: 20 };

test.each([
  [{ vcpus: { min: 2, max: 4 }, memoryMib: { min: 2048, max: 4096 } }, ['c5.large', 't3.medium']],
  [{ vcpus: { min: 4 }, memoryPerVcpuMib: 2048 }, ['c5.xlarge']],
  [{ usageClass: 'spot', vcpus: { max: 2 }, isBurstable: false }, ['c5.large']],
  [{ architecture: 'arm64' as const }, ['m6g.large']],
  [{ gpus: { min: 1 } }, ['g4dn.xlarge']],
  [{ onlyCurrent: true, allowed: /^m/ }, ['m5.xlarge']],
  [{ denied: /^[cgt]/, maxResults: 1 }, ['m3.large']],
])('%j selects %j', (wishes, names) => {
  expect(selectTypes(TYPES, { ...ANY, ...wishes }).map(({ name }) => name)).toEqual(names);
});

test('types like another one have its processors and about its memory', () => {
  const [base] = TYPES;
  if (base === undefined) throw new Error('there is a first type');
  expect(selectTypes(TYPES, { ...ANY, ...like(base) }).map(({ name }) => name)).toEqual(['m5.xlarge']);
});

test.each([
  ['4 processors with 8 GiB where no size is asked for', {}, ['c5.xlarge']],
  ['the ratio that is asked for', { memoryPerVcpuMib: 4096 }, ['g4dn.xlarge', 'm5.xlarge']],
  ['the size that is asked for, of current types', { vcpus: { max: 2 } }, ['c5.large']],
  ['burstable types where they are asked for', { vcpus: { max: 2 }, isBurstable: true }, ['t3.medium']],
])('flexible wishes select %s', (_what, wishes, names) => {
  expect(selectTypes(TYPES, flexibly({ ...ANY, ...wishes })).map(({ name }) => name)).toEqual(names);
});
