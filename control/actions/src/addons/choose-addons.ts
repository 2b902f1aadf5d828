import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { type Addon, parseChannel } from '@kopsctl/kube/addons/channel.ts';
import { claimNames } from '@kopsctl/kube/addons/claim-names.ts';
import type { AddonsChannel } from './read-addons-channel.ts';

/** An addon that a cluster is to have. */
export interface ChosenAddon {
  readonly addon: Addon;
  /** Reads its manifest. */
  readonly read: (signal: AbortSignal) => Promise<Buffer>;
}

/**
 * The addons that channels have for a version of Kubernetes, as protokube chooses them. protokube applies the others where an entry
 * cannot be used, and tries again; a command has one try, so it refuses all of them before anything is changed.
 *
 * @param kubernetesVersion of the API server that gets them
 */
export function chooseAddons(channels: readonly AddonsChannel[], kubernetesVersion: string): readonly ChosenAddon[] {
  const taken = new Map<string, string>();
  const parsed = channels.map(({ url, path, text, read }) => {
    const { addons, faults } = claimNames(url, parseChannel(path, text, kubernetesVersion), taken);
    return {
      chosen: addons.map((addon) => ({ addon, read: (signal: AbortSignal) => read(addon.manifest, signal) })),
      faults: faults.map((fault) => `${url}: ${fault}`),
    };
  });
  const faults = parsed.flatMap((one) => one.faults);
  if (faults.length === 0) return parsed.flatMap(({ chosen }) => chosen);
  throw new ActionableError({
    what: `choose addons for Kubernetes ${kubernetesVersion}`,
    why: faults.join('; '),
    next: 'correct the channel; nothing was applied',
  });
}
