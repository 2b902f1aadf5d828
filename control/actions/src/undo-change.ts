import { specCloud } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { bringBack } from './history/bring-back.ts';
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
import { type MakingCommand, makingCommand } from './phases/making-command.ts';
import { InvalidSpecError } from './spec/complete.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

export interface UndoRequest {
  readonly cluster?: string | undefined;
  /** The change after which the spec was as it is to be again, by its name in the history; without it, the last one is undone. */
  readonly to?: string | undefined;
  /** The earlier texts are stored; otherwise they are only shown. */
  readonly yes: boolean;
}

export interface UndoneChange {
  readonly cluster: string;
  /** What changes in the spec. */
  readonly differences: readonly TextDifference[];
  readonly next: MakingCommand;
}

interface Undoing extends UndoneChange {
  readonly now: SpecTexts;
  readonly wanted: SpecTexts;
  /** The name of the point in the history at which the spec was as it is wanted. */
  readonly point: string;
}

/** Brings a spec back to how it was. That is a change of its own: it can be undone as well. Machines are not changed. */
export async function undoChange(context: ActionContext, request: UndoRequest): Promise<UndoneChange> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const { to } = request;
  const shown = await inPhase(context, 'compare the spec with how it was', () => planUndo(store, cluster, to));
  if (!request.yes || shown.differences.length === 0) return shown;
  return withClusterLock(store, cluster, 'undo', context, () =>
    inPhase(context, 'bring the spec back', async () => {
      const undoing = await planUndo(store, cluster, to);
      await bringBack(store, { ...undoing, paths: undoing.differences.map(({ path }) => path) });
      return undoing;
    }),
  );
}

/** What undoing a change brings back. The caller holds the cluster's lock, unless it only asks. */
async function planUndo(store: StateStore, cluster: string, to: string | undefined): Promise<Undoing> {
  const [now, changes] = await Promise.all([readSpecTexts(store, cluster), readHistory(store, cluster)]);
  const lines = historyLines(now, changes);
  const point = targetOf(cluster, lines, to);
  const wanted = specAt(now, lines, point);
  const next = checkSpec(store, cluster, wanted);
  const differences = textDifferences(now, wanted);
  return { cluster, differences, next, now, wanted, point: lines[point - 1]?.id ?? '0' };
}

/** The point of the history that is wanted. */
function targetOf(cluster: string, lines: readonly HistoryLine[], to: string | undefined): number {
  const what = `undo a change of ${cluster}`;
  if (lines.length === 0) {
    throw new ActionableError({
      what,
      why: 'its history is empty',
      next: `change it with \`kopsctl edit cluster ${cluster}\`; the history begins with the next change`,
    });
  }
  const target = to === undefined ? pointBefore(lines, lines.length) : pointNamed(lines, to);
  if (target !== undefined) return target;
  throw new ActionableError({
    what,
    why: `its history has no change ${to}`,
    next: `choose one of 0, ${lines.map(({ id }) => id).join(', ')}; \`kopsctl history ${cluster}\` shows them`,
  });
}

/** An earlier spec must be one that can be used now. */
function checkSpec(store: StateStore, name: string, texts: SpecTexts): MakingCommand {
  const { cluster, instanceGroups, objects } = objectsOfTexts(texts, `the earlier spec of ${name} in ${store.url}`);
  if (cluster === undefined) {
    throw new ActionableError({
      what: `undo a change of ${name}`,
      why: 'that change created the cluster',
      next: `delete the cluster with \`kopsctl delete cluster ${name}\`, or name a later change with --to`,
    });
  }
  const faults = validateCluster(cluster, instanceGroups, specCloud(cluster), objects);
  if (faults.length > 0) throw new InvalidSpecError(`use the earlier spec of ${name}`, faults);
  return makingCommand(cluster);
}
