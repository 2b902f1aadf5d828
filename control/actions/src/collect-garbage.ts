import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { type ActionContext, inPhase } from './phases/action.ts';

/** Removes what clusters on this computer left behind. Resolves with what that was. */
export async function collectGarbage(context: Pick<ActionContext, 'env' | 'onEvent'>): Promise<readonly string[]> {
  const settings = hostSettings(context.env, undefined);
  const removed = await inPhase(context, 'remove what was left behind', () =>
    Promise.all(CLOUDS.map(async ({ driver }) => (await driver?.collectGarbage?.(settings)) ?? [])),
  );
  return removed.flat();
}
