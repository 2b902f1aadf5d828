import type { ActionContext } from '../../phases/action.ts';
import { patienceOf, repeatPassing } from '../../phases/repeat-passing.ts';
import type { StoredRotation } from './rotation-journal.ts';

/** Writes a step of a rotation down, and tries again where the store cannot be reached for a moment: a rotation takes hours. */
export const noted = (context: ActionContext, write: () => Promise<StoredRotation>): Promise<StoredRotation> =>
  repeatPassing(write, patienceOf(context), context.signal);
