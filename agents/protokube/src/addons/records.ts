import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { Addon } from '@kopsctl/kube/addons/channel.ts';

const KUBE_SYSTEM = '/api/v1/namespaces/kube-system';
/** kops records applied addons in annotations of the namespace kube-system. */
const ANNOTATION = 'addons.k8s.io/';

/** The manifest hash that is recorded for each addon. */
export async function readRecords(kube: KubeClient, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
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

/** Records that an addon was applied completely, or removes the record when `applied` is undefined. */
export async function record(
  kube: KubeClient,
  name: string,
  applied: { readonly channel: string; readonly addon: Addon } | undefined,
  signal: AbortSignal,
): Promise<void> {
  const value =
    applied &&
    JSON.stringify({
      version: applied.addon.version,
      channel: applied.channel,
      id: applied.addon.id,
      manifestHash: applied.addon.manifestHash,
    });
  const annotations = { [ANNOTATION + name]: value ?? null };
  await kube.mergePatch(KUBE_SYSTEM, { metadata: { annotations } }, signal);
}
