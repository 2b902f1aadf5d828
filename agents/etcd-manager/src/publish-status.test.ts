import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { machineClock } from './clock.ts';
import { etcdsOnNetwork } from './etcd/etcds.ts';
import type { OwnState } from './own-member.ts';
import { publishOwnStatus } from './publish-status.ts';
import { WELL_MEMBER } from './testing/well-member.ts';

const signal = new AbortController().signal;
const CONFIG = {
  backupPath: 'demo/backups/etcd/main',
  etcdVersion: '3.5.30',
  binDir: '/opt/etcd',
  env: [] as EtcdClusterConfig['env'],
} as EtcdClusterConfig; // Only what a status needs.

function machine(state: OwnState | undefined) {
  const told: unknown[] = [];
  const store = createMemoryStore();
  return {
    told,
    store,
    env: {
      address: '10.0.0.1',
      store,
      etcds: { ...etcdsOnNetwork, askIfThere: async () => undefined },
      clock: machineClock,
      machine: { diskFault: async () => undefined },
      own: { state },
      leadership: { isHeld: false, epoch: 1 },
      memory: { advice: undefined },
      onStatus: (status: { readonly member: string } | undefined) => told.push(status?.member),
      onPublished: () => told.push('published'),
    },
  };
}

test('a status is told before it is written, and again once the store has accepted it', async () => {
  const { told, env, store } = machine(WELL_MEMBER);
  expect(await publishOwnStatus(CONFIG, env, signal)).toBe(true);
  expect(told).toEqual(['a', 'published']);
  const refusing = { ...store, read: () => Promise.reject(new Error('refused')) };
  told.length = 0;
  await expect(publishOwnStatus(CONFIG, { ...env, store: refusing }, signal)).rejects.toThrow('refused');
  expect(told).toEqual(['a']);
});

test('it is told that the volume is not there', async () => {
  const { told, env } = machine(undefined);
  expect(await publishOwnStatus(CONFIG, env, signal)).toBe(false);
  expect(told).toEqual([undefined]);
});
