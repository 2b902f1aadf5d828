import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { NodePlan, NodeRole } from './node-plan.ts';

const ROLES: readonly NodeRole[] = ['ControlPlane', 'Node', 'Bastion', 'APIServer'];

/** The bytes of a plan: equal plans have equal bytes, whatever the order in which they were put together. */
export function serializePlan(plan: NodePlan): Uint8Array {
  return new TextEncoder().encode(`${sortedJson(plan)}\n`);
}

/**
 * Reads a plan back.
 *
 * @param where names the source in errors, e.g. its path in the state store
 * @throws one error with everything that is wrong with its shape
 */
export function parsePlan(bytes: Uint8Array, where: string): NodePlan {
  const value = parseJson(bytes, where);
  const faults: string[] = [];
  if (!isPlan(value, faults)) throw broken(where, faults.join('; '));
  return value;
}

function parseJson(bytes: Uint8Array, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (thrown) {
    throw broken(where, `it is not JSON (${messageOf(thrown)})`, thrown);
  }
}

function isPlan(plan: unknown, faults: string[]): plan is NodePlan {
  if (!isRecord(plan)) {
    faults.push(expected('the document', 'an object', plan));
    return false;
  }
  const { apiVersion, kind, role, tasks } = plan;
  if (apiVersion !== 'kopsctl.io/v1') faults.push(expected('apiVersion', 'kopsctl.io/v1', apiVersion));
  if (kind !== 'NodePlan') faults.push(expected('kind', 'NodePlan', kind));
  for (const field of ['cluster', 'instanceGroup', 'kubernetesVersion']) {
    if (!isText(plan[field])) faults.push(expected(field, 'a string', plan[field]));
  }
  if (!ROLES.some((known) => known === role)) faults.push(expected('role', `one of ${ROLES.join(', ')}`, role));
  if (Array.isArray(tasks)) faults.push(...tasks.flatMap((task, index) => taskFaults(task, `tasks[${index}]`)));
  else faults.push(expected('tasks', 'a list', tasks));
  return faults.length === 0;
}

function taskFaults(task: unknown, path: string): readonly string[] {
  if (!isRecord(task)) return [expected(path, 'an object', task)];
  const texts = ['kind', 'name'].filter((field) => !isText(task[field]));
  const faults = texts.map((field) => expected(`${path}.${field}`, 'a string', task[field]));
  return isRecord(task['props']) ? faults : [...faults, expected(`${path}.props`, 'an object', task['props'])];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function expected(path: string, wanted: string, found: unknown): string {
  const text = found === undefined ? 'nothing' : JSON.stringify(found);
  return `${path}: expected ${wanted}, found ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}

function broken(where: string, why: string, cause?: unknown): PermanentError {
  return new PermanentError({
    what: `read the node plan ${where}`,
    why,
    next: 'run `kopsctl apply --yes` with the version of these agents, so that the plan is written again',
    ...(cause === undefined ? {} : { cause }),
  });
}
