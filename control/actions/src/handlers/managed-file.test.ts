import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { managedFileHandler } from './managed-file.ts';
import { storeEnv } from './store-env.ts';

const signal = new AbortController().signal;
const planOf = (group: string, version: string) =>
  `${JSON.stringify({ instanceGroup: group, tasks: [{ kind: 'File', content: `a\nversion ${version}\n` }] })}\n`;

test('a new plan of a group is shown as what it changes of the one before', async () => {
  const store = createMemoryStore({ url: 'memory://managed-file' });
  const env = storeEnv(store, 'demo.example.com');
  const [old, other] = [planOf('nodes', '1'), planOf('others', '9')];
  await store.write('demo.example.com/node-plans/old.json', Buffer.from(old), { ifAbsent: true });
  await store.write('demo.example.com/node-plans/other.json', Buffer.from(other), { ifAbsent: true });
  const props = { path: 'node-plans/new.json', content: planOf('nodes', '2') };
  const [step] = managedFileHandler.plan(
    'node-plan-nodes',
    props,
    await managedFileHandler.find('node-plan-nodes', props, env, signal),
  );
  expect(step?.summary).toMatch(/^write node-plans\/new\.json \(\d+ characters\) in place of old\.json$/);
  expect(step?.diff).toContain('-version 1\n+version 2\n');
  if (step === undefined) throw new Error('there is a step');
  await managedFileHandler.apply(step, 'node-plan-nodes', props, env, signal);
  const found = await managedFileHandler.find('node-plan-nodes', props, env, signal);
  expect(managedFileHandler.plan('node-plan-nodes', props, found)).toEqual([]);
});

test('the first plan of a group, and any other file, is written as a whole', async () => {
  const env = storeEnv(createMemoryStore({ url: 'memory://managed-file-2' }), 'demo.example.com');
  for (const props of [
    { path: 'node-plans/new.json', content: planOf('nodes', '1') },
    { path: 'cluster.spec', content: 'x' },
  ]) {
    const found = await managedFileHandler.find('f', props, env, signal);
    const [step] = managedFileHandler.plan('f', props, found);
    expect(step).toEqual({ action: 'create', summary: `write ${props.path} (${props.content.length} characters)` });
  }
});
