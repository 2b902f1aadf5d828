import { expect, test } from 'vitest';
import type { Roll, Step } from '../rolling/roll.ts';
import { type GivingBack, whyKopsCannot } from './refuse-giving-back.ts';

const WELL: GivingBack = { cluster: 'demo', roll: undefined, operation: undefined, sealed: undefined, etcds: [] };

const rollAt = (step: Step): Roll => ({
  apiVersion: 'kopsctl.io/v1',
  kind: 'RollingUpdate',
  id: 'one',
  startedMs: 0,
  state: 'rolling',
  turns: [
    {
      id: 'i-1',
      name: 'i-1',
      node: 'i-1',
      instanceGroup: 'nodes',
      role: 'Node',
      address: '',
      why: '',
      step,
      sinceMs: 0,
      standing: 'counted',
      passes: 0,
    },
  ],
});
const etcd = (runs: string, ofKops: string | undefined) => ({ etcds: [{ name: 'main', runs: [runs], ofKops }] });

test.each<[string, Partial<GivingBack>, string]>([
  ['nothing is in the way', {}, ''],
  ['a machine may be cordoned', { roll: rollAt('drain') }, 'rolling update was left at the step drain of i-1'],
  ['machines only wait', { roll: rollAt('waiting') }, ''],
  ['a machine is on its way', { roll: rollAt('validate') }, ''],
  [
    'an upgrade was paused',
    {
      operation: {
        apiVersion: 'kopsctl.io/v1',
        kind: 'Upgrade',
        id: 'one',
        startedMs: 0,
        state: 'paused',
        stages: [],
      },
    },
    'an upgrade of it was left',
  ],
  ['a keyset is sealed', { sealed: { path: 'pki/private/a', sealedWith: 'age1x' } }, 'pki/private/a is sealed'],
  ['etcd has the version of kops', etcd('3.5.21', '3.5.9'), ''],
  ['etcd is newer', etcd('3.6.5', '3.5.21'), 'etcd main runs 3.6.5, and kops would run 3.5.21'],
  ['nobody says what kops would run', etcd('3.6.5', undefined), ''],
])('a cluster where %s', (_what, more, why) => {
  const found = whyKopsCannot({ ...WELL, ...more })?.why ?? '';
  expect([found === '', found]).toEqual([why === '', expect.stringContaining(why)]);
});
