import { posix } from 'node:path';
import { parse } from 'yaml';
import { asArray, asRecord, asString } from '../json.ts';
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
  /** A label selector, `key=value,key=value`, that finds its objects, including those it creates itself. */
  readonly selector?: string;
  /** The nodes that must be replaced after the addon has changed. */
  readonly needsRollingUpdate?: Machines;
  /** Facts to fill into its manifest before it is applied (our extension, not part of kops). */
  readonly needsFacts?: readonly string[];
  /** Also delete objects that carry these labels and are not in the manifest (kops's `prune`). */
  readonly prune?: readonly PruneKind[];
}

export type Machines = 'control-plane' | 'workers' | 'all';

export interface PruneKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly labelSelector: string;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
}

export interface Channel {
  readonly addons: readonly Addon[];
  /** Why entries cannot be used, one text each. The other entries still apply. */
  readonly faults: readonly string[];
}

/** kops writes both worker and workers (channels/pkg/api/channel.go, docs/addons.md). */
const MACHINES: Readonly<Record<string, Machines>> = {
  'control-plane': 'control-plane',
  worker: 'workers',
  workers: 'workers',
  all: 'all',
};

/** The name becomes part of an annotation key and of a ConfigMap key. */
const NAME = /^[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;

export const isUrl = (location: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//.test(location);

/** The location of a manifest; a relative one is relative to its channel. */
export function resolveLocation(channel: string, manifest: string): string {
  if (isUrl(manifest)) return manifest;
  return isUrl(channel) ? new URL(manifest, channel).href : posix.join(posix.dirname(channel), manifest);
}

/**
 * The entries of a channel as they are written, or why a text is none, such as the page of a proxy: as an empty channel, it
 * would take away all addons. Every scalar is read as a string: YAML would read a hash of digits, or one like 12e345…, as a
 * number.
 *
 * @throws the parser's error where it is not YAML
 */
export function channelEntries(text: string): readonly unknown[] | { readonly whyNot: string } {
  const { kind, spec } = asRecord(parse(text, { schema: 'failsafe' }));
  const { addons } = asRecord(spec);
  if (kind === 'Addons' || Array.isArray(addons)) return asArray(addons);
  return { whyNot: 'it is not a channel: it has neither kind Addons nor a list spec.addons' };
}

/**
 * Parses a channel.
 *
 * @param location of the channel itself; its manifests are relative to it
 * @param kubernetesVersion of the API server; entries for other versions are skipped
 */
export function parseChannel(location: string, text: string, kubernetesVersion: string): Channel {
  const entries = channelEntries(text);
  if ('whyNot' in entries) return { addons: [], faults: [entries.whyNot] };
  const faults: string[] = [];
  const found = entries.flatMap((entry, index): readonly Found[] => {
    const where = `spec.addons[${index}]${typeof asRecord(entry)['name'] === 'string' ? ` (${String(asRecord(entry)['name'])})` : ''}`;
    const read = readEntry(location, asRecord(entry), kubernetesVersion);
    if (typeof read !== 'string') return read === undefined ? [] : [{ addon: read, where }];
    faults.push(`${where}: ${read}`);
    return [];
  });
  const chosen = new Map<string, Found>();
  for (const one of found) {
    const other = chosen.get(one.addon.name);
    const better = other === undefined ? one : chooseEntry(other, one);
    if (better === undefined)
      faults.push(`${one.where}: another entry has the same name, and no version says which is newer`);
    else chosen.set(one.addon.name, better);
  }
  return { addons: [...chosen.values()].map(({ addon }) => addon), faults };
}

interface Found {
  readonly addon: Addon;
  readonly where: string;
}

/** Returns the entry, undefined when it is for another Kubernetes version, or a text that says why it cannot be used. */
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
    if (fits === undefined) return `kubernetesVersion: ${range} is not a version range such as >=1.25.0 <1.30.0`;
    if (!fits) return undefined;
  }
  if (typeof manifestHash !== 'string' || manifestHash === '') {
    return 'manifestHash is missing, so the manifest cannot be verified; set it to the SHA-256 that `sha256sum` prints for the manifest';
  }
  if (!/^[0-9a-f]{64}$/.test(manifestHash)) {
    return 'manifestHash is not a SHA-256, so the manifest cannot be verified';
  }
  const machines = typeof needsRollingUpdate === 'string' ? needsRollingUpdate : '';
  if (machines !== '' && MACHINES[machines] === undefined) {
    return `needsRollingUpdate: ${machines} is not one of ${Object.keys(MACHINES).join(', ')}`;
  }
  const selector = readSelector(entry['selector']);
  if (selector === undefined) return 'selector is not a map of labels such as {k8s-addon: my.addon}';
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
    // Without a selector, every object of the kind would be deleted.
    ...(prune.length > 0 && { prune: prune.filter(({ kind, labelSelector }) => kind !== '' && labelSelector !== '') }),
  };
}

/** A label selector as text; empty when there are no labels, undefined when the value is not a map of strings. */
function readSelector(labels: unknown): string | undefined {
  if (labels === undefined || labels === '') return '';
  const entries = Object.entries(asRecord(labels));
  if (entries.length === 0 || entries.some(([, value]) => typeof value !== 'string')) return undefined;
  return entries
    .map(([key, value]) => `${key}=${String(value)}`)
    .toSorted()
    .join(',');
}

/** A kind without a selector of its own uses the addon's. */
const readPruneKind = (entry: Readonly<Record<string, unknown>>, selector: string): PruneKind => ({
  group: asString(entry['group']) ?? '',
  kind: asString(entry['kind']) ?? '',
  labelSelector: asString(entry['labelSelector']) || selector,
  namespaces: asArray(entry['namespaces']).flatMap((one) => asString(one) ?? []),
});
