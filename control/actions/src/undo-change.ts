import { specCloud } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
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

/** Brings a spec back to how it was. That is a change of its own: it can be undone as well. Machines are not changed. */
export async function undoChange(context: ActionContext, request: UndoRequest): Promise<UndoneChange> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  return inPhase(context, 'bring the spec back', async () => {
    const [now, changes] = await Promise.all([readSpecTexts(store, cluster), readHistory(store, cluster)]);
    const lines = historyLines(now, changes);
    const wanted = specAt(now, lines, targetOf(cluster, lines, request.to));
    const next = checkSpec(store, cluster, wanted);
    const differences = textDifferences(now, wanted);
    if (request.yes) for (const { path } of differences) await bringBack(store, cluster, path, { now, wanted });
    return { cluster, differences, next };
  });
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

/** Writes one object over exactly the text that was read. */
async function bringBack(
  store: StateStore,
  cluster: string,
  path: string,
  { now, wanted }: { readonly now: SpecTexts; readonly wanted: SpecTexts },
): Promise<void> {
  const [stored, text] = [await store.read(`${cluster}/${path}`), wanted.get(path)];
  const found = stored && new TextDecoder().decode(stored.bytes);
  if (found !== now.get(path)) {
    throw new ActionableError({
      what: `bring ${path} of ${cluster} back`,
      why: 'somebody changed it at the same time',
      next: `look at their change with \`kopsctl history ${cluster}\`, and repeat the command`,
    });
  }
  if (text === undefined) {
    if (stored !== undefined) await store.delete(`${cluster}/${path}`, { ifVersion: stored.version });
    return;
  }
  const condition = ifUnchanged(stored?.version);
  await store.write(`${cluster}/${path}`, new TextEncoder().encode(text), condition);
}
