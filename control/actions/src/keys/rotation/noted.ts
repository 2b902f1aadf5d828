import type { ActionContext } from '../../phases/action.ts';
import { patienceOf, repeatPassing } from '../../phases/repeat-passing.ts';
import type { StoredRotation } from './rotation-journal.ts';

/** What is noted of a rotation, which takes hours, is noted also where its store is away for a moment. */
export const noted = (context: ActionContext, write: () => Promise<StoredRotation>): Promise<StoredRotation> =>
  repeatPassing(write, patienceOf(context), context.signal);
