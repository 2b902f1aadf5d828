import { stringify } from 'yaml';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Compared } from './history/compared.ts';
import { objectsOfTexts } from './history/objects-of-texts.ts';
import { type HistoryLine, historyLines } from './history/history-lines.ts';
import { pointBefore } from './history/point-before.ts';
import { pointNamed } from './history/point-named.ts';
import { readHistory } from './history/read-history.ts';
import { specAt, type SpecTexts } from './history/spec-at.ts';
import { readSpecTexts } from './history/spec-texts.ts';
import { type TextDifference, textDifferences } from './history/text-difference.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { prepareQuietly } from './phases/prepare-quietly.ts';

export interface CompareRequest {
  readonly cluster?: string | undefined;
  readonly what: Compared;
  /** The changes after which the spec is looked at, by their names in the history. By default: before the last one, and now. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ComparedSpec {
  readonly cluster: string;
  readonly differences: readonly TextDifference[];
}

/** Compares two points of a spec's history. The cloud is not asked, and nothing is changed. */
export async function compareSpec(context: ActionContext, request: CompareRequest): Promise<ComparedSpec> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  return inPhase(context, 'compare the spec', async () => {
    const [now, changes] = await Promise.all([readSpecTexts(store, cluster), readHistory(store, cluster)]);
    const lines = historyLines(now, changes);
    const to = pointOf(cluster, lines, request.to) ?? lines.length;
    const from = pointOf(cluster, lines, request.from) ?? pointBefore(lines, to);
    const [before, after] = [specAt(now, lines, from), specAt(now, lines, to)];
    const [left, right] = [
      await textsOf(context, store, { cluster, texts: before, what: request.what }),
      await textsOf(context, store, { cluster, texts: after, what: request.what }),
    ];
    return { cluster, differences: textDifferences(left, right) };
  });
}

function pointOf(cluster: string, lines: readonly HistoryLine[], id: string | undefined): number | undefined {
  if (id === undefined) return undefined;
  const point = pointNamed(lines, id);
  if (point !== undefined) return point;
  throw new ActionableError({
    what: `compare the spec of ${cluster} with change ${id}`,
    why: 'its history has no change of that number',
    next: `\`kopsctl history ${cluster}\` shows those that it has`,
  });
}

interface View {
  readonly cluster: string;
  readonly texts: SpecTexts;
  readonly what: Compared;
}

async function textsOf(context: ActionContext, store: StateStore, { cluster, texts, what }: View): Promise<SpecTexts> {
  if (what === 'spec') return texts;
  const parsed = objectsOfTexts(texts, `the spec of ${cluster} in ${store.url}`);
  // Before the change that created the cluster there was nothing.
  if (parsed.cluster === undefined) return new Map();
  const wanted = { ...parsed, name: cluster, cluster: parsed.cluster, changes: [] };
  const { completed, tasks } = await prepareQuietly(context, store, wanted);
  if (what === 'completed') {
    const groups = completed.instanceGroups.map(
      (group) => [`instancegroup/${group.metadata.name}`, printObject(group)] as const,
    );
    return new Map([['cluster.spec', printObject(completed.cluster)], ...groups]);
  }
  return new Map(
    tasks.flatMap(({ kind, name, props: { content } }) =>
      kind === 'ManagedFile' && name.startsWith('node-plan-') && typeof content === 'string'
        ? [[name, stringify(JSON.parse(content), { lineWidth: 0 })] as const]
        : [],
    ),
  );
}
