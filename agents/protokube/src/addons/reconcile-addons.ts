import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { hasApply } from '@kopsctl/kube/addons/apply-objects.ts';
import { type Addon, type Channel, isUrl, parseChannel } from '@kopsctl/kube/addons/channel.ts';
import { claimNames } from '@kopsctl/kube/addons/claim-names.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { FIELD_MANAGER, type KubeClient } from '@kopsctl/kube/client.ts';
import { Discovery } from '@kopsctl/kube/discovery.ts';
import { serverVersion } from '@kopsctl/kube/server-version.ts';
import { createWarning } from '@kopsctl/kube/warning-event.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { errorText } from '@kopsctl/agent/log-line.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { applyAddon, type ApplyEnv } from './apply-addon.ts';
import { fetchLocation } from './fetch-location.ts';
import { type AddonEntry, type Inventory, noteAddon, type ObjectRef, readInventory } from './inventory.ts';
import { markNodes, NEEDS_UPDATE } from './mark-nodes.ts';
import { type AddonStep, planAddons, type AppliedAddon } from './plan-addons.ts';
import { leftToKops, type LeftToKops } from './left-to-kops.ts';
import { planPrune } from './plan-prune.ts';
import { findLeftOver } from './prune-by-labels.ts';
import { readRecords, record } from './records.ts';

/** State stores send no events, so the channel (a small file) is read this often. */
const CHANNEL_POLL_MS = 60_000;
/** Sooner after a failure: what an addon waits for (a webhook, a definition) is often there within seconds. */
const RETRY_MS = 5_000;
/** A ConfigMap holds at most a megabyte, and a failure names every object that failed. */
const LONGEST_NOTE = 4096;

export interface AddonsEnv extends ApplyEnv {
  readonly leadership: Leadership;
  /** The channel of kops, whose control planes take precedence: see `leftToKops`. */
  readonly yieldsTo?: string | undefined;
  /** Called after each round with whether each addon is applied; a channel that cannot be read counts as not applied. */
  readonly onOutcome?: (isApplied: ReadonlyMap<string, boolean>) => void;
  readonly log: Log;
}

/** State that is kept between rounds. */
interface Memory {
  readonly discovery: Discovery;
  readonly applied: Map<string, AppliedAddon>;
  /** Failures that were reported, so that each is reported once. */
  readonly told: Map<string, string>;
  /** The objects of each addon's manifest, by the manifest's hash. */
  readonly objects: Map<string, readonly ObjectRef[]>;
  /** The control planes of kops in the last round. */
  ofKops: string;
}

/** The outcome of one channel in a round. */
interface Outcome {
  readonly channel: string;
  readonly addons: readonly Addon[];
  readonly failed: number;
}

/**
 * While this machine leads, applies the addons of the channels, undoes manual changes, and removes addons that are in
 * no channel any longer. A failing addon or an unreadable channel does not stop the others.
 *
 * @param channels the built-in one first; no other channel may use its addons' names
 */
