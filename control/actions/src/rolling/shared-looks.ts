import type { Fleet, FleetGroup } from '@kopsctl/model/fleet.ts';

/**
 * The same fleet; a caller that asks for its machines while an answer is on its way gets that one. Hundreds of machines are
 * replaced at once, each asks before each of its steps, and an answer lists all of them.
 *
 * An answer may have begun a moment before somebody asked. That does no harm: machines have ids that are never used again, and
 * nothing is done to one that is gone.
 *
 * @param whole ends what is asked; a step that is given up does not, because others wait for the same answer
 */
export function sharingLooks(fleet: Fleet, whole: AbortSignal): Fleet {
  let underWay: Promise<readonly FleetGroup[]> | undefined;
  return {
    ...fleet,
    async groups(signal) {
      underWay ??= fleet.groups(whole).finally(() => {
        underWay = undefined;
      });
      const groups = await underWay;
      signal.throwIfAborted();
      return groups;
    },
  };
}
