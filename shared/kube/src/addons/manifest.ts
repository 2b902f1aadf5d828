import { parseAllDocuments } from 'yaml';
import { asArray, asRecord, asString } from '../json.ts';

/** An object to apply. Only the API server validates the rest of it. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Kinds that others depend on are applied first. All others follow in the order of the manifest. */
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

/** The objects of a manifest in the order they are applied. Lists are expanded, and empty documents skipped. */
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
