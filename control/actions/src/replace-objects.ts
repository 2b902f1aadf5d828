import { readObjectFiles } from './files/object-files.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { openStateStore } from './phases/open-store.ts';
import { objectPath } from './store/object-paths.ts';
import { refuseNewUnmakeable } from './phases/refuse-new-unmakeable.ts';
import { formatRemark, remarksOnFiles } from './spec/remarks-on-files.ts';
import { patchOf, planOverObjects, writeSubmissions } from './store/submit-objects.ts';

export interface ReplaceRequest {
  readonly files: readonly string[];
  /** Objects that do not exist are created. Otherwise they are refused, and nothing is written. */
  readonly force: boolean;
  /** Everything is checked as if they were written, and nothing is. */
  readonly dryRun: boolean;
}

/** An object of a file beside what the store had of it. */
export interface ReplacedObject {
  readonly title: string;
  readonly outcome: 'create' | 'replace' | 'keep';
  /** What is different, as `diff -u` prints it. */
  readonly patch: string;
}

/** Writes objects over existing ones, or with `dryRun` says what that would change. */
export async function replaceObjects(
  context: ActionContext,
  { files, force, dryRun }: ReplaceRequest,
): Promise<readonly ReplacedObject[]> {
  const clusters = await inPhase(context, 'read the files', () =>
    readObjectFiles(files, context.env, (line) => note(context, line)),
  );
  const store = await openStateStore(context);
  const replaced = await inPhase(context, 'check the objects', async () => {
    const planned = await planOverObjects(store, clusters, { force });
    const created = new Set(planned.filter(({ stored }) => stored === undefined).map(({ path }) => path));
    const added = clusters.filter(({ cluster }) => created.has(objectPath(cluster, 'Cluster', cluster)));
    refuseNewUnmakeable(added, store.url, context.env);
    for (const one of await remarksOnFiles(store, clusters)) note(context, formatRemark(one));
    return planned;
  });
  if (!dryRun) await inPhase(context, 'store the objects', () => writeSubmissions(store, replaced));
  return replaced.map((one) => {
    const { title, stored, text } = one;
    const outcome = stored === undefined ? 'create' : stored.text === text ? 'keep' : 'replace';
    return { title, outcome, patch: patchOf(one) };
  });
}
