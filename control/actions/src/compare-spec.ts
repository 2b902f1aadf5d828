import { stringify } from 'yaml';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Compared } from './history/compared.ts';
import { objectsOfTexts } from './history/objects-of-texts.ts';
import { readHistory } from './history/read-history.ts';
import type { SpecChange } from './history/spec-change.ts';
import { specAt, type SpecTexts } from './history/spec-at.ts';
import { readSpecTexts } from './history/spec-texts.ts';
import { type TextDifference, textDifferences } from './history/text-difference.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';

export interface CompareRequest {
  readonly cluster?: string | undefined;
  readonly what: Compared;
  /** The numbers of the changes after which the spec is looked at. By default: before the last change, and now. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
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
    const { from, to } = pointsOf(cluster, changes, request);
    const before = specAt(now, changes, from);
    const after = to === undefined ? now : specAt(now, changes, to);
    const [left, right] = [
      await textsOf(context, store, { cluster, texts: before, what: request.what }),
      await textsOf(context, store, { cluster, texts: after, what: request.what }),
    ];
    return { cluster, differences: textDifferences(left, right) };
  });
}

function pointsOf(
  cluster: string,
  changes: readonly SpecChange[],
  { from, to }: CompareRequest,
): { readonly from: number; readonly to: number | undefined } {
  const last = changes.at(-1)?.number ?? 0;
  for (const number of [from, to]) {
    if (number === undefined || number === 0 || changes.some((change) => change.number === number)) continue;
    throw new ActionableError({
      what: `compare the spec of ${cluster} with change ${number}`,
      why: 'its history has no change of that number',
      next: `\`kopsctl history ${cluster}\` shows those that it has`,
    });
  }
  return { from: from ?? Math.max(0, (to ?? last) - 1), to };
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
  const silent: ActionContext = { ...context, onEvent: () => {} };
  const wanted = { ...parsed, name: cluster, cluster: parsed.cluster, changes: [] };
  const preparation = { store, wanted, assets: undefined, asksCloud: false, offline: true };
  const { completed, tasks } = await prepareCluster(silent, preparation);
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
