import { createHash } from 'node:crypto';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { Discovery } from '@kopsctl/kube/discovery.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { parseAllDocuments } from 'yaml';
import type { ApiChoice } from './access/api-choice.ts';
import { accessCluster } from './access/cluster-access.ts';
import { type AddonsChannel, type ChannelAddon, readAddonsChannel } from './addons/read-addons-channel.ts';
import { localSettings } from './cloud/local-settings.ts';
import { addonsOfKops } from './follow/list-addons.ts';
import { type ActionContext, inPhase, result } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

export interface ApplyAddonsRequest {
  /** The addresses of channels. */
  readonly channels: readonly string[];
  /** The addons are applied; otherwise they are only compared. */
  readonly yes: boolean;
  readonly choice: ApiChoice;
}

/** An addon of a channel that the cluster does not have, or has in another version. */
export interface AddonUpdate {
  readonly name: string;
  /** The hash that the cluster applied; empty where it does not have the addon. */
  readonly current: string;
  readonly wanted: string;
}

/** Applies to a running cluster those addons of channels that differ from what it has. */
export async function applyAddons(
  context: ActionContext,
  request: ApplyAddonsRequest,
): Promise<readonly AddonUpdate[]> {
  const { channels, yes, choice } = request;
  const { signal, env } = context;
  const read = await inPhase(context, 'read the channels', () =>
    Promise.all(channels.map((url) => readAddonsChannel(url, env, signal))),
  );
  const { kube, api } = await inPhase(context, 'find the API', async () => {
    const { store, cluster } = await chooseCluster(context, undefined);
    return accessCluster(store, cluster, localSettings(env, undefined), { choice, env, signal });
  });
  const noted = addonsOfKops(await api.systemAnnotations(signal));
  const applied = new Map(noted.map(({ name, manifestHash }) => [name, manifestHash]));
  const updates: AddonUpdate[] = [];
  for (const channel of read) {
    for (const addon of channel.addons) {
      const current = applied.get(addon.name) ?? '';
      if (current === addon.manifestHash) continue;
      updates.push({ name: addon.name, current, wanted: addon.manifestHash });
      if (!yes) continue;
      await inPhase(context, `apply the addon ${addon.name}`, () => applyAddon(kube, channel, addon, signal));
      result(context, `Applied ${addon.name}`);
    }
  }
  return updates;
}

async function applyAddon(
  kube: KubeClient,
  channel: AddonsChannel,
  addon: ChannelAddon,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await channel.manifestOf(addon, signal);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (addon.manifestHash !== '' && hash !== addon.manifestHash) {
    throw failure(addon, `its manifest has the SHA-256 ${hash}, and the channel says ${addon.manifestHash}`);
  }
  if (/@\{\w+\}/.test(bytes.toString())) {
    throw failure(addon, 'its manifest holds facts that only a machine of the cluster knows: protokube applies it');
  }
  const discovery = new Discovery(kube);
  for (const object of objectsOf(bytes.toString())) {
    const [metadata, kind, apiVersion] = [
      asRecord(object['metadata']),
      asString(object['kind']),
      asString(object['apiVersion']),
    ];
    const [name, namespace] = [asString(metadata['name']), asString(metadata['namespace'])];
    if (kind === undefined || apiVersion === undefined || name === undefined) {
      throw failure(addon, 'an object of its manifest lacks apiVersion, kind or metadata.name');
    }
    try {
      const at = { kind, apiVersion, name, ...(namespace !== undefined && { namespace }) };
      await kube.apply(await discovery.pathOf(at, signal), object, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw failure(addon, `${kind} ${name}: ${messageOf(error)}`, error);
    }
  }
  // Where kops's channels note what they applied (channels/pkg/channels/channel_version.go).
  const note = JSON.stringify({ id: addon.id, manifestHash: hash, systemGeneration: 1 });
  const annotations = { [`addons.k8s.io/${addon.name}`]: note };
  await kube.mergePatch('/api/v1/namespaces/kube-system', { metadata: { annotations } }, signal);
}

function objectsOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  const open = (value: unknown): readonly Readonly<Record<string, unknown>>[] => {
    const object = asRecord(value);
    if (asString(object['kind'])?.endsWith('List') === true) return asArray(object['items']).flatMap(open);
    return Object.keys(object).length === 0 ? [] : [object];
  };
  return parseAllDocuments(text).flatMap((document) => open(document.toJS()));
}

const failure = ({ name }: ChannelAddon, why: string, cause?: unknown): ActionableError =>
  new ActionableError({
    what: `apply the addon ${name}`,
    why,
    next: '`kopsctl get addons` shows what the cluster applied; correct the channel or its manifest',
    cause,
  });