export async function reconcileAddons(channels: readonly string[], env: AddonsEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  const memory: Memory = {
    discovery: new Discovery(env.kube),
    applied: new Map(),
    told: new Map(),
    objects: new Map(),
    ofKops: '',
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
  const kubernetesVersion = await serverVersion(env.kube, signal);
  const taken = new Map<string, string>();
  const left = await leftToKops(env.yieldsTo, env, signal);
  tellLeft(left, memory, env.log);
  const outcomes: Outcome[] = [];
  for (const channel of channels) {
    const { addons: all, faults } = await readChannel(channel, kubernetesVersion, taken, env, signal);
    const addons = all.filter(({ name }) => !left.addons.has(name));
    // A channel that could not be read keeps the names of its addons: no other channel may take them over.
    for (const [name, entry] of inventory) {
      if (faults.length > 0 && !taken.has(name) && channelOf(entry, channels) === channel) taken.set(name, channel);
    }
    const problem = faults.join('; ');
    if (faults.length === 0) memory.told.delete(channel);
    else if (once(memory.told, channel, problem)) {
      env.log.error('channel cannot be applied completely', { channel, faults: problem });
      await noteFailure(channelKey(channel), problem, { channel, inventory }, env, signal);
    }
    const failed = await applyAll(channel, addons, inventory, memory, env, signal);
    outcomes.push({ channel, addons, failed: failed + faults.length });
  }
  await prune(channels, outcomes, { memory, left: left.addons }, env, signal);
  const names = outcomes.flatMap(({ addons }) => addons.map(({ name }) => name));
  env.onOutcome?.(
    new Map([
      ...names.map((name) => [name, true] as const),
      ...[...memory.told.keys()].map((name) => [name, false] as const),
    ]),
  );
  return outcomes.reduce((sum, { failed }) => sum + failed, 0);
}

function tellLeft({ nodes, addons }: LeftToKops, memory: Memory, log: Log): void {
  const now = nodes.join(',');
  if (now === memory.ofKops) return;
  memory.ofKops = now;
  if (now === '') log.info('addons taken over: no control plane of kops is left');
  else log.info('addons left to control planes of kops', { nodes: now, addons: [...addons].join(',') });
}

/** An unreadable channel is returned as a fault, like an entry that cannot be used. */
async function readChannel(
  channel: string,
  kubernetesVersion: string,
  taken: Map<string, string>,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<Channel> {
  try {
    const text = (await fetchLocation(channel, env, signal)).toString('utf8');
    return claimNames(channel, parseChannel(channel, text, kubernetesVersion), taken);
  } catch (error) {
    signal.throwIfAborted();
    const next = error instanceof ActionableError ? `; next: ${error.next}` : '';
    return { addons: [], faults: [`${messageOf(error)}${next}`] };
  }
}

/** An entry without a channel was recorded before users could add channels, so it belongs to the built-in one. */
const channelOf = ({ channel }: AddonEntry, channels: readonly string[]): string => channel ?? channels[0] ?? '';

/** The inventory key of a channel's own failure. ConfigMap keys allow only these characters. */
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
      // Machines that kops made are replaced anyway when its addon is taken over.
      const isUpdate = recorded.has(name) && (env.yieldsTo === undefined || inventory.has(name));
      await carryOut(step, channel, { inventory, isUpdate }, memory, env, signal);
    } catch (error) {
      signal.throwIfAborted();
      failed += 1;
      if (!once(memory.told, name, `${step.action}: ${errorText(error)}`)) continue;
      env.log.error('addon not applied', { summary: step.summary, error });
      await noteFailure(name, messageOf(error), { channel, inventory }, env, signal);
    }
  }
  return failed;
}

/** Applies one addon and records it, in an order that lets the next round continue after an interruption at any point. */
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
  // Objects of an older manifest stay recorded until they are removed.
  const all = [...objects, ...(before?.objects ?? []).filter((old) => !objects.some((one) => isSame(one, old)))];
  if (!isNoted) {
    const entry = { manifestHash, ...(version && { version }), ...(selector && { selector }), objects: all, channel };
    await noteAddon(env.kube, name, entry, signal);
  }
  if (action === 'apply') {
    await removeLeftOver(addon, objects, memory, env, signal);
    // The first version of an addon makes no machine outdated.
    if (needsRollingUpdate !== undefined && known.isUpdate) {
      const marked = await markNodes(env.kube, needsRollingUpdate, signal);
      env.log.info('nodes marked to be replaced', { addon: name, nodes: marked, annotation: NEEDS_UPDATE });
    }
    const place = isUrl(channel) ? channel : `${env.store.url}/${env.cluster}/${channel}`;
    await record(env.kube, name, { channel: place, addon }, signal);
    env.log.info('addon applied', { summary, objects: objects.length });
  }
  memory.applied.set(name, { manifestHash, appliedMs: performance.now() });
  memory.told.delete(name);
}

const labelOf = ({ kind, name }: ObjectRef): string => `${kind}/${name}`;

