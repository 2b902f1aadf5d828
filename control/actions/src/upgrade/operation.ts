import semver from 'semver';
import * as z from 'zod';
import { askedSchema } from '../rolling/asked.ts';

/** What happens in an upgrade or a reconciliation. Taking a stage again does no harm. */
const STAGES = [
  /** Fields of the spec are written. */
  'set-spec',
  /** What control planes need is applied; workers, and what makes new ones, stay as they are. */
  'update-control-planes',
  'roll-control-planes',
  /** All of the spec is applied. */
  'update',
  'roll',
  /** What is no longer wanted is taken away. */
  'prune',
] as const;

const stageSchema = z.strictObject({
  what: z.enum(STAGES),
  /** The version of Kubernetes that the spec has then. */
  kubernetes: z.string(),
  /** What is written to the spec. */
  changes: z
    .array(
      z.strictObject({
        kind: z.enum(['Cluster', 'InstanceGroup']),
        name: z.string(),
        set: z.array(z.string()).readonly(),
      }),
    )
    .readonly(),
  state: z.enum(['waiting', 'running', 'done']),
  /** When it began, in ms since 1970. */
  sinceMs: z.int().optional(),
});

export type Stage = z.infer<typeof stageSchema>;

export const operationSchema = z.strictObject({
  apiVersion: z.literal('kopsctl.io/v1'),
  kind: z.enum(['Upgrade', 'Reconciliation']),
  /** Different from that of any other. */
  id: z.string(),
  startedMs: z.int(),
  endedMs: z.int().optional(),
  state: z.enum(['running', 'stopped', 'paused', 'aborted', 'failed', 'done']),
  /** What a person has asked of the process that does it. */
  wish: z.enum(['pause', 'abort']).optional(),
  /** Why it did not go on. */
  why: z.string().optional(),
  /** How machines are replaced meanwhile, as a person asked for it. Absent in journals of former versions. */
  manner: askedSchema.optional(),
  /** The versions of the spec that a reconciliation applies. Absent in journals of former versions. */
  spec: z.record(z.string(), z.string()).optional(),
  /** Of a reconciliation: the oldest Kubernetes that an API server ran when it began. Absent where one had not told that. */
  oldestApiServer: z.string().optional(),
  stages: z.array(stageSchema).readonly(),
});

/**
 * An upgrade or a reconciliation as its journal has it. Each stage is in the journal before it begins, and rolling updates
 * have journals of their own, so that the next process continues wherever the last one was cut off.
 */
export type Operation = z.infer<typeof operationSchema>;

/** Whether something was left unfinished that the same command resumes. */
export const isLeft = (operation: Operation | undefined): operation is Operation =>
  operation !== undefined && operation.state !== 'done' && operation.state !== 'aborted';

/**
 * Whether it was left where control planes may still have to be replaced before anything else gets the version that the spec
 * has by now. The spec has no other one before its fields begin to be written, and where all API servers ran its minor version
 * from the beginning, no kubelet can be newer. Pure.
 */
export function isBeforeWorkers(operation: Operation): boolean {
  const due = operation.stages.find(({ state }) => state !== 'done');
  if (due === undefined || !isLeft(operation)) return false;
  const [ran, wanted] = [semver.parse(operation.oldestApiServer), semver.parse(targetOf(operation))];
  if (ran !== null && wanted !== null && ran.minor >= wanted.minor) return false;
  // A stage that is pending again, after a failure, has a time at which it began.
  if (due.what === 'set-spec') return due.state === 'running' || due.sinceMs !== undefined;
  return due.what === 'update-control-planes' || due.what === 'roll-control-planes';
}

/** The last fields of the spec that an operation has written. */
export const writtenBy = ({ stages }: Operation): Stage['changes'] =>
  stages.findLast(({ what, state }) => what === 'set-spec' && state === 'done')?.changes ?? [];

/**
 * The same as it is continued: the spec may have been changed since, so what was applied before a rolling update is applied
 * once more, and fields of it are written once more if they have been taken back. Pure.
 */
export function resumedOperation(operation: Operation, isTakenBack: boolean): Operation {
  const due = operation.stages.findIndex(({ state }) => state !== 'done');
  const what = operation.stages[due]?.what;
  const isRoll = what === 'roll' || what === 'roll-control-planes';
  const set = isTakenBack
    ? operation.stages.findLastIndex((stage, index) => index < due && stage.what === 'set-spec')
    : -1;
  const stages = operation.stages.map((stage, index): Stage =>
    index === set || (isRoll && index === due - 1) ? { ...stage, state: 'waiting' } : stage,
  );
  return { ...operation, stages };
}

/** The version that it leads to. */
export const targetOf = ({ stages }: Operation): string => stages.at(-1)?.kubernetes ?? '';

/** The version that the spec has by now. */
export const reachedBy = ({ stages }: Operation): string =>
  stages.findLast(({ state }) => state !== 'waiting')?.kubernetes ?? '';
