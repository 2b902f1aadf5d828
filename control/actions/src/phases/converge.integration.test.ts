import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import type { ActionContext } from './action.ts';
import { openConvergence, type Scope } from './converge.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

const NAME = 'demo.local.test';
const STORE = 'memory://s';
const MACHINE = {
  name: 'nodes-9',
  nodeName: 'nodes-9',
  instanceGroup: 'nodes',
  role: 'Node',
  zone: 'a',
  tags: {},
  userDataHash: '',
  layers: [],
  address: '172.30.0.10',
  machineId: '0',
  wanted: 'running',
  createdMs: 0,
};

/** What pruning would delete of a cluster that wants nothing and has one machine. */
async function pruned(scope: Scope, isPart = false): Promise<readonly string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'kopsctl-converge-'));
  try {
    await mkdir(join(dir, NAME, 'machines/nodes-9'), { recursive: true });
    const network = { cidr: '172.30.0.0/24', storeUrl: STORE, assetsDir: '/a', layers: [], apiPort: 1 };
    await writeFile(join(dir, NAME, 'network.json'), JSON.stringify(network));
    await writeFile(join(dir, NAME, 'machines/nodes-9/machine.json'), JSON.stringify(MACHINE));
    const prepared: PreparedCluster = {
      store: createMemoryStore({ url: STORE }),
      name: NAME,
      completed: {
        cluster: {
          apiVersion: 'kops.k8s.io/v1alpha2',
          kind: 'Cluster',
          metadata: { name: NAME },
          spec: { cloudProvider: 'local' },
        },
        instanceGroups: [],
        origins: { cluster: {}, instanceGroups: {} },
        withoutValue: { cluster: {}, instanceGroups: {} },
      },
      tasks: [],
      isPart,
      unpinned: [],
      settings: { dir, assetsDir: '/a', stateIdentity: '', ownCommand: [] },
    };
    const { signal } = new AbortController();
    const context: ActionContext = { env: {}, signal, onEvent: () => {} };
    const { deletions } = await (await openConvergence(context, prepared, scope)).plan(signal);
    return deletions.map(({ id }) => id);
  } finally {
    await rm(dir, { recursive: true });
  }
}

test('Pruning takes away what is not wanted, but nothing that only a later phase makes', async () => {
  expect(await pruned({ prune: true })).toEqual(['local/Machine/nodes-9']);
  expect(await pruned({ prune: true, phase: 'network' })).toEqual([]);
  expect(await pruned({ prune: true, phase: 'cluster' })).toEqual(['local/Machine/nodes-9']);
});

test('Where the tasks are those of some groups, nothing is taken for unwanted', async () => {
  expect(await pruned({ prune: true }, true)).toEqual([]);
});
