import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { asArray, asRecord, asString } from '../kube/json.ts';
import { FIELD_MANAGER, type KubeClient } from '../kube/client.ts';
import { Discovery } from '../kube/discovery.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { applyAddon, type ApplyEnv, hasApply } from './apply-addon.ts';
import { type Addon, type Channel, isUrl, parseChannel } from './channel.ts';
import { fetchLocation } from './fetch-location.ts';
import { type AddonEntry, type Inventory, noteAddon, type ObjectRef, readInventory } from './inventory.ts';
import { markNodes, NEEDS_UPDATE } from './mark-nodes.ts';
import { type AddonStep, planAddons, type AppliedAddon } from './plan-addons.ts';
import { planPrune } from './plan-prune.ts';
import { findLeftOver } from './prune-by-labels.ts';
import { readRecords, record } from './records.ts';

/** Stores tell nobody of a change, so the channel (a small file) is read this often. */
const CHANNEL_POLL_MS = 60_000;
/** After a failure sooner: what an addon waits for (a webhook, a definition) often comes within seconds. */
const RETRY_MS = 5_000;
/** Kubernetes core/v1: an event's message has up to 1,024 characters. */
const LONGEST_EVENT = 1024;
/** A ConfigMap holds a megabyte, and a failure names every object that failed. */
const LONGEST_NOTE = 4096;

