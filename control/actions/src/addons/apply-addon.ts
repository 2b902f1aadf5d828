import { createHash } from 'node:crypto';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { applyObjects } from '@kopsctl/kube/addons/apply-objects.ts';
import { type ManifestObject, parseManifest } from '@kopsctl/kube/addons/manifest.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { Discovery } from '@kopsctl/kube/discovery.ts';
import type { ChosenAddon } from './choose-addons.ts';

/** Verifies the manifest of an addon, applies its objects, and notes in the cluster that it has the addon. */
export async function applyAddon(chosen: ChosenAddon, kube: KubeClient, signal: AbortSignal): Promise<void> {
  const { name, id, manifestHash } = chosen.addon;
  const objects = await verifiedObjects(chosen, signal);
  try {
    await applyObjects(objects, new Discovery(kube), kube, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw failure(name, messageOf(error), error);
  }
  // Where kops's channels note what they applied (channels/pkg/channels/channel_version.go).
  const note = JSON.stringify({ id, manifestHash, systemGeneration: 1 });
  const annotations = { [`addons.k8s.io/${name}`]: note };
  await kube.mergePatch('/api/v1/namespaces/kube-system', { metadata: { annotations } }, signal);
}

async function verifiedObjects(
  { addon: { name, manifestHash, needsFacts = [] }, read }: ChosenAddon,
  signal: AbortSignal,
): Promise<readonly ManifestObject[]> {
  if (needsFacts.length > 0) {
    const facts = needsFacts.join(', ');
    throw failure(name, `its manifest needs what only a machine of the cluster knows: ${facts}; protokube applies it`);
  }
  const bytes = await read(signal);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== manifestHash) {
    throw failure(name, `its manifest has the SHA-256 ${hash}, and the channel says ${manifestHash}`);
  }
  try {
    return parseManifest(bytes.toString());
  } catch (error) {
    throw failure(name, messageOf(error), error);
  }
}

const failure = (name: string, why: string, cause?: unknown): ActionableError =>
  new ActionableError({
    what: `apply the addon ${name}`,
    why,
    next: 'correct the channel or its manifest; where an object needs a definition or a webhook that was only just applied, run this again. `kopsctl get addons` shows what the cluster applied',
    cause,
  });
