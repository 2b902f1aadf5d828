import type { Addon } from './channel.ts';

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

/** Applying what is there already changes nothing on the server, and undoes what somebody changed by hand. */
export const REPAIR_MS = 5 * 60_000;

/** Which addons to apply now, in the channel's order. `recorded` is what the cluster says was applied. */
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
      const change = was === undefined ? 'it is new' : `${was.slice(0, 12)} -> ${addon.manifestHash.slice(0, 12)}`;
      return [{ addon, action: 'apply', summary: `apply ${addon.name}: ${change}` }];
    }
    if (mine?.manifestHash === addon.manifestHash && nowMs - mine.appliedMs < REPAIR_MS) return [];
    return [{ addon, action: 'reapply', summary: `reapply ${addon.name}: repair what may have been changed by hand` }];
  });
}
