import type { KubeClient } from '@kopsctl/kube/client.ts';
import { Discovery } from '@kopsctl/kube/discovery.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';

/** Applies objects of Kubernetes in this order, as protokube does with those of addons. */
export async function applyObjects(kube: KubeClient, objects: readonly unknown[], signal: AbortSignal): Promise<void> {
  const discovery = new Discovery(kube);
  for (const object of objects) {
    const { apiVersion, kind, metadata } = asRecord(object);
    const { name, namespace } = asRecord(metadata);
    const named = {
      apiVersion: asString(apiVersion) ?? '',
      kind: asString(kind) ?? '',
      name: asString(name) ?? '',
      ...(typeof namespace === 'string' && { namespace }),
    };
    await kube.apply(await discovery.pathOf(named, signal), object, signal);
  }
}
