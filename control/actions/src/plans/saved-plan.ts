import { createHash } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { renderPlanJson } from '@kopsctl/tasks/plan-json.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ObjectChange } from '../store/cluster-store.ts';
import { instanceGroupFolder, objectPath } from '../store/object-paths.ts';

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

export type SpecVersions = Readonly<Record<string, string>>;

/** The versions of the Cluster and its instance groups. */
export async function specVersions(store: StateStore, cluster: string): Promise<SpecVersions> {
  const [config, groups] = await Promise.all([
    store.read(objectPath(cluster, 'Cluster', cluster)),
    store.list(instanceGroupFolder(cluster)),
  ]);
  return Object.fromEntries([
    ...(config === undefined ? [] : [[objectPath(cluster, 'Cluster', cluster), config.version]]),
    ...groups.map(({ path, version }) => [path, version]),
  ]) as SpecVersions;
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

/** Reads a plan's file. @throws ActionableError where it is none, or was edited. */
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
  if (typeof parsed !== 'object' || parsed === null) throw refuse('it is not a plan');
  const { sha256: written, ...saved } = parsed as Partial<SavedPlan> & { readonly sha256?: string };
  if (saved.kind !== 'SavedPlan') throw refuse('it is not a plan');
  if (saved.formatVersion !== 1) throw refuse(`its format version is ${saved.formatVersion}; this kopsctl reads 1`);
  if (written !== sha256(sortedJson(saved))) throw refuse('it was changed since it was saved');
  // The hash holds only for what printSavedPlan wrote.
  return saved as SavedPlan;
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

/** What has changed in a spec. */
export function movedObjects(before: SpecVersions, after: SpecVersions): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .filter((path) => before[path] !== after[path])
    .map((path) => {
      if (after[path] === undefined) return `${path} was deleted`;
      return before[path] === undefined ? `${path} is new` : `${path} was changed`;
    });
}

interface PlanJson {
  readonly tasks: readonly { readonly id: string }[];
  readonly deletions: readonly { readonly id: string }[];
}

/** The tasks whose steps have changed. */
function movedSteps(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, young] = [stepsById(before), stepsById(after)];
  return [...new Set([...old.keys(), ...young.keys()])]
    .filter((id) => old.get(id) !== young.get(id))
    .map((id) => `${id} would now be ${young.has(id) ? 'treated differently' : 'left out'}`);
}

function stepsById(plan: string): ReadonlyMap<string, string> {
  const { tasks, deletions } = JSON.parse(plan) as PlanJson;
  return new Map([...tasks, ...deletions].map((one) => [one.id, JSON.stringify(one)]));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
