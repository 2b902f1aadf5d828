import { createHash } from 'node:crypto';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asArray, asRecord, asString } from '../kube/json.ts';
import { FIELD_MANAGER, type KubeClient } from '../kube/client.ts';
import { Discovery } from '../kube/discovery.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { parseChannel, parseManifest, type Addon } from './channel.ts';
import { type Inventory, noteAddon, type ObjectRef, readInventory } from './inventory.ts';
import { planAddons, type AppliedAddon } from './plan-addons.ts';
import { planPrune } from './plan-prune.ts';

/** Stores tell nobody of a change, so the channel (a small file) is read this often. */
const CHANNEL_POLL_MS = 60_000;
/** After a failure sooner: what an addon waits for (a webhook, a definition) often comes within seconds. */
const RETRY_MS = 5_000;
const KUBE_SYSTEM = '/api/v1/namespaces/kube-system';
/** kops's place of record: an annotation of the namespace kube-system. */
const ANNOTATION = 'addons.k8s.io/';
/** Kubernetes core/v1: an event's message has up to 1,024 characters. */
const LONGEST_EVENT = 1024;

export interface AddonsEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly kube: KubeClient;
  readonly leadership: Leadership;
  readonly log: Log;
}

/** What this process remembers from round to round. */
interface Memory {
  readonly discovery: Discovery;
  readonly applied: Map<string, AppliedAddon>;
  /** Failures that were told, so that each is told once. */
  readonly told: Map<string, string>;
  /** The objects of each addon's manifest, by the manifest's hash. */
  readonly objects: Map<string, readonly ObjectRef[]>;
}

/**
 * Applies the channels while this machine leads, repairs what is changed by hand, and takes away what is no longer in
 * them. A failing addon stops no other.
 */
export async function reconcileAddons(channels: readonly string[], env: AddonsEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  env.leadership.ringOnChange(wake);
  const memory: Memory = {
    discovery: new Discovery(env.kube),
    applied: new Map(),
    told: new Map(),
    objects: new Map(),
  };
  while (!signal.aborted) {
    const failed = await env.leadership.whileLeading(signal, (term) => applyChannels(channels, memory, env, term));
    await wake.wait((failed ?? 0) > 0 ? RETRY_MS : CHANNEL_POLL_MS, signal);
  }
}

