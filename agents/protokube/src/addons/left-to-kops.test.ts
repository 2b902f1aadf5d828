import type { KubeClient } from '@kopsctl/kube/client.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { leftToKops } from './left-to-kops.ts';

const CLUSTER = 'demo.example.com';
const CHANNEL = 'addons/bootstrap-channel.yaml';
const SIGNAL = new AbortController().signal;

interface Node {
  readonly name: string;
  readonly label: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const OURS = { 'kopsctl.io/protokube': '{}' };

async function left(nodes: readonly Node[], channel: string | undefined, text = 'spec: {addons: [{name: dns}]}') {
  const get = async (path: string) => {
    const label = decodeURIComponent(path.split('labelSelector=')[1] ?? '');
    const items = nodes.filter((node) => node.label === label);
    return { items: items.map(({ name, annotations }) => ({ metadata: { name, annotations } })) };
  };
  const store = createMemoryStore();
  await store.write(`${CLUSTER}/${CHANNEL}`, Buffer.from(text), { ifAbsent: true });
  // Nothing else of the client is used.
  const kube = { get } as unknown as KubeClient;
  const { nodes: found, addons } = await leftToKops(channel, { kube, store, cluster: CLUSTER }, SIGNAL);
  return { nodes: found, addons: [...addons] };
}

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const MASTER = 'node-role.kubernetes.io/master';

test('addons of its channel are left to kops while one of its control planes has a Node', async () => {
  const nodes = [
    { name: 'b', label: CONTROL_PLANE },
    { name: 'a', label: MASTER, annotations: { other: 'x' } },
    { name: 'c', label: CONTROL_PLANE, annotations: OURS },
  ];
  expect(await left(nodes, CHANNEL)).toEqual({ nodes: ['a', 'b'], addons: ['dns'] });
});

test('nothing is left to kops once all control planes are ours, whatever workers there are', async () => {
  const nodes = [
    { name: 'c', label: CONTROL_PLANE, annotations: OURS },
    { name: 'w', label: 'node-role.kubernetes.io/node' },
  ];
  expect(await left(nodes, CHANNEL)).toEqual({ nodes: [], addons: [] });
});

test('in a cluster that kops did not make, nobody is asked', async () => {
  expect(await left([{ name: 'b', label: CONTROL_PLANE }], undefined)).toEqual({ nodes: [], addons: [] });
});

test('a channel of kops without addons leaves it none', async () => {
  expect((await left([{ name: 'b', label: CONTROL_PLANE }], CHANNEL, 'spec: {}')).addons).toEqual([]);
});
