import { posix } from 'node:path';
import { parse } from 'yaml';
import { asArray, asRecord, asString } from '../kube/json.ts';
import { chooseEntry, fitsKubernetes } from './kubernetes-range.ts';

/** One entry of a channel, kops's `Addons` format (kops channels/pkg/api/channel.go). */
export interface Addon {
  readonly name: string;
  /** A URL, or a store path relative to the cluster's folder. */
  readonly manifest: string;
  /** Hex SHA-256 of the manifest's bytes. */
  readonly manifestHash: string;
  readonly id?: string;
  readonly version?: string;
  /** How its objects are found, those too that it makes itself: a label selector, `key=value,key=value`. */
  readonly selector?: string;
  /** Nodes that are to be replaced after it changed. */
  readonly needsRollingUpdate?: Machines;
  /** What has to be put into its manifest first (ours, not kops's). */
  readonly needsFacts?: readonly string[];
  /** What kops takes away besides: whatever carries these labels and is not in the manifest. */
  readonly prune?: readonly PruneKind[];
}

export type Machines = 'control-plane' | 'workers' | 'all';

export interface PruneKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly labelSelector: string;
  /** All of them where there are none. */
  readonly namespaces: readonly string[];
}

export interface Channel {
  readonly addons: readonly Addon[];
  /** Entries that cannot be used, each with the reason: they do not stop the others. */
  readonly faults: readonly string[];
}

/** kops writes both worker and workers (channels/pkg/api/channel.go, docs/addons.md). */
const MACHINES: Readonly<Record<string, Machines>> = {
  'control-plane': 'control-plane',
  worker: 'workers',
  workers: 'workers',
  all: 'all',
};

/** It is part of an annotation's key, and the key of a ConfigMap. */
const NAME = /^[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;

export const isUrl = (location: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//.test(location);

/** Where a manifest is: beside its channel unless it says otherwise. */
export function resolveLocation(channel: string, manifest: string): string {
  if (isUrl(manifest)) return manifest;
  return isUrl(channel) ? new URL(manifest, channel).href : posix.join(posix.dirname(channel), manifest);
}

/**
 * Reads a channel. `location` is its own place, which its manifests are relative to. Every value is read as text: a
 * hash of digits alone, or one like 12e345…, would otherwise be a number.
 *
 * @param kubernetesVersion the API server's; entries for other versions are passed over
 */
export function parseChannel(location: string, text: string, kubernetesVersion: string): Channel {
  const faults: string[] = [];
  const found = asArray(asRecord(asRecord(parse(text, { schema: 'failsafe' }))['spec'])['addons']).flatMap(
    (entry, index): readonly Found[] => {
      const where = `spec.addons[${index}]${typeof asRecord(entry)['name'] === 'string' ? ` (${String(asRecord(entry)['name'])})` : ''}`;
      const read = readEntry(location, asRecord(entry), kubernetesVersion);
      if (typeof read !== 'string') return read === undefined ? [] : [{ addon: read, where }];
      faults.push(`${where}: ${read}`);
      return [];
    },
  );
  const chosen = new Map<string, Found>();
  for (const one of found) {
    const other = chosen.get(one.addon.name);
    const better = other === undefined ? one : chooseEntry(other, one);
    if (better === undefined)
      faults.push(`${one.where}: the name stands there twice, with no version that tells which is newer`);
    else chosen.set(one.addon.name, better);
  }
  return { addons: [...chosen.values()].map(({ addon }) => addon), faults };
}

interface Found {
  readonly addon: Addon;
  readonly where: string;
}

/** An entry; undefined where it is for another Kubernetes; a text that says why it cannot be used. */
function readEntry(
  location: string,
  entry: Readonly<Record<string, unknown>>,
  kubernetesVersion: string,
): Addon | string | undefined {
  const { name, manifest, manifestHash, id, version, kubernetesVersion: range, needsRollingUpdate } = entry;
  if (typeof name !== 'string' || typeof manifest !== 'string') return 'needs a name and a manifest';
  if (!NAME.test(name)) return 'a name has up to 63 letters, digits, dots, dashes and underscores';
  if (typeof range === 'string' && range !== '') {
    const fits = fitsKubernetes(range, kubernetesVersion);
    if (fits === undefined) return `kubernetesVersion: ${range} is no range of versions, such as >=1.25.0 <1.30.0`;
    if (!fits) return undefined;
  }
  if (typeof manifestHash !== 'string' || manifestHash === '') {
    return 'manifestHash is missing, so what is fetched could not be verified; write the output of `sha256sum` for the manifest there';
  }
  if (!/^[0-9a-f]{64}$/.test(manifestHash)) {
    return 'manifestHash is not a SHA-256, so what is fetched could not be verified';
  }
  const machines = typeof needsRollingUpdate === 'string' ? needsRollingUpdate : '';
  if (machines !== '' && MACHINES[machines] === undefined) {
    return `needsRollingUpdate: ${machines} is none of ${Object.keys(MACHINES).join(', ')}`;
  }
  const selector = readSelector(entry['selector']);
  if (selector === undefined) return 'selector is no map of labels, such as {k8s-addon: my.addon}';
  const needsFacts = asArray(entry['needsFacts']).flatMap((fact) => asString(fact) ?? []);
  const prune = asArray(asRecord(entry['prune'])['kinds']).map((one) => readPruneKind(asRecord(one), selector));
  return {
    name,
    manifest: resolveLocation(location, manifest),
    manifestHash,
    ...(typeof id === 'string' && { id }),
    ...(typeof version === 'string' && { version }),
    ...(selector !== '' && { selector }),
    ...(MACHINES[machines] !== undefined && { needsRollingUpdate: MACHINES[machines] }),
    ...(needsFacts.length > 0 && { needsFacts }),
    // Without a label, it would be everything of that kind.
    ...(prune.length > 0 && { prune: prune.filter(({ kind, labelSelector }) => kind !== '' && labelSelector !== '') }),
  };
}

/** Labels as a selector has them; empty where there are none, undefined where it is no map of texts. */
function readSelector(labels: unknown): string | undefined {
  if (labels === undefined || labels === '') return '';
  const entries = Object.entries(asRecord(labels));
  if (entries.length === 0 || entries.some(([, value]) => typeof value !== 'string')) return undefined;
  return entries
    .map(([key, value]) => `${key}=${String(value)}`)
    .toSorted()
    .join(',');
}

/** What says nothing of labels goes by those of the whole addon. */
const readPruneKind = (entry: Readonly<Record<string, unknown>>, selector: string): PruneKind => ({
  group: asString(entry['group']) ?? '',
  kind: asString(entry['kind']) ?? '',
  labelSelector: asString(entry['labelSelector']) || selector,
  namespaces: asArray(entry['namespaces']).flatMap((one) => asString(one) ?? []),
});
