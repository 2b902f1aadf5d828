import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { hostSettings } from './cloud/host-settings.ts';
import type { ActionContext } from './phases/action.ts';

/** Removes what clusters on this computer left behind. Resolves with what that was. */
export async function collectGarbage({ env }: Pick<ActionContext, 'env'>): Promise<readonly string[]> {
  const settings = hostSettings(env, undefined);
  const removed = await Promise.all(CLOUDS.map(async ({ driver }) => (await driver?.collectGarbage?.(settings)) ?? []));
  return removed.flat();
}
