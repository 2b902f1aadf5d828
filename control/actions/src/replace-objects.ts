import { readObjectFiles } from './files/object-files.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { openStateStore } from './phases/open-store.ts';
import { storeOverObjects, type Submission } from './store/submit-objects.ts';

/** Writes objects over those that exist; with `force`, those that do not exist are created. */
export async function replaceObjects(
  context: ActionContext,
  { files, force }: { readonly files: readonly string[]; readonly force: boolean },
): Promise<readonly Submission[]> {
  const clusters = await inPhase(context, 'read the files', () => readObjectFiles(files));
  const store = await openStateStore(context);
  return inPhase(context, 'store the objects', () => storeOverObjects(store, clusters, { force }));
}