export interface AddonsEnv extends ApplyEnv {
  readonly leadership: Leadership;
  /** Told after each round of every addon, and every channel that cannot be read, whether all is well with it. */
  readonly onOutcome?: (isApplied: ReadonlyMap<string, boolean>) => void;
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

/** What came of one channel in a round. */
interface Outcome {
  readonly channel: string;
  readonly addons: readonly Addon[];
  readonly failed: number;
}

/**
 * Applies the channels while this machine leads, repairs what is changed by hand, and takes away what is no longer in
 * them. A failing addon stops no other, nor does a channel that cannot be read.
 *
 * @param channels the built-in one first: what it names, no other may
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
  const kubernetesVersion = asString(asRecord(await env.kube.get('/version', signal))['gitVersion']) ?? '';
  const taken = new Map<string, string>();
  const outcomes: Outcome[] = [];
  for (const channel of channels) {
    const { addons, faults } = await readChannel(channel, kubernetesVersion, taken, env, signal);
    // What is not read now is its addons' all the same: no other channel gets their names.
    for (const [name, entry] of inventory) {
      if (faults.length > 0 && !taken.has(name) && channelOf(entry, channels) === channel) taken.set(name, channel);
    }
    const problem = faults.join('; ');
    if (faults.length === 0) memory.told.delete(channel);
    else if (once(memory.told, channel, problem)) {
      env.log.error(`${channel}: ${problem}`);
      await noteFailure(channelKey(channel), problem, { channel, inventory }, env, signal);
    }
    const failed = await applyAll(channel, addons, inventory, memory, env, signal);
    outcomes.push({ channel, addons, failed: failed + faults.length });
  }
  await prune(channels, outcomes, memory, env, signal);
  const names = outcomes.flatMap(({ addons }) => addons.map(({ name }) => name));
  env.onOutcome?.(
    new Map([
      ...names.map((name) => [name, true] as const),
      ...[...memory.told.keys()].map((name) => [name, false] as const),
    ]),
  );
  return outcomes.reduce((sum, { failed }) => sum + failed, 0);
}

/** A channel that cannot be read is a fault, as one of its entries that cannot be used is. */
async function readChannel(
  channel: string,
  kubernetesVersion: string,
  taken: Map<string, string>,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<Channel> {
  try {
    const text = (await fetchLocation(channel, env, signal)).toString('utf8');
    const { addons, faults } = parseChannel(channel, text, kubernetesVersion);
    const isFree = ({ name }: Addon): boolean => !taken.has(name);
    const twice = addons
      .filter((addon) => !isFree(addon))
      .map(({ name }) => `${name} is an addon of ${taken.get(name)} too; choose another name`);
    const own = addons.filter(isFree);
    for (const { name } of own) taken.set(name, channel);
    return { addons: own, faults: [...faults, ...twice] };
  } catch (error) {
    signal.throwIfAborted();
    return { addons: [], faults: [explained(error)] };
  }
}

/** Entries that were noted before there were channels of users are of the built-in one. */
const channelOf = ({ channel }: AddonEntry, channels: readonly string[]): string => channel ?? channels[0] ?? '';

const explained = (error: unknown): string =>
  `${messageOf(error)}${error instanceof ActionableError ? `; next: ${error.next}` : ''}`;

/** Names a channel among addons; a ConfigMap's keys have few characters. */
const channelKey = (channel: string): string => `channel-${channel.replaceAll(/[^-._a-zA-Z0-9]+/g, '-').slice(0, 200)}`;

async function applyAll(
  channel: string,
  addons: readonly Addon[],
  inventory: Inventory,
  memory: Memory,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<number> {
  let failed = 0;
  const recorded = await readRecords(env.kube, signal);
  for (const step of planAddons(addons, memory.applied, recorded, performance.now())) {
    const { name } = step.addon;
    try {
      await carryOut(step, channel, { inventory, isUpdate: recorded.has(name) }, memory, env, signal);
    } catch (error) {
      signal.throwIfAborted();
      failed += 1;
      const message = `${step.summary} failed: ${explained(error)}`;
      if (!once(memory.told, name, message)) continue;
      env.log.error(message);
      await noteFailure(name, messageOf(error), { channel, inventory }, env, signal);
    }
  }
  return failed;
}

/** Applies one addon and notes it, in the order that makes a break at any point be made good by the next round. */
async function carryOut(
  { addon, action, summary }: AddonStep,
  channel: string,
  known: { readonly inventory: Inventory; readonly isUpdate: boolean },
  memory: Memory,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<void> {
  const { name, manifestHash, version, selector, needsRollingUpdate } = addon;
  const before = known.inventory.get(name);
  const objects = await applyAddon(addon, memory.discovery, env, signal);
  memory.objects.set(manifestHash, objects);
  const isNoted =
    before?.manifestHash === manifestHash &&
    before.failure === undefined &&
    before.channel === channel &&
    before.selector === selector;
  // What an older manifest had is remembered until it has been taken away.
  const all = [...objects, ...(before?.objects ?? []).filter((old) => !objects.some((one) => isSame(one, old)))];
  if (!isNoted) {
    const entry = { manifestHash, ...(version && { version }), ...(selector && { selector }), objects: all, channel };
    await noteAddon(env.kube, name, entry, signal);
  }
  if (action === 'apply') {
    await removeLeftOver(addon, objects, memory, env, signal);
    // A cluster's first addons change nothing that its machines did before.
    if (needsRollingUpdate !== undefined && known.isUpdate) {
      const marked = await markNodes(env.kube, needsRollingUpdate, signal);
      env.log.info(`${name} changed: ${marked} nodes are marked to be replaced (${NEEDS_UPDATE})`);
    }
    const place = isUrl(channel) ? channel : `${env.store.url}/${env.cluster}/${channel}`;
    await record(env.kube, name, { channel: place, addon }, signal);
    env.log.info(`${summary} (${objects.length} objects)`);
  }
  memory.applied.set(name, { manifestHash, appliedMs: performance.now() });
  memory.told.delete(name);
}

const isSame = (a: ObjectRef, b: ObjectRef): boolean =>
  a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name && a.namespace === b.namespace;

/** What an addon's channel says is its own by labels, and its manifest has no more (kops's prune). */
async function removeLeftOver(
  { name, prune: kinds = [] }: Addon,
  objects: readonly ObjectRef[],
  { discovery }: Memory,
  { kube, log }: AddonsEnv,
  signal: AbortSignal,
): Promise<void> {
  for (const object of await findLeftOver(kinds, objects, { kube, collections: discovery }, signal)) {
    const gone = await kube.remove(await discovery.pathOf(object, signal), signal);
    if (gone) log.info(`removed ${object.kind}/${object.name}: it carries the labels of ${name}, which has it no more`);
  }
}

/** Takes away what no channel has any more. Only what this suite applied: an object that others made anew stays. */
async function prune(
  channels: readonly string[],
  outcomes: readonly Outcome[],
  memory: Memory,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Map<string, readonly ObjectRef[] | undefined>(
    outcomes.flatMap(({ addons }) =>
      addons.map(({ name, manifestHash }) => [name, memory.objects.get(manifestHash)] as const),
    ),
  );
  const inventory = await readInventory(env.kube, signal);
  // A channel that is not applied in full does not say what is no longer wanted.
  const unsure = new Set(outcomes.filter(({ failed }) => failed > 0).map(({ channel }) => channel));
  for (const [name, entry] of inventory) {
    if (unsure.has(channelOf(entry, channels))) wanted.set(name, undefined);
  }
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
    if (!isWanted) await record(env.kube, addon, undefined, signal);
  }
}

/** Server-side apply keeps who set what; of objects that have none, the inventory alone says whose they are. */
const isOurs = (object: unknown): boolean =>
  !hasApply(asString(asRecord(object)['apiVersion']) ?? '') ||
  asArray(asRecord(asRecord(object)['metadata'])['managedFields']).some(
    (entry) => asRecord(entry)['manager'] === FIELD_MANAGER,
  );

/** Puts a failure where `kopsctl get addons` and `kubectl get events -n kube-system` show it. */
async function noteFailure(
  name: string,
  failure: string,
  { channel, inventory }: { readonly channel: string; readonly inventory: Inventory },
  { kube }: { readonly kube: KubeClient },
  signal: AbortSignal,
): Promise<void> {
  const entry = inventory.get(name) ?? { manifestHash: '', objects: [], channel };
  await noteAddon(kube, name, { ...entry, failure: failure.slice(0, LONGEST_NOTE) }, signal);
  const now = new Date().toISOString();
  await kube.create(
    '/api/v1/namespaces/kube-system/events',
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { generateName: 'kopsctl-addons-', namespace: 'kube-system' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'kopsctl-addons', namespace: 'kube-system' },
      type: 'Warning',
      reason: 'AddonFailed',
      message: `${name}: ${failure}`.slice(0, LONGEST_EVENT),
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
