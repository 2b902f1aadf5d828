import type { RollManner } from '../roll-cluster.ts';
import { randomUUID } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import type { ActionContext } from '../phases/action.ts';
import { patienceOf } from '../phases/repeat-passing.ts';
import { specVersions } from '../plans/spec-versions.ts';
import { askedOf } from '../rolling/asked.ts';
import { readRoll } from '../rolling/journal.ts';
import { isMissed } from '../rolling/start-roll.ts';
import { hasObjectFields } from '../spec/set-object-fields.ts';
import { refuseDowngrade } from '../store/applied-release.ts';
import { refuseUnadopted } from '../store/origin.ts';
import { isLeft, type Operation, resumedOperation, type Stage, writtenBy } from './operation.ts';
import { openOperationJournal } from './operation-journal.ts';
import { refuseBesideUpgrade, withOperationLock } from './operation-lock.ts';
import { runOperation } from './run-operation.ts';
import { takeStage } from './take-stage.ts';

export interface Doing {
  readonly store: StateStore;
  readonly cluster: string;
  readonly kind: Operation['kind'];
  /** The stages of a new one. One of this kind that was left is continued instead; a reconciliation if its spec is the same. */
  readonly stages: readonly Stage[];
  /** The oldest Kubernetes that an API server runs now, asked where a new one begins. */
  readonly oldestApiServer?: () => Promise<string | undefined>;
  readonly manner: RollManner;
  /** A newer kopsctl may have applied the cluster last. */
  readonly allowsDowngrade?: boolean | undefined;
}

/** Does an upgrade or a reconciliation, or resumes an unfinished one, while nobody else does. */
export async function doOperation(context: ActionContext, doing: Doing): Promise<Operation> {
  const { store, cluster, kind, stages, allowsDowngrade = false } = doing;
  const [verb, purpose] =
    kind === 'Upgrade' ? (['upgrade', 'upgrade'] as const) : (['reconcile', 'reconcile'] as const);
  await refuseUnadopted(store, cluster);
  if (!allowsDowngrade) await refuseDowngrade(store, cluster);
  await refuseBesideUpgrade(store, cluster, `${verb} ${cluster}`);
  return withOperationLock(store, cluster, purpose, context, async (signal) => {
    const journal = await openOperationJournal(store, cluster, signal);
    const former = journal.entry;
    const isOwn = isLeft(former) && former.kind === kind;
    // An upgrade writes the spec itself.
    const spec = kind === 'Upgrade' ? undefined : await specVersions(store, cluster);
    const goesOn = isOwn && isSameJson(former.spec ?? {}, spec ?? {});
    const { resumes, ...given } = doing.manner;
    const manner: RollManner = { ...given, ...(resumes === true && isOwn && former.manner) };
    const begun = goesOn
      ? resumedOperation(former, await isTakenBack(store, cluster, former))
      : newOperation(kind, stages, await doing.oldestApiServer?.());
    const start: Operation = { ...begun, manner: askedOf(manner), ...(spec && { spec }) };
    if (!isOwn) refuseLeftRoll(cluster, verb, await readRoll(store, cluster, signal));
    context.onEvent({ type: 'operation-started', atMs: Date.now(), operation: start, resumed: goesOn });
    const inner: ActionContext = { ...context, signal: AbortSignal.any([context.signal, signal]) };
    return runOperation(
      start,
      {
        journal,
        ...patienceOf(context),
        take: (stage) => takeStage(inner, stage, { store, cluster, manner, allowsDowngrade }),
        onStage: (stage) => context.onEvent({ type: 'stage-started', atMs: Date.now(), stage }),
      },
      { stop: context.signal, signal },
    );
  });
}

/** Whether somebody has changed what the operation wrote to the spec. */
async function isTakenBack(store: StateStore, cluster: string, operation: Operation): Promise<boolean> {
  for (const { kind, name, set } of writtenBy(operation)) {
    if (!(await hasObjectFields(store, { cluster, kind, name }, set))) return true;
  }
  return false;
}

const newOperation = (
  kind: Operation['kind'],
  stages: readonly Stage[],
  oldestApiServer: string | undefined,
): Operation => ({
  apiVersion: 'kopsctl.io/v1',
  kind,
  id: randomUUID(),
  startedMs: Date.now(),
  state: 'running',
  ...(oldestApiServer !== undefined && { oldestApiServer }),
  stages,
});

/** @throws ActionableError where machines were left on their way by a rolling update that is not one of its stages */
function refuseLeftRoll(cluster: string, verb: string, roll: Awaited<ReturnType<typeof readRoll>>): void {
  if (!isMissed(roll)) return;
  throw new ActionableError({
    what: `${verb} ${cluster}`,
    why: `a rolling update that began at ${new Date(roll.startedMs).toISOString()} was left unfinished (${roll.state})`,
    next: `finish it with \`kopsctl rolling-update cluster ${cluster} --yes\`, or end it with \`kopsctl rolling-update abort ${cluster}\``,
  });
}
