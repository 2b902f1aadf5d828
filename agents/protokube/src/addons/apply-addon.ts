import { createHash } from 'node:crypto';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { Discovery } from '@kopsctl/kube/discovery.ts';
import type { Addon } from './channel.ts';
import { fetchLocation, type LocationEnv } from './fetch-location.ts';
import type { ObjectRef } from './inventory.ts';
import { type ManifestObject, parseManifest } from './manifest.ts';

export interface ApplyEnv extends LocationEnv {
  readonly kube: KubeClient;
  /** Facts that only the cloud or a secret of the cluster knows, by name. A manifest asks for one as `@{name}`. */
  readonly facts: Readonly<Record<string, (signal: AbortSignal) => Promise<string>>>;
}

/** Verifies a manifest and applies every object. A failed object does not stop the others. */
export async function applyAddon(
  addon: Addon,
  discovery: Discovery,
  env: ApplyEnv,
  signal: AbortSignal,
): Promise<readonly ObjectRef[]> {
  const bytes = await fetchLocation(addon.manifest, env, signal);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== addon.manifestHash) {
    throw new ActionableError({
      what: `apply the addon ${addon.name}`,
      why: `${addon.manifest} has the SHA-256 ${hash}, but its channel says ${addon.manifestHash}; nothing was applied`,
      next: 'run `kopsctl apply`, which rewrites the built-in channel and manifests; in a channel of your own, correct manifestHash',
    });
  }
  const faults: unknown[] = [];
  const objects = parseManifest(await filledIn(addon, bytes.toString('utf8'), env, signal));
  for (const object of objects) {
    try {
      await applyObject(object, discovery, env.kube, signal);
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

/** Kubernetes 1.20: the aggregator, which stores these objects, has no server-side apply and panics when asked for it. */
export const hasApply = (apiVersion: string): boolean => !apiVersion.startsWith('apiregistration.k8s.io/');

/** Makes an object match its manifest. Fields that the manifest does not set are left alone. */
export async function applyObject(
  object: ManifestObject,
  discovery: Discovery,
  kube: KubeClient,
  signal: AbortSignal,
): Promise<void> {
  const path = await discovery.pathOf(object, signal);
  if (hasApply(object.apiVersion)) await kube.apply(path, object.object, signal);
  else if ((await kube.get(path, signal)) === undefined) {
    const collection = path.slice(0, path.lastIndexOf('/'));
    await kube.create(collection, object.object, signal);
  } else await kube.mergePatch(path, object.object, signal);
}

async function filledIn(addon: Addon, text: string, env: ApplyEnv, signal: AbortSignal): Promise<string> {
  let filled = text;
  for (const fact of addon.needsFacts ?? []) {
    const read = env.facts[fact];
    if (read === undefined) {
      throw new ActionableError({
        what: `apply the addon ${addon.name}`,
        why: `its manifest holds @{${fact}}, which this machine does not know`,
        next: `take ${fact} out of needsFacts in its channel, and @{${fact}} out of the manifest`,
      });
    }
    const value = await read(signal);
    filled = filled.replaceAll(`@{${fact}}`, () => value);
  }
  return filled;
}
