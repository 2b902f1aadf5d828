import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { ActionContext } from './phases/action.ts';
import { openStateStore } from './phases/open-store.ts';
import { planCluster } from './plan-cluster.ts';
import { makeUpHashes } from './testing/make-up-hashes.ts';

const NAME = 'demo.k8s.local';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-plan-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('A plan that is stopped while it is made is not saved', async () => {
  const stop = new AbortController();
  const context: ActionContext = {
    state: `file://${folder}/state`,
    name: NAME,
    env: {},
    signal: stop.signal,
    onEvent: (event) => event.type === 'task' && stop.abort(),
  };
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'] };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: true });
  await makeUpHashes(await openStateStore(context), NAME);
  const planned = await planCluster(context, { scope: { prune: false }, out: join(folder, 'plan') });
  expect(planned.result).toMatchObject({ cancelled: true, failed: 0 });
  expect(await readdir(folder)).not.toContain('plan');
});
