import type { AdoptionReasons } from '@kopsctl/model/cloud.ts';
import type { RunResult, TaskResult } from '@kopsctl/tasks/run-result.ts';
import { type FieldChange, type Task, taskId } from '@kopsctl/tasks/task.ts';
import { STORE_KINDS } from '../store/write-stored.ts';
import { whyStored } from './store-reasons.ts';

/** What taking a cluster over changes about one object. */
export interface AdoptionChange {
  readonly place: 'store' | 'cloud';
  /** A path below the cluster's folder, or the kind and name of something in the cloud. */
  readonly object: string;
  readonly change: 'create' | 'change' | 'delete';
  readonly fields: readonly FieldChange[];
  readonly why: string;
  /** It would be the same if kops applied the spec: kops has not done so, or somebody has changed the object by hand. */
  readonly isPending: boolean;
}

const PENDING = 'kops has not applied what the spec asks for, or somebody has changed it by hand';
const UNTRIED = 'kopsctl would make it differently, and nobody has taken over a cluster in this cloud yet';
const SHARED = 'kops has the same object: it reads this one too';

/**
 * Tells of each object what changes and why. Pure.
 *
 * @param reasons of the cloud: kinds that always differ between a cluster of kops and one of kopsctl. Undefined if it is not known
 *   which do
 */
export function planAdoption(
  { tasks: results, deletions }: RunResult,
  tasks: readonly Task[],
  reasons: AdoptionReasons | undefined,
): readonly AdoptionChange[] {
  const otherwise = reasons === undefined ? UNTRIED : PENDING;
  const byId = new Map(tasks.map((task) => [taskId(task), task]));
  const changes = results.flatMap((result): readonly AdoptionChange[] => {
    const task = byId.get(result.id);
    if (task === undefined || result.steps.length === 0) return [];
    return STORE_KINDS.includes(task.kind) ? inStore(task, result) : [inCloud(task, result, reasons, otherwise)];
  });
  const gone = deletions
    .filter(({ result }) => result === 'planned')
    .map(({ id, owned }): AdoptionChange => ({
      place: 'cloud',
      object: `${id} (${owned.description})`,
      change: 'delete',
      fields: [],
      why: otherwise,
      isPending: true,
    }));
  return [...changes, ...gone];
}

/** A keyset is stored in two parts, of which kops has the first. */
function inStore({ kind, name, props }: Task, { steps, existed }: TaskResult): readonly AdoptionChange[] {
  const change = (object: string, isNew: boolean): AdoptionChange => {
    const why = whyStored(object) ?? SHARED;
    const fields = steps.flatMap(({ changes = [] }) => changes);
    return { place: 'store', object, change: isNew ? 'create' : 'change', fields, why, isPending: false };
  };
  if (kind !== 'Keyset') {
    return [change(typeof props['path'] === 'string' ? props['path'] : `secrets/${name}`, existed === false)];
  }
  const [step] = steps;
  const published = change(`pki/issued/${name}/keyset.yaml`, step?.action !== 'distrust');
  if (step?.action === 'publish') return [published];
  return [change(`pki/private/${name}/keyset.yaml`, step?.action === 'create'), published];
}

/** What does not exist was not made by kops, except for what its cloud always makes again. */
function inCloud(
  { kind, name }: Task,
  { steps, existed }: TaskResult,
  reasons: AdoptionReasons | undefined,
  otherwise: string,
): AdoptionChange {
  const isNew = existed === false;
  const why = (isNew ? reasons?.replaced : reasons?.changed)?.[kind];
  return {
    place: 'cloud',
    object: `${kind}/${name}`,
    change: isNew ? 'create' : 'change',
    fields: steps.flatMap(({ changes = [] }) => changes),
    why: why ?? otherwise,
    isPending: why === undefined,
  };
}
