import { createHash } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { applyObjects } from '@kopsctl/kube/addons/apply-objects.ts';
import type { Addon } from '@kopsctl/kube/addons/channel.ts';
import { parseManifest } from '@kopsctl/kube/addons/manifest.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { Discovery } from '@kopsctl/kube/discovery.ts';
import { fetchLocation, type LocationEnv } from './fetch-location.ts';
import type { ObjectRef } from './inventory.ts';

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
      next: 'run `kopsctl apply --yes`, which rewrites the built-in channel and manifests; in a channel of your own, correct manifestHash',
    });
  }
  const objects = parseManifest(await filledIn(addon, bytes.toString('utf8'), env, signal));
  await applyObjects(objects, discovery, env.kube, signal);
  return objects.map(({ apiVersion, kind, name, namespace }) => ({
    apiVersion,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
  }));
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