const isSame = (a: ObjectRef, b: ObjectRef): boolean =>
  a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name && a.namespace === b.namespace;

/** Removes objects that carry the addon's labels but are no longer in its manifest (kops's prune). */
async function removeLeftOver(
  { name, prune: kinds = [] }: Addon,
  objects: readonly ObjectRef[],
  { discovery }: Memory,
  { kube, log }: AddonsEnv,
  signal: AbortSignal,
): Promise<void> {
  for (const object of await findLeftOver(kinds, objects, { kube, collections: discovery }, signal)) {
    const gone = await kube.remove(await discovery.pathOf(object, signal), signal);
    if (gone) log.info('object removed: no longer in the manifest', { addon: name, object: labelOf(object) });
  }
}

/** Removes objects that are no longer in any channel, but only the ones that protokube applied. */
async function prune(
  channels: readonly string[],
  outcomes: readonly Outcome[],
  { memory, left }: { readonly memory: Memory; readonly left: ReadonlySet<string> },
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Map<string, readonly ObjectRef[] | undefined>(
    outcomes.flatMap(({ addons }) =>
      addons.map(({ name, manifestHash }) => [name, memory.objects.get(manifestHash)] as const),
    ),
  );
  const inventory = await readInventory(env.kube, signal);
  // A channel that was not applied completely does not say what is no longer wanted.
  const unsure = new Set(outcomes.filter(({ failed }) => failed > 0).map(({ channel }) => channel));
  for (const [name, entry] of inventory) {
    // What kops applies in our place is not unwanted.
    if (unsure.has(channelOf(entry, channels)) || left.has(name)) wanted.set(name, undefined);
  }
  for (const { addon, remove, keep } of planPrune(inventory, wanted)) {
    for (const object of remove) {
      const path = await memory.discovery.pathOf(object, signal);
      const there = await env.kube.get(path, signal);
      if (there === undefined) continue;
      const named = { addon, object: labelOf(object) };
      if (!isOurs(there)) env.log.info('object kept: it was created by another client', named);
      else if (await env.kube.remove(path, signal)) env.log.info('object removed: no longer in the addon', named);
    }
    for (const object of keep) {
      const named = { addon, object: labelOf(object) };
      env.log.info('object kept: deleting it would delete more than the addon', named);
    }
    const entry = inventory.get(addon);
    const objects = wanted.get(addon);
    if (entry === undefined) continue;
    const isWanted = wanted.has(addon);
    await noteAddon(env.kube, addon, isWanted ? { ...entry, objects: objects ?? entry.objects } : undefined, signal);
    if (!isWanted) await record(env.kube, addon, undefined, signal);
  }
}

/** Server-side apply records which client set what. Without it, only the inventory says whose an object is. */
const isOurs = (object: unknown): boolean =>
  !hasApply(asString(asRecord(object)['apiVersion']) ?? '') ||
  asArray(asRecord(asRecord(object)['metadata'])['managedFields']).some(
    (entry) => asRecord(entry)['manager'] === FIELD_MANAGER,
  );

/** Records a failure where `kopsctl get addons` and `kubectl get events -n kube-system` show it. */
async function noteFailure(
  name: string,
  failure: string,
  { channel, inventory }: { readonly channel: string; readonly inventory: Inventory },
  { kube }: { readonly kube: KubeClient },
  signal: AbortSignal,
): Promise<void> {
  const entry = inventory.get(name) ?? { manifestHash: '', objects: [], channel };
  await noteAddon(kube, name, { ...entry, failure: failure.slice(0, LONGEST_NOTE) }, signal);
  const warning = {
    about: { kind: 'ConfigMap', name: 'kopsctl-addons', namespace: 'kube-system' },
    reason: 'AddonFailed',
    message: `${name}: ${failure}`,
    component: 'protokube',
  };
  await createWarning(kube, warning, Date.now(), signal);
}

function once(said: Map<string, string>, key: string, message: string): boolean {
  if (said.get(key) === message) return false;
  said.set(key, message);
  return true;
}
