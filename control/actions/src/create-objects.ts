import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { readCluster } from './store/cluster-store.ts';
import { readObjectFiles } from './files/object-files.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { makingCommand } from './phases/making-command.ts';
import { openStateStore } from './phases/open-store.ts';
import { refuseNewUnmakeable } from './phases/refuse-new-unmakeable.ts';
import { formatRemark, remarksOnFiles } from './spec/remarks-on-files.ts';
import { planNewObjects, type Submission, writeSubmissions } from './store/submit-objects.ts';

export interface CreatedObjects {
  readonly created: readonly Submission[];
  /** For each cluster that can be made, the command that makes it. */
  readonly next: readonly (readonly string[])[];
}

/**
 * Stores new objects as files hold them. What exists already, and a cluster that could not be made, is refused before anything
 * is stored.
 */
export async function createObjects(context: ActionContext, files: readonly string[]): Promise<CreatedObjects> {
  const clusters = await inPhase(context, 'read the files', () =>
    readObjectFiles(files, context.env, (line) => note(context, line)),
  );
  const store = await openStateStore(context);
  const created = await inPhase(context, 'check the objects', async () => {
    const planned = await planNewObjects(store, clusters);
    refuseNewUnmakeable(clusters, store.url, context.env);
    for (const one of await remarksOnFiles(store, clusters)) note(context, formatRemark(one));
    return planned;
  });
  await inPhase(context, 'store the objects', () => writeSubmissions(store, created));
  const next: (readonly string[])[] = [];
  for (const { cluster: name } of clusters) {
    const { cluster } = await readCluster(store, name);
    const making = makingCommand(cluster);
    if (making === undefined) note(context, onlyKept(cluster));
    else next.push(making);
  }
  return { created, next };
}

/** A cluster of such a cloud is in the store because kops made it. */
const onlyKept = ({ metadata: { name }, spec: { cloudProvider } }: Cluster): string =>
  `Note: kopsctl cannot make what was stored, because it does not support the cloud provider ${cloudProvider ?? '(none)'} of ${name} yet`;