async function applyChannels(
  channels: readonly string[],
  memory: Memory,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<number> {
  const inventory = await readInventory(env.kube, signal);
  const wanted: Addon[] = [];
  let failed = 0;
  for (const channel of channels) {
    const { addons, faults } = parseChannel(channel, (await fetch(channel, env, signal)).toString('utf8'));
    for (const fault of faults)
      if (once(memory.told, `${channel} ${fault}`, fault)) env.log.error(`${channel}: ${fault}`);
    failed += faults.length + (await applyAll(channel, addons, inventory, memory, env, signal));
    wanted.push(...addons);
  }
  // A channel that cannot be read in full does not say what is no longer wanted.
  if (failed === 0) await prune(wanted, memory, env, signal);
  return failed;
}

async function applyAll(
  channel: string,
  addons: readonly Addon[],
  inventory: Inventory,
  memory: Memory,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<number> {
  const { applied, told, objects: known } = memory;
  let failed = 0;
  const recorded = await readRecords(env.kube, signal);
  for (const step of planAddons(addons, applied, recorded, performance.now())) {
    const { addon } = step;
    const { name, manifestHash, version } = addon;
    const before = inventory.get(name);
    try {
      const objects = await applyAddon(addon, memory.discovery, env, signal);
      known.set(manifestHash, objects);
      const isNoted = before?.manifestHash === manifestHash && before.failure === undefined;
      // What an older manifest had is remembered until it has been taken away.
      const all = [...objects, ...(before?.objects ?? []).filter((old) => !objects.some((one) => isSame(one, old)))];
      if (!isNoted) {
        await noteAddon(env.kube, name, { manifestHash, ...(version && { version }), objects: all }, signal);
      }
      if (step.action === 'apply') await record(channel, addon, env, signal);
      applied.set(name, { manifestHash, appliedMs: performance.now() });
      told.delete(name);
      if (step.action === 'apply') env.log.info(`${step.summary} (${objects.length} objects)`);
    } catch (error) {
      signal.throwIfAborted();
      failed += 1;
      const next = error instanceof ActionableError ? `; next: ${error.next}` : '';
      const message = `${step.summary} failed: ${messageOf(error)}${next}`;
      if (!once(told, name, message)) continue;
      env.log.error(message);
      const entry = before ?? { manifestHash: '', objects: [] };
      await noteAddon(env.kube, name, { ...entry, failure: messageOf(error) }, signal);
      await tellCluster(name, messageOf(error), env, signal);
    }
  }
  return failed;
}

const isSame = (a: ObjectRef, b: ObjectRef): boolean =>
  a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name && a.namespace === b.namespace;

/** Takes away what no channel has any more. Only what this suite applied: an object that others made anew stays. */
async function prune(addons: readonly Addon[], memory: Memory, env: AddonsEnv, signal: AbortSignal): Promise<void> {
  const wanted = new Map(addons.map(({ name, manifestHash }) => [name, memory.objects.get(manifestHash)]));
  const inventory = await readInventory(env.kube, signal);
  for (const { addon, remove, keep } of planPrune(inventory, wanted)) {
    for (const object of remove) {
      const path = await memory.discovery.pathOf(object, signal);
      const there = await env.kube.get(path, signal);
      if (there === undefined) continue;
      const label = `${object.kind}/${object.name}`;
      if (!isOurs(there)) env.log.info(`${addon} has ${label} no more; it is kept, because somebody else made it`);
      else if (await env.kube.remove(path, signal)) env.log.info(`removed ${label}: ${addon} has it no more`);
    }
    for (const { kind, name } of keep) {
      env.log.info(`${addon} has ${kind}/${name} no more; it is kept, because more than the addon goes with it`);
    }
    const entry = inventory.get(addon);
    const objects = wanted.get(addon);
    if (entry === undefined) continue;
    const isWanted = wanted.has(addon);
    await noteAddon(env.kube, addon, isWanted ? { ...entry, objects: objects ?? entry.objects } : undefined, signal);
    if (!isWanted) {
      await env.kube.mergePatch(KUBE_SYSTEM, { metadata: { annotations: { [ANNOTATION + addon]: null } } }, signal);
    }
  }
}

/** Server-side apply keeps who set what. */
const isOurs = (object: unknown): boolean =>
  asArray(asRecord(asRecord(object)['metadata'])['managedFields']).some(
    (entry) => asRecord(entry)['manager'] === FIELD_MANAGER,
  );

/** An event that `kubectl get events -n kube-system` shows. */
async function tellCluster(addon: string, message: string, env: AddonsEnv, signal: AbortSignal): Promise<void> {
  const now = new Date().toISOString();
  await env.kube.create(
    '/api/v1/namespaces/kube-system/events',
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { generateName: 'kopsctl-addons-', namespace: 'kube-system' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'kopsctl-addons', namespace: 'kube-system' },
      type: 'Warning',
      reason: 'AddonFailed',
      message: `${addon}: ${message}`.slice(0, LONGEST_EVENT),
      source: { component: 'protokube' },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    },
    signal,
  );
}

function once(said: Map<string, string>, key: string, message: string): boolean {
  if (said.get(key) === message) return false;
  said.set(key, message);
  return true;
}

/** Applies every object; the failure of one does not keep back those that do not need it. */
async function applyAddon(
  addon: Addon,
  discovery: Discovery,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<readonly ObjectRef[]> {
  const bytes = await fetch(addon.manifest, env, signal);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== addon.manifestHash) {
    throw new ActionableError({
      what: `apply the addon ${addon.name}`,
      why: `${addon.manifest} has the SHA-256 ${hash}, its channel says ${addon.manifestHash}; nothing of it was applied`,
      next: '`kopsctl apply` writes channel and manifests anew',
    });
  }
  const faults: unknown[] = [];
  const objects = parseManifest(bytes.toString('utf8'));
  for (const object of objects) {
    try {
      await env.kube.apply(await discovery.pathOf(object, signal), object.object, signal);
    } catch (error) {
      signal.throwIfAborted();
      faults.push(error);
    }
  }
  if (faults.length > 0) {
    throw new Error(`${faults.length} of ${objects.length} objects: ${faults.map(messageOf).join('; ')}`, {
      cause: faults[0],
    });
  }
  return objects.map(({ apiVersion, kind, name, namespace }) => ({
    apiVersion,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
  }));
}

async function fetch(path: string, env: AddonsEnv, signal: AbortSignal): Promise<Buffer> {
  const stored = await env.store.read(`${env.cluster}/${path}`, signal);
  if (stored !== undefined) return Buffer.from(stored.bytes);
  throw new ActionableError({
    what: `read ${env.cluster}/${path}`,
    why: `it is not in ${env.store.url}`,
    next: '`kopsctl apply` writes it',
  });
}

/** The manifest hash that the cluster says was applied, per addon. */
async function readRecords(kube: KubeClient, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const namespace = asRecord(await kube.get(KUBE_SYSTEM, signal));
  const annotations = asRecord(asRecord(namespace['metadata'])['annotations']);
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(annotations)) {
    if (!key.startsWith(ANNOTATION) || typeof value !== 'string') continue;
    found.set(key.slice(ANNOTATION.length), hashIn(value));
  }
  return found;
}

function hashIn(annotation: string): string {
  try {
    return asString(asRecord(JSON.parse(annotation))['manifestHash']) ?? '';
  } catch {
    return '';
  }
}

async function record(channel: string, addon: Addon, env: AddonsEnv, signal: AbortSignal): Promise<void> {
  const { id, version, manifestHash } = addon;
  const value = JSON.stringify({ version, channel: `${env.store.url}/${env.cluster}/${channel}`, id, manifestHash });
  await env.kube.mergePatch(KUBE_SYSTEM, { metadata: { annotations: { [ANNOTATION + addon.name]: value } } }, signal);
}
