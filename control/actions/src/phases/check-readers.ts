import type { CloudLayer } from '@kopsctl/model/cloud.ts';
import { type ActionContext, inPhase, note } from './action.ts';

/**
 * Asks the cloud who can read the state store, before keys are written into it.
 *
 * @throws ActionableError where strangers could read the keys of the cluster
 */
export async function checkReaders(context: ActionContext, { checkStore }: CloudLayer): Promise<void> {
  if (checkStore === undefined) return;
  const doubts = await inPhase(context, 'ask the cloud who reads the state store', () => checkStore(context.signal));
  for (const one of doubts) note(context, `Warning: ${one}`);
}
