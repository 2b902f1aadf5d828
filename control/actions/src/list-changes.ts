import { type HistoryLine, historyLines } from './history/history-lines.ts';
import { readHistory } from './history/read-history.ts';
import type { SpecTexts } from './history/spec-at.ts';
import { hashOfText, type SpecChange, writtenBy } from './history/spec-change.ts';
import { readSpecTexts } from './history/spec-texts.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

export interface ListedChanges {
  readonly cluster: string;
  /** The oldest first. */
  readonly changes: readonly HistoryLine[];
  /** Objects that another tool has written, without a line, because a former release did not keep the text before. */
  readonly changedElsewhere: readonly string[];
}

/** The changes of a cluster's spec: who made them, when, how and why; and what other tools changed in between. */
export async function listChanges(context: ActionContext, argument: string | undefined): Promise<ListedChanges> {
  const { store, cluster } = await chooseCluster(context, argument);
  return inPhase(context, 'read the history', async () => {
    const [now, changes] = await Promise.all([readSpecTexts(store, cluster), readHistory(store, cluster)]);
    return { cluster, changes: historyLines(now, changes), changedElsewhere: changedBeyondHistory(now, changes) };
  });
}

function changedBeyondHistory(now: SpecTexts, changes: readonly SpecChange[]): readonly string[] {
  const last = new Map(changes.flatMap(({ objects }) => objects.map((record) => [record.path, record] as const)));
  const hashNow = (path: string): string | null => {
    const text = now.get(path);
    return text === undefined ? null : hashOfText(text);
  };
  return [...last.values()]
    .filter((record) => writtenBy(record) === undefined && record.after !== hashNow(record.path))
    .map(({ path }) => path);
}
