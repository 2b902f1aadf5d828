import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Log } from '@kopsctl/agent/log.ts';
import { type KubeClient, KubeError } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import { Leadership } from '../leader/reconcile-lease.ts';
import { planPodNetworks } from './plan-pod-networks.ts';
import { reconcilePodNetworks } from './reconcile-pod-networks.ts';
import { NETWORK_LABEL, networkLabel } from './route-labels.ts';

/** Sixteen networks: more than the nodes of a case have names. */
const RANGE = '10.0.0.0/20';
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A Node as far as networks go. */
interface AnyNode {
  readonly createdMs: number;
  readonly podCIDR: string | undefined;
  /** A control plane decided on its network; otherwise its kubelet claims it. */
  readonly isDecided: boolean;
}
type Nodes = Readonly<Record<string, AnyNode>>;

const anyNode: fc.Arbitrary<AnyNode> = fc.record({
  createdMs: fc.nat({ max: 3 }),
  podCIDR: fc.option(
    fc.oneof(
      fc.nat({ max: 7 }).map((index) => `10.0.${index}.0/24`),
      fc.constantFrom('10.0.1.0/25', '192.168.0.0/24', 'x'),
    ),
    { nil: undefined, freq: 1 },
  ),
  isDecided: fc.boolean(),
});
const anyNodes: fc.Arbitrary<Nodes> = fc.dictionary(fc.constantFrom(...NAMES), anyNode, { noNullPrototype: true });

test('a plan assigns no network twice, and none that a node has', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const seen = Object.entries(nodes).map(([name, { createdMs, podCIDR, isDecided }]) => ({
        name,
        createdMs,
        podCIDR,
        network: isDecided && podCIDR !== undefined ? networkLabel(podCIDR) : undefined,
        address: undefined,
      }));
      const { patches } = planPodNetworks(RANGE, seen, new Map());
      const assigned = patches.flatMap(({ patch }) => assignedIn(patch) ?? []);
      expect(new Set(assigned).size).toBe(assigned.length);
      expect(seen.filter(({ podCIDR = '' }) => assigned.includes(podCIDR))).toEqual([]);
      expect(assigned).toHaveLength(seen.filter(({ podCIDR }) => podCIDR === undefined).length);
    }),
  );
});

/** What happens between two looks: Nodes come and go, and the watch tells of the state that was this many steps before. */
interface Moment {
  readonly added: Nodes;
  readonly removed: readonly string[];
  readonly lateBy: number;
}
const anyMoment: fc.Arbitrary<Moment> = fc.record({
  added: anyNodes,
  removed: fc.subarray(NAMES),
  lateBy: fc.nat({ max: 4 }),
});

test('a leader assigns no network that another Node has, however late its watch tells of them', async () => {
  await fc.assert(
    fc.asyncProperty(anyNodes, fc.array(anyMoment, { maxLength: 5 }), async (before, moments) => {
      const api = new Api(before);
      const machines = new Latest<CloudMachine>();
      machines.set({ revision: '1', items: [] });
      const leadership = new Leadership();
      leadership.begin();
      const end = new AbortController();
      const running = reconcilePodNetworks(RANGE, { kube: api.kube, machines, leadership, log: SILENT }, end.signal);
      await settled();
      for (const moment of moments) {
        api.pass(moment);
        await settled();
      }
      api.pass({ added: {}, removed: [], lateBy: 0 });
      await settled();
      end.abort();
      // It ends quietly, or with the reason: not because it found no network for a Node.
      expect([undefined, end.signal.reason]).toContain(await running.catch((error: unknown) => error));
      expect(api.assignedTwice).toEqual([]);
      expect(api.names((node) => node.podCIDR === undefined)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** Long enough for all that follows without waiting for anything outside. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

const ignore = (): void => undefined;
const SILENT: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, about: () => SILENT };

const refuse = (): Promise<never> => Promise.reject(new Error('not asked here'));

/** An API server whose watch lags. A list without a query is what it has at this moment. */
class Api {
  readonly assignedTwice: string[] = [];
  readonly kube: KubeClient;
  readonly #past: Nodes[];
  #onEvent: (event: unknown) => void = () => undefined;

  constructor(nodes: Nodes) {
    this.#past = [nodes];
    this.kube = {
      get: async (path) => ({
        metadata: { resourceVersion: '1' },
        items: itemsOf(path.includes('?') ? (this.#past[0] ?? {}) : this.#now),
      }),
      watch: async (_, onEvent, signal) => {
        this.#onEvent = onEvent;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      mergePatch: async (path, patch) => this.#patch(path.split('/').at(-1) ?? '', patch),
      create: async () => ({}),
      text: refuse,
      timeMs: refuse,
      replace: refuse,
      apply: refuse,
      remove: refuse,
    };
  }

  names(isWanted: (node: AnyNode) => boolean): readonly string[] {
    return Object.entries(this.#now).flatMap(([name, node]) => (isWanted(node) ? [name] : []));
  }

  pass({ added, removed, lateBy }: Moment): void {
    const left = Object.entries(this.#now).filter(([name]) => !removed.includes(name));
    this.#past.push({ ...added, ...Object.fromEntries(left) });
    const told = this.#past[Math.max(0, this.#past.length - 1 - lateBy)] ?? {};
    const isGone = (name: string) => told[name] === undefined;
    for (const object of itemsOf(Object.fromEntries(NAMES.filter(isGone).map((name) => [name, GONE])))) {
      this.#onEvent({ type: 'DELETED', object });
    }
    for (const object of itemsOf(told)) this.#onEvent({ type: 'MODIFIED', object });
  }

  get #now(): Nodes {
    return this.#past.at(-1) ?? {};
  }

  #patch(name: string, patch: unknown): unknown {
    const node = this.#now[name];
    if (node === undefined) throw new KubeError('patch', 404, 'not found');
    const podCIDR = assignedIn(patch);
    if (podCIDR !== undefined) {
      if (node.podCIDR !== undefined) throw new KubeError('patch', 422, 'podCIDR may not change');
      if (this.names((other) => other.podCIDR === podCIDR).length > 0) this.assignedTwice.push(podCIDR);
    }
    const changed = { ...node, ...(podCIDR !== undefined && { podCIDR }), isDecided: true };
    this.#past.push({ ...this.#now, [name]: changed });
    return {};
  }
}

const GONE: AnyNode = { createdMs: 0, podCIDR: undefined, isDecided: false };

const itemsOf = (nodes: Nodes): readonly object[] =>
  Object.entries(nodes).map(([name, { createdMs, podCIDR, isDecided }]) => ({
    metadata: {
      name,
      uid: name,
      creationTimestamp: new Date(createdMs * 1000).toISOString(),
      labels: isDecided && podCIDR !== undefined ? { [NETWORK_LABEL]: networkLabel(podCIDR) } : {},
    },
    spec: { podCIDR },
  }));

/** The network that a patch gives a Node. */
const assignedIn = (patch: unknown): string | undefined => asString(asRecord(asRecord(patch)['spec'])['podCIDR']);
