import { createHash } from 'node:crypto';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord, asString } from '../kube/json.ts';
import type { KubeClient } from '../kube/client.ts';
import { Discovery } from '../kube/discovery.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { parseChannel, parseManifest, type Addon } from './channel.ts';
import { planAddons, type AppliedAddon } from './plan-addons.ts';

/** Stores tell nobody of a change, so the channel (a small file) is read this often. */
const CHANNEL_POLL_MS = 60_000;
/** After a failure sooner: what an addon waits for (a webhook, a definition) often comes within seconds. */
const RETRY_MS = 5_000;
const KUBE_SYSTEM = '/api/v1/namespaces/kube-system';
/** kops's place of record: an annotation of the namespace kube-system. */
const ANNOTATION = 'addons.k8s.io/';

export interface AddonsEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly kube: KubeClient;
  readonly leadership: Leadership;
  readonly log: Log;
}

/** Applies the channels while this machine leads, and repairs what is changed by hand. A failing addon stops no other. */
export async function reconcileAddons(channels: readonly string[], env: AddonsEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  env.leadership.ringOnChange(wake);
  const discovery = new Discovery(env.kube);
  const applied = new Map<string, AppliedAddon>();
  const failures = new Map<string, string>();
  while (!signal.aborted) {
    const failed = await env.leadership.whileLeading(signal, async (term) => {
      let count = 0;
      for (const channel of channels) count += await applyChannel(channel, discovery, applied, failures, env, term);
      return count;
    });
    await wake.wait((failed ?? 0) > 0 ? RETRY_MS : CHANNEL_POLL_MS, signal);
  }
}

async function applyChannel(
  path: string,
  discovery: Discovery,
  applied: Map<string, AppliedAddon>,
  said: Map<string, string>,
  env: AddonsEnv,
  signal: AbortSignal,
): Promise<number> {
  const { addons, faults } = parseChannel(path, (await fetch(path, env, signal)).toString('utf8'));
  for (const fault of faults) if (once(said, `${path} ${fault}`, fault)) env.log.error(`${path}: ${fault}`);
  let failed = faults.length;
  const recorded = await readRecords(env.kube, signal);
  for (const step of planAddons(addons, applied, recorded, performance.now())) {
    const { addon } = step;
    try {
      const count = await applyAddon(addon, discovery, env, signal);
      if (step.action === 'apply') await record(path, addon, env, signal);
      applied.set(addon.name, { manifestHash: addon.manifestHash, appliedMs: performance.now() });
      said.delete(addon.name);
      if (step.action === 'apply') env.log.info(`${step.summary} (${count} objects)`);
    } catch (error) {
      signal.throwIfAborted();
      failed += 1;
      const next = error instanceof ActionableError ? `; next: ${error.next}` : '';
      const message = `${step.summary} failed: ${messageOf(error)}${next}`;
      if (once(said, addon.name, message)) env.log.error(message);
    }
  }
  return failed;
}

function once(said: Map<string, string>, key: string, message: string): boolean {
  if (said.get(key) === message) return false;
  said.set(key, message);
  return true;
}

/** Applies every object; the failure of one does not keep back those that do not need it. */
async function applyAddon(addon: Addon, discovery: Discovery, env: AddonsEnv, signal: AbortSignal): Promise<number> {
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
  return objects.length;
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
