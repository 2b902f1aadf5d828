import { serverVersion } from '@kopsctl/kube/server-version.ts';
import type { ApiChoice } from './access/api-choice.ts';
import { accessCluster } from './access/cluster-access.ts';
import { applyAddon } from './addons/apply-addon.ts';
import { chooseAddons } from './addons/choose-addons.ts';
import { readAddonsChannel } from './addons/read-addons-channel.ts';
import { hostSettings } from './cloud/host-settings.ts';
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

/** Applies to a running cluster those addons that channels have for its version of Kubernetes and that differ from what it has. */
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
    return accessCluster(store, cluster, hostSettings(env, undefined), { choice, env, signal });
  });
  const chosen = await inPhase(context, 'choose addons', async () =>
    chooseAddons(read, await serverVersion(kube, signal)),
  );
  const noted = addonsOfKops(await api.systemAnnotations(signal));
  const applied = new Map(noted.map(({ name, manifestHash }) => [name, manifestHash]));
  const updates: AddonUpdate[] = [];
  for (const one of chosen) {
    const { name, manifestHash: wanted } = one.addon;
    const current = applied.get(name) ?? '';
    if (current === wanted) continue;
    updates.push({ name, current, wanted });
    if (!yes) continue;
    await inPhase(context, `apply the addon ${name}`, () => applyAddon(one, kube, signal));
    result(context, `Applied ${name}`);
  }
  return updates;
}
