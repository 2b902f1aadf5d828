import { isArray } from '@kopsctl/tasks/references.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { KUBELET_UNIT } from './kubelet-unit.ts';
import type { NodePlan } from './node-plan.ts';

/** The annotation of a Node that asks its machine to become what another plan says. */
export const WANTED_PLAN_ANNOTATION = 'kopsctl.io/wanted-plan';

/**
 * The hash of the plan that the machine was made from, and of the one that it is to follow. The first keeps the next
 * machine of that name, which was made from another plan, from going back.
 */
export interface WantedPlan {
  readonly from: string;
  readonly to: string;
}

export const printWantedPlan = ({ from, to }: WantedPlan): string => `${from}-${to}`;

/** Undefined for a text that is not such a wish. */
export function parseWantedPlan(text: string): WantedPlan | undefined {
  const [, from, to] = /^([0-9a-f]{64})-([0-9a-f]{64})$/.exec(text) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The unit by which a machine takes over another plan; its instance is the plan's hash. */
export const ADOPT_UNIT = 'nodeup-adopt@.service';
export const adoptUnit = (planHash: string): string => `nodeup-adopt@${planHash}.service`;

export interface InPlace {
  /** Why only a new machine can become what the plan says; empty where this one can. */
  readonly faults: readonly string[];
  /** Pods have to leave the machine first. */
  readonly drains: boolean;
}

/** What is written, started or downloaded, and found to be right afterwards. All else is part of how a machine is created. */
const CHANGEABLE: readonly string[] = ['Asset', 'Directory', 'File', 'Image', 'Package', 'Service', 'Sysctls'];
/** What a machine may keep although no plan names it any more: it takes up space, and nothing else. */
const LEFT_BEHIND: readonly string[] = ['Asset', 'Image', 'Package'];
/** Units that hold what cannot be taken over by a restart: containers and their storage, the data of etcd, volumes. */
const RIGID_UNITS = /^(containerd|docker|etcd.*|.*\.mount)(\.service)?$/;
const RIGID_FOLDERS = ['/etc/containerd/', '/etc/docker/', '/etc/modules-load.d/', '/etc/cni/', '/opt/cni/'];

/**
 * Whether a machine that was made from one plan can become what another says without being replaced. In doubt, the
 * answer is no: a new machine is always right. Pure.
 */
export function inPlace(from: NodePlan, to: NodePlan): InPlace {
  const faults = [...identityFaults(from, to)];
  const [before, after] = [byId(from.tasks), byId(to.tasks)];
  const changed: Task[] = [];
  for (const [id, task] of after) {
    const old = before.get(id);
    if (old !== undefined && isSameJson(old.props, task.props)) continue;
    changed.push(task);
    const fault = changeFault(task);
    if (fault !== undefined) faults.push(`${id}: ${fault}`);
  }
  for (const [id, { kind }] of before) {
    if (!after.has(id) && !LEFT_BEHIND.includes(kind))
      faults.push(`${id}: a machine keeps what its plan no longer names`);
  }
  const units = affectedUnits(changed, to.tasks);
  for (const unit of units) if (RIGID_UNITS.test(unit)) faults.push(`${unit} would be restarted`);
  const drains = units.has(KUBELET_UNIT) || changed.some(({ kind }) => kind === 'Sysctls');
  return { faults, drains };
}

const byId = (tasks: readonly Task[]): ReadonlyMap<string, Task> => new Map(tasks.map((task) => [taskId(task), task]));

function* identityFaults(from: NodePlan, to: NodePlan): Iterable<string> {
  if (from.cluster !== to.cluster || from.instanceGroup !== to.instanceGroup || from.role !== to.role) {
    yield `the plan is that of a ${to.role} of ${to.instanceGroup} in ${to.cluster}`;
  }
  if (minorOf(from.kubernetesVersion) !== minorOf(to.kubernetesVersion))
    yield `Kubernetes ${to.kubernetesVersion} is another minor version`;
  if (!isSameJson(from.keysets ?? {}, to.keysets ?? {})) yield 'its key pairs change';
}

function changeFault({ kind, props }: Task): string | undefined {
  if (!CHANGEABLE.includes(kind)) return `a machine keeps its ${kind} for life`;
  const { path, content } = props;
  if (kind !== 'File' || typeof path !== 'string') return undefined;
  if (RIGID_FOLDERS.some((folder) => path.startsWith(folder))) return 'what it configures is set up only once';
  const isOfStore = isRecord(content) && ('keyset' in content || 'secret' in content);
  return isOfStore ? 'keys and secrets change with the machine' : undefined;
}

/** Units that change themselves, or that are restarted because one of their files does. */
function affectedUnits(changed: readonly Task[], tasks: readonly Task[]): ReadonlySet<string> {
  const paths = new Set(
    changed.flatMap(({ kind, props: { path } }) => (kind === 'File' && typeof path === 'string' ? [path] : [])),
  );
  const ids = new Set(changed.map((task) => taskId(task)));
  const units = tasks.flatMap((task) => {
    const { unit, restartOnPaths } = task.props;
    if (task.kind !== 'Service' || typeof unit !== 'string') return [];
    const watches =
      isArray(restartOnPaths) && restartOnPaths.some((path) => typeof path === 'string' && paths.has(path));
    return watches || ids.has(taskId(task)) ? [unit] : [];
  });
  return new Set(units);
}
