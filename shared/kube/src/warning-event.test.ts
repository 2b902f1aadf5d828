import { expect, test } from 'vitest';
import { createWarning, type Warning } from './warning-event.ts';

const NOW_MS = Date.parse('2026-01-02T12:00:00Z');

/** What is sent to create the event, and where. */
async function created(warning: Pick<Warning, 'about' | 'message'>) {
  const sent: { readonly path: string; readonly object: unknown }[] = [];
  const kube = { create: async (path: string, object: unknown) => sent.push({ path, object }) };
  const full = { reason: 'AddonFailed', component: 'protokube', ...warning };
  await createWarning(kube, full, NOW_MS, AbortSignal.timeout(10_000));
  return sent;
}

test('an event lies in the namespace of its object', async () => {
  const about = { kind: 'ConfigMap', name: 'addons', namespace: 'kube-system' };
  expect(await created({ about, message: 'why' })).toEqual([
    {
      path: '/api/v1/namespaces/kube-system/events',
      object: {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { generateName: 'addons-', namespace: 'kube-system' },
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'addons', namespace: 'kube-system' },
        type: 'Warning',
        reason: 'AddonFailed',
        message: 'why',
        source: { component: 'protokube' },
        firstTimestamp: '2026-01-02T12:00:00.000Z',
        lastTimestamp: '2026-01-02T12:00:00.000Z',
        count: 1,
      },
    },
  ]);
});

test('an event about an object of the cluster lies in the namespace default', async () => {
  const [sent] = await created({ about: { kind: 'Node', name: 'nodes-1', uid: 'nodes-1' }, message: 'why' });
  expect(sent).toMatchObject({
    path: '/api/v1/namespaces/default/events',
    object: {
      metadata: { namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'nodes-1', uid: 'nodes-1' },
    },
  });
});

test('a message is cut to what Kubernetes takes', async () => {
  const [sent] = await created({ about: { kind: 'Node', name: 'nodes-1' }, message: 'x'.repeat(2000) });
  expect(sent).toMatchObject({ object: { message: 'x'.repeat(1024) } });
});
