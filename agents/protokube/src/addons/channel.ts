import { posix } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { asArray, asRecord, asString } from '../kube/json.ts';

/** One entry of a channel, kops's `Addons` format (kops channels/pkg/api/channel.go). */
export interface Addon {
  readonly name: string;
  /** Store path, relative to the cluster's folder. */
  readonly manifest: string;
  /** Hex SHA-256 of the manifest's bytes. */
  readonly manifestHash: string;
  readonly id?: string;
  readonly version?: string;
}

export interface Channel {
  readonly addons: readonly Addon[];
  /** Entries that cannot be used, each with the reason: they do not stop the others. */
  readonly faults: readonly string[];
}

/**
 * Reads a channel. `path` is its own place in the store; manifests are relative to its folder. Every value is read as
 * text: a hash of digits alone, or one like 12e345…, would otherwise be a number.
 */
export function parseChannel(path: string, text: string): Channel {
  const addons: Addon[] = [];
  const faults: string[] = [];
  for (const [index, entry] of asArray(
    asRecord(asRecord(parse(text, { schema: 'failsafe' }))['spec'])['addons'],
  ).entries()) {
    const { name, manifest, manifestHash, id, version } = asRecord(entry);
    const where = `spec.addons[${index}]${typeof name === 'string' ? ` (${name})` : ''}`;
    if (typeof name !== 'string' || typeof manifest !== 'string') faults.push(`${where}: needs a name and a manifest`);
    else if (typeof manifestHash !== 'string' || !/^[0-9a-f]{64}$/.test(manifestHash)) {
      faults.push(`${where}: manifestHash is not a SHA-256, so what is fetched could not be verified`);
    } else if (addons.some((addon) => addon.name === name)) faults.push(`${where}: the name stands there twice`);
    else {
      const place = posix.join(posix.dirname(path), manifest);
      addons.push({
        name,
        manifest: place,
        manifestHash,
        ...(typeof id === 'string' && { id }),
        ...(typeof version === 'string' && { version }),
      });
    }
  }
  return { addons, faults };
}

/** An object to apply; everything else in it is the API server's business. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** What others stand on comes first; what is not named here comes after it, in the manifest's own order. */
const FIRST = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'StorageClass',
  'ServiceAccount',
  'ClusterRole',
  'Role',
  'ClusterRoleBinding',
  'RoleBinding',
  'Secret',
  'ConfigMap',
  'Service',
];

/** The objects of a manifest in the order they are applied: Lists opened, empty documents skipped. */
export function parseManifest(text: string): readonly ManifestObject[] {
  const objects = parseAllDocuments(text).flatMap((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return open(document.toJS());
  });
  return objects
    .map((object, index) => ({ object, index }))
    .sort((a, b) => rank(a.object) - rank(b.object) || a.index - b.index)
    .map(({ object }) => object);
}

function rank({ kind }: ManifestObject): number {
  const place = FIRST.indexOf(kind);
  return place === -1 ? FIRST.length : place;
}

function open(value: unknown): ManifestObject[] {
  const object = asRecord(value);
  if (Object.keys(object).length === 0) return [];
  const kind = asString(object['kind']);
  if (kind?.endsWith('List') === true && Array.isArray(object['items'])) return asArray(object['items']).flatMap(open);
  const apiVersion = asString(object['apiVersion']);
  const metadata = asRecord(object['metadata']);
  const name = asString(metadata['name']);
  if (apiVersion === undefined || kind === undefined || name === undefined) {
    throw new Error(
      `an object of the manifest lacks apiVersion, kind or metadata.name: ${JSON.stringify(value).slice(0, 120)}`,
    );
  }
  const namespace = asString(metadata['namespace']);
  return [{ apiVersion, kind, name, ...(namespace !== undefined && { namespace }), object }];
}
