import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';

/** Identifies an object. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** What the cluster records about an addon: its objects, so that they can be removed later, and its failure. */
export interface AddonEntry {
  /** Hex SHA-256 of the manifest that was applied completely; empty until one was. */
  readonly manifestHash: string;
  readonly version?: string;
  /** Finds the addon's other objects, which it creates itself. */
  readonly selector?: string;
  readonly objects: readonly ObjectRef[];
  readonly failure?: string;
  /** The channel that lists it; the bootstrap channel when absent. */
  readonly channel?: string;
}

export type Inventory = ReadonlyMap<string, AddonEntry>;

const COLLECTION = '/api/v1/namespaces/kube-system/configmaps';
const NAME = 'kopsctl-addons';

/** Reads the inventory. An entry that cannot be parsed counts as an addon without objects. */
export async function readInventory(kube: KubeClient, signal: AbortSignal): Promise<Inventory> {
  const data = asRecord(asRecord(await kube.get(`${COLLECTION}/${NAME}`, signal))['data']);
  return new Map(Object.entries(data).map(([addon, text]): [string, AddonEntry] => [addon, parseEntry(text)]));
}

/** Records an addon, or removes its record when `entry` is undefined. Only the leader writes. */
export async function noteAddon(
  kube: KubeClient,
  addon: string,
  entry: AddonEntry | undefined,
  signal: AbortSignal,
): Promise<void> {
  const data = { [addon]: entry === undefined ? null : JSON.stringify(entry) };
  try {
    await kube.mergePatch(`${COLLECTION}/${NAME}`, { data }, signal);
  } catch (error) {
    if (!(error instanceof KubeError) || error.status !== 404) throw error;
    if (entry === undefined) return;
    await kube.create(COLLECTION, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAME }, data }, signal);
  }
}

function parseEntry(text: unknown): AddonEntry {
  try {
    const { manifestHash, version, selector, objects, failure, channel } = asRecord(JSON.parse(asString(text) ?? ''));
    return {
      manifestHash: asString(manifestHash) ?? '',
      ...(typeof version === 'string' && { version }),
      ...(typeof selector === 'string' && { selector }),
      objects: asArray(objects).map(asRecord).flatMap(refOf),
      ...(typeof failure === 'string' && { failure }),
      ...(typeof channel === 'string' && { channel }),
    };
  } catch {
    return { manifestHash: '', objects: [] };
  }
}

function refOf({ apiVersion, kind, name, namespace }: Readonly<Record<string, unknown>>): readonly ObjectRef[] {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return [];
  return [{ apiVersion, kind, name, ...(typeof namespace === 'string' && { namespace }) }];
}
