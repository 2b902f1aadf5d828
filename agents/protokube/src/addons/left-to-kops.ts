import { MACHINE_STATE_ANNOTATION } from '@kopsctl/node-plan/machine-state.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';

/** What control planes that kops made still apply. */
export interface LeftToKops {
  /** The Nodes of these control planes. */
  readonly nodes: readonly string[];
  readonly addons: ReadonlySet<string>;
}

const NOTHING: LeftToKops = { nodes: [], addons: new Set() };

/** kops gave control planes the second one up to 1.23. */
const ROLES = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/**
 * The addons that are left to kops while one of its control planes is there. Each of these control planes applies its channel
 * whenever the cluster has recorded another manifest, once a minute: with two manifests of one addon, both sides would replace
 * each other's forever.
 *
 * @param channel of kops; undefined in a cluster that kops did not make
 */
export async function leftToKops(
  channel: string | undefined,
  { kube, store, cluster }: { readonly kube: KubeClient; readonly store: StateStore; readonly cluster: string },
  signal: AbortSignal,
): Promise<LeftToKops> {
  if (channel === undefined) return NOTHING;
  const nodes = await controlPlanesOfKops(kube, signal);
  if (nodes.length === 0) return NOTHING;
  const stored = await store.read(`${cluster}/${channel}`, signal);
  if (stored === undefined) return NOTHING;
  const text = new TextDecoder().decode(stored.bytes);
  const { spec } = asRecord(parse(text, { schema: 'failsafe' }));
  const names = asArray(asRecord(spec)['addons']).flatMap((entry) => asString(asRecord(entry)['name']) ?? []);
  return { nodes, addons: new Set(names) };
}

/** Every control plane of kopsctl has its protokube write to its Node. */
async function controlPlanesOfKops(kube: KubeClient, signal: AbortSignal): Promise<readonly string[]> {
  const lists = await Promise.all(
    ROLES.map((role) => kube.get(`/api/v1/nodes?labelSelector=${encodeURIComponent(role)}`, signal)),
  );
  const names = lists
    .flatMap((list) => asArray(asRecord(list)['items']))
    .map((node) => asRecord(asRecord(node)['metadata']))
    .filter(({ annotations }) => !(MACHINE_STATE_ANNOTATION in asRecord(annotations)))
    .flatMap(({ name }) => asString(name) ?? []);
  return [...new Set(names)].toSorted();
}
