import { readObjectFiles } from './files/object-files.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { openStateStore } from './phases/open-store.ts';
import { patchOf, type Replacing, storeOverObjects } from './store/submit-objects.ts';

export interface ReplaceRequest extends Replacing {
  readonly files: readonly string[];
}

/** An object of a file beside what the store had of it. */
export interface ReplacedObject {
  readonly title: string;
  readonly outcome: 'create' | 'replace' | 'keep';
  /** What is different, as `diff -u` prints it. */
  readonly patch: string;
}

/** Writes objects over those that exist, or with `dryRun` says what that would change. */
export async function replaceObjects(
  context: ActionContext,
  { files, ...how }: ReplaceRequest,
): Promise<readonly ReplacedObject[]> {
  const clusters = await inPhase(context, 'read the files', () =>
    readObjectFiles(files, context.env, (line) => note(context, line)),
  );
  const store = await openStateStore(context);
  const replaced = await inPhase(context, 'store the objects', () => storeOverObjects(store, clusters, how));
  return replaced.map((one) => {
    const { title, stored, text } = one;
    const outcome = stored === undefined ? 'create' : stored.text === text ? 'keep' : 'replace';
    return { title, outcome, patch: patchOf(one) };
  });
}
