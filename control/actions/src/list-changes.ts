import { hashOfText, type SpecChange } from './history/spec-change.ts';
import { readHistory } from './history/read-history.ts';
import { readSpecTexts } from './history/spec-texts.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

export interface ListedChanges {
  readonly cluster: string;
  /** The oldest first. */
  readonly changes: readonly SpecChange[];
  /** Objects that are not as their last recorded change left them: another tool, e.g. kops, has written them. */
  readonly changedElsewhere: readonly string[];
}

/** The recorded changes of a cluster's spec: who made them, when, how and why. */
export async function listChanges(context: ActionContext, argument: string | undefined): Promise<ListedChanges> {
  const { store, cluster } = await chooseCluster(context, argument);
  return inPhase(context, 'read the history', async () => {
    const [now, changes] = await Promise.all([readSpecTexts(store, cluster), readHistory(store, cluster)]);
    const left = new Map(changes.flatMap(({ objects }) => objects.map(({ path, after }) => [path, after] as const)));
    const changedElsewhere = [...left]
      .filter(([path, after]) => {
        const text = now.get(path);
        return (text === undefined ? null : hashOfText(text)) !== after;
      })
      .map(([path]) => path);
    return { cluster, changes, changedElsewhere };
  });
}
