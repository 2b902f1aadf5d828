import { createHash } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { renderPlanJson } from '@kopsctl/tasks/plan-json.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { ObjectChange } from '../store/cluster-store.ts';
import { movedObjects, type SpecVersions } from './spec-versions.ts';

/** A plan that was written down, so that exactly this plan is applied later, or nothing. It holds no secret. */
export interface SavedPlan {
  readonly kind: 'SavedPlan';
  readonly formatVersion: 1;
  readonly cluster: string;
  readonly store: string;
  readonly prune: boolean;
  /** The versions of all that the person had stored. */
  readonly spec: SpecVersions;
  /** What is written before anything else. */
  readonly changes: readonly ObjectChange[];
  /** The hash of every task with all its properties; the plan itself says less. */
  readonly tasksSha256: string;
  /** As `plan -o json` prints it. */
  readonly plan: string;
}

/** The text of a plan's file. The hash at its end tells a plan that somebody edited. */
export function printSavedPlan(
  plan: Omit<SavedPlan, 'kind' | 'formatVersion' | 'tasksSha256' | 'plan'>,
  planned: RunResult,
  tasks: readonly Task[],
): string {
  const saved: SavedPlan = {
    kind: 'SavedPlan',
    formatVersion: 1,
    ...plan,
    tasksSha256: sha256(sortedJson(tasks)),
    plan: renderPlanJson(planned),
  };
  return `${sortedJson({ ...saved, sha256: sha256(sortedJson(saved)) }, 2)}\n`;
}

/** The hash is not a signature: whoever wrote the file could also have written another hash. */
const savedPlan = z.strictObject({
  kind: z.literal('SavedPlan'),
  formatVersion: z.literal(1),
  cluster: z.string(),
  store: z.string(),
  prune: z.boolean(),
  spec: z.record(z.string(), z.string()),
  changes: z.array(
    z.strictObject({
      path: z.string(),
      change: z.enum(['create', 'replace', 'none']),
      text: z.string(),
      previous: z.strictObject({ text: z.string(), version: z.string() }).exactOptional(),
    }),
  ),
  tasksSha256: z.string(),
  plan: z.string().refine(isPlan, 'it is not a plan as `plan -o json` prints it'),
});

function isPlan(text: string): boolean {
  try {
    return planJson.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** Reads a plan's file. @throws ActionableError where it is not a plan, or was edited. */
export function parseSavedPlan(text: string, file: string): SavedPlan {
  const refuse = (why: string) =>
    new ActionableError({
      what: `read the saved plan ${file}`,
      why,
      next: 'make a new one with `kopsctl plan --out FILE`',
    });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  if (!isRecord(parsed)) throw refuse('it is not a plan');
  const { sha256: written, ...saved } = parsed;
  if (saved['kind'] !== 'SavedPlan') throw refuse('it is not a plan');
  if (saved['formatVersion'] !== 1) {
    throw refuse(`its format version is ${String(saved['formatVersion'])}; this kopsctl reads 1`);
  }
  if (written !== sha256(sortedJson(saved))) throw refuse('it was changed since it was saved');
  const { data, error } = savedPlan.safeParse(saved);
  if (data === undefined) throw refuse(z.prettifyError(error));
  return data;
}

/** Refuses a plan if anything that it was made from has changed, and says what. */
export function refuseMoved(
  saved: SavedPlan,
  now: { readonly spec: SavedPlan['spec']; readonly planned: RunResult; readonly tasks: readonly Task[] },
): void {
  const moved = [...movedObjects(saved.spec, now.spec), ...movedSteps(saved.plan, renderPlanJson(now.planned))];
  if (moved.length === 0 && saved.tasksSha256 !== sha256(sortedJson(now.tasks))) {
    moved.push('the same tasks would be done differently, by another kopsctl or from other assets');
  }
  if (moved.length === 0) return;
  throw new ActionableError({
    what: `apply the saved plan of ${saved.cluster}`,
    why: `something has changed since it was made\n${moved.map((line) => `  ${line}`).join('\n')}`,
    next: 'nothing was changed; make a new plan with `kopsctl plan --out FILE`',
  });
}

/** The part of `plan -o json` that tells one step from another. */
const planJson = z.object({
  tasks: z.array(z.looseObject({ id: z.string() })),
  deletions: z.array(z.looseObject({ id: z.string() })),
});

/** The tasks whose steps have changed. */
function movedSteps(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, young] = [stepsById(before), stepsById(after)];
  return [...new Set([...old.keys(), ...young.keys()])]
    .filter((id) => old.get(id) !== young.get(id))
    .map((id) => `${id} would now be ${young.has(id) ? 'treated differently' : 'left out'}`);
}

function stepsById(plan: string): ReadonlyMap<string, string> {
  const { tasks, deletions } = planJson.parse(JSON.parse(plan));
  return new Map([...tasks, ...deletions].map((one) => [one.id, JSON.stringify(one)]));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
