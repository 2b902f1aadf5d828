import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKeypair } from './change-keypairs.ts';
import { createCluster } from './create-cluster.ts';
import type { ActionContext } from './phases/action.ts';

const NAME = 'demo.k8s.local';

let folder: string;
let context: ActionContext;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-keypairs-'));
  const { signal } = new AbortController();
  context = { state: `file://${folder}/state`, name: NAME, env: {}, signal, onEvent: () => undefined };
  const flags = { name: NAME, cloud: 'metal', zones: ['room-1'] };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: true });
});
afterEach(() => rm(folder, { recursive: true }));

test('the first pair of a new cluster has to be primary, and the error says so', async () => {
  const wanted = { keyset: 'kubernetes-ca' };
  await expect(createKeypair(context, { ...wanted, primary: false })).rejects.toMatchObject({
    message: expect.stringContaining('has no keysets yet'),
    next: expect.stringContaining('--primary'),
  });
  const { changed } = await createKeypair(context, { ...wanted, primary: true });
  expect(changed).toMatchObject([{ keyset: 'kubernetes-ca', change: 'created as primary' }]);
});
