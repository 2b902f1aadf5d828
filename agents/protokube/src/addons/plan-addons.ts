import type { Addon } from '@kopsctl/kube/addons/channel.ts';

/** What this process knows about an addon it has applied. */
export interface AppliedAddon {
  readonly manifestHash: string;
  readonly appliedMs: number;
}

export interface AddonStep {
  readonly addon: Addon;
  readonly action: 'apply' | 'reapply';
  readonly summary: string;
}

/** Applying an unchanged manifest again undoes manual changes and otherwise changes nothing on the server. */
export const REPAIR_MS = 5 * 60_000;

/** Decides which addons to apply now, in the channel's order. `recorded` holds the manifest hashes that the cluster records. */
export function planAddons(
  addons: readonly Addon[],
  applied: ReadonlyMap<string, AppliedAddon>,
  recorded: ReadonlyMap<string, string>,
  nowMs: number,
): readonly AddonStep[] {
  return addons.flatMap((addon): AddonStep[] => {
    const mine = applied.get(addon.name);
    const was = recorded.get(addon.name);
    if (was !== addon.manifestHash) {
      const change = was === undefined ? 'new' : `${was.slice(0, 12)} -> ${addon.manifestHash.slice(0, 12)}`;
      return [{ addon, action: 'apply', summary: `apply ${addon.name}: ${change}` }];
    }
    if (mine?.manifestHash === addon.manifestHash && nowMs - mine.appliedMs < REPAIR_MS) return [];
    return [{ addon, action: 'reapply', summary: `reapply ${addon.name}: undo any manual changes` }];
  });
}
