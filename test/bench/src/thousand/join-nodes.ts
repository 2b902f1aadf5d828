import { setTimeout as sleep } from 'node:timers/promises';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import type { ToyMachine, ToyService } from '@kopsctl/test-clouds/toy-cloud/node/toy-things.ts';
import { isFirst, joinsTogether } from './join-together.ts';

/** Which machine a Node belongs to: the next machine of that name has another address. */
const ADDRESS = 'bench/address';
const EVERY_MS = 200;
/** A kubelet reports this many images (nodeStatusMaxImages), with a name and a digest each. */
export const IMAGES = Array.from({ length: 50 }, (_, index) => ({
  names: [
    `registry.example.com/team/application-${index}@sha256:${String(index).padStart(64, '0')}`,
    `registry.example.com/team/application-${index}:v1.2.3`,
  ],
  sizeBytes: 100_000_000 + index,
}));

/**
 * Makes the Nodes of the toy cloud's machines as kubelets would, and deletes those of machines that are gone; kwok keeps
 * them Ready. New machines join together, as many as may be missing at once.
 */
export async function joinNodes(toy: ToyService, kube: KubeClient, atOnce: number, signal: AbortSignal): Promise<void> {
  const mayJoin = joinsTogether(atOnce, Date.now);
  const joined = new Map<string, string>();
  while (!signal.aborted) {
    const machines = new Map((await toy.machines.list()).map((machine) => [machine.name, machine]));
    const gone = [...joined].filter(([name, address]) => machines.get(name)?.address !== address);
    await inTurns(gone, async ([name]) => {
      await kube.remove(`/api/v1/nodes/${name}`, signal);
      joined.delete(name);
    });
    const waiting = [...machines.values()].filter(({ name }) => !joined.has(name));
    const fresh = waiting.filter((machine) => !isFirst(machine));
    const joining = mayJoin(fresh.length) ? waiting : waiting.filter(isFirst);
    await inTurns(joining, async (machine) => {
      await join(machine, kube, signal);
      joined.set(machine.name, machine.address);
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function join({ name, address, role }: ToyMachine, kube: KubeClient, signal: AbortSignal): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name };
  const metadata = { name, labels, annotations: { 'kwok.x-k8s.io/node': 'fake', [ADDRESS]: address } };
  await unlessThere(kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata }, signal));
  await kube.mergePatch(`/api/v1/nodes/${name}/status`, { status: { images: IMAGES } }, signal);
  await staticPods(name, COMPONENTS[role] ?? ['kube-proxy'], kube, signal);
}

const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  ControlPlane: ['kube-proxy', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'],
};

async function staticPods(
  node: string,
  components: readonly string[],
  kube: KubeClient,
  signal: AbortSignal,
): Promise<void> {
  const pods = '/api/v1/namespaces/kube-system/pods';
  for (const component of components) {
    const name = `${component}-${node}`;
    const spec = {
      nodeName: node,
      priorityClassName: 'system-node-critical',
      automountServiceAccountToken: false,
      containers: [{ name: component, image: component }],
    };
    await unlessThere(kube.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }, signal));
  }
}

async function unlessThere(creating: Promise<unknown>): Promise<void> {
  await creating.catch((error: unknown) => {
    if (!(error instanceof KubeError) || error.status !== 409) throw error;
  });
}

/** Waits until that many Nodes are Ready. */
export async function untilReady(count: number, kube: KubeClient, signal: AbortSignal): Promise<void> {
  for (;;) {
    let ready = 0;
    await listObjects(kube, '/api/v1/nodes', signal, (node) => {
      const conditions = asRecord(asRecord(node)['status'])['conditions'];
      const isReady =
        Array.isArray(conditions) &&
        conditions.some((one) => asString(asRecord(one)['type']) === 'Ready' && asRecord(one)['status'] === 'True');
      if (isReady) ready += 1;
    });
    if (ready >= count) return;
    await sleep(1_000, undefined, { signal });
  }
}

const AT_ONCE = 16;

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
