import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '../client.ts';
import type { Discovery } from '../discovery.ts';
import type { ManifestObject } from './manifest.ts';

/** Applies objects in this order. A failed one does not stop the others. */
export async function applyObjects(
  objects: readonly ManifestObject[],
  discovery: Discovery,
  kube: KubeClient,
  signal: AbortSignal,
): Promise<void> {
  const faults: unknown[] = [];
  for (const object of objects) {
    try {
      await applyObject(object, discovery, kube, signal);
    } catch (error) {
      signal.throwIfAborted();
      faults.push(error);
    }
  }
  if (faults.length === 0) return;
  throw new Error(`${faults.length} of ${objects.length} objects: ${faults.map(messageOf).join('; ')}`, {
    cause: faults[0],
  });
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
