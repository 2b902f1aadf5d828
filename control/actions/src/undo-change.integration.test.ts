import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printLock } from '@kopsctl/state-store/lock-record.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { editObject } from './edit-object.ts';
import type { ActionContext } from './phases/action.ts';
import { undoChange } from './undo-change.ts';

const NAME = 'demo.example.com';
const HELD = { id: '1', owner: 'ann@laptop', purpose: 'instancegroup', isReleased: false };

let folder: string;
let context: ActionContext;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-undo-'));
  const state = `file://${folder}/state`;
  const author = { who: 'bob@laptop', command: 'set' };
  context = { state, env: {}, author, signal: new AbortController().signal, onEvent: () => undefined };
});
afterEach(() => rm(folder, { recursive: true }));

test('An undo is shown, and refused, while somebody else changes the cluster', async () => {
  const flags = { name: NAME, cloud: 'metal', zones: ['main'] };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: true });
  const edit = { set: ['spec.kubernetesVersion=1.35.0'], unset: [] };
  await editObject(context, { kind: 'Cluster', name: NAME, edit });
  const store = await openStore(context.state ?? '', {});
  const version = async () =>
    /kubernetesVersion: (.*)/.exec(new TextDecoder().decode((await store.read(`${NAME}/config`))?.bytes))?.[1];

  const now = Date.now();
  const lock = printLock({ ...HELD, acquiredMs: now, expiresMs: now + 60_000 });
  await store.write(`${NAME}/lock`, lock, { ifAbsent: true });
  expect((await undoChange(context, { yes: false })).differences).toMatchObject([{ path: 'config' }]);
  await expect(undoChange(context, { yes: true })).rejects.toThrow('ann@laptop has held it for "instancegroup"');
  expect(await version()).toBe('1.35.0');

  await rm(join(folder, 'state', NAME, 'lock'));
  await undoChange(context, { yes: true });
  expect(await version()).not.toBe('1.35.0');
});

test('An undo of no cluster leaves nothing behind in the store', async () => {
  await expect(undoChange(context, { cluster: NAME, yes: true })).rejects.toThrow(NAME);
  const store = await openStore(context.state ?? '', {});
  expect(await store.list(NAME)).toEqual([]);
});
