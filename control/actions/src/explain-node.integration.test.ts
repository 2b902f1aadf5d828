import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { editObject } from './edit-object.ts';
import { explainNode } from './explain-node.ts';
import type { ActionContext } from './phases/action.ts';

let folder: string;
let context: ActionContext;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-explain-node-'));
  const env = { KUBECONFIG: join(folder, 'kubeconfig') };
  context = { state: `file://${folder}/state`, env, signal: new AbortController().signal, onEvent: () => undefined };
});
afterEach(() => rm(folder, { recursive: true }));

test('A group whose spec names no size lacks the machines that completion gives it', async () => {
  const flags = { name: 'demo.example.com', cloud: 'metal', zones: ['main'] };
  await createCluster(context, { flags, dryRun: false, yes: false, offline: true });
  const edit = { set: [], unset: ['spec.minSize', 'spec.maxSize'] };
  await editObject(context, { kind: 'InstanceGroup', name: 'nodes-main', edit });
  expect(await explainNode(context, 'nodes-main')).toMatchObject({
    group: { found: 0, wanted: 2 },
    findings: [{ what: 'the cloud has 0 of 2 machines of the instance group nodes-main' }, {}],
  });
});
