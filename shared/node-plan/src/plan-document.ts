import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { isArray, isObject } from '@kopsctl/tasks/references.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { Json } from '@kopsctl/tasks/task.ts';
import type { NodePlan, NodeRole } from './node-plan.ts';

const ROLES: readonly NodeRole[] = ['ControlPlane', 'Node', 'Bastion', 'APIServer'];

/** The bytes of a plan: equal plans have equal bytes, whatever the order in which they were put together. */
export function serializePlan(plan: NodePlan): Uint8Array {
  // A NodePlan is JSON through and through; only its interfaces lack the index signature.
  return new TextEncoder().encode(`${sortedJson(plan as unknown as Json)}\n`);
}

/**
 * Reads a plan back.
 *
 * @param where names the source in errors, e.g. its path in the state store
 * @throws one error with everything that is wrong with its shape
 */
export function parsePlan(bytes: Uint8Array, where: string): NodePlan {
  const value = parseJson(bytes, where);
  const faults = isObject(value) ? [...planFaults(value)] : ['it is no object'];
  if (faults.length > 0) throw broken(where, faults.join('; '));
  // Checked right above.
  return value as unknown as NodePlan;
}

function parseJson(bytes: Uint8Array, where: string): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch (thrown) {
    throw broken(where, `it is no JSON (${messageOf(thrown)})`, thrown);
  }
}

function* planFaults(plan: { readonly [key: string]: Json }): Generator<string> {
  if (plan['apiVersion'] !== 'kopsctl.io/v1') yield expected('apiVersion', 'kopsctl.io/v1', plan['apiVersion']);
  if (plan['kind'] !== 'NodePlan') yield expected('kind', 'NodePlan', plan['kind']);
  for (const field of ['cluster', 'instanceGroup', 'kubernetesVersion']) {
    if (!isText(plan[field])) yield expected(field, 'a text', plan[field]);
  }
  if (!ROLES.some((role) => role === plan['role'])) yield expected('role', `one of ${ROLES.join(', ')}`, plan['role']);
  const tasks = plan['tasks'];
  if (!isArray(tasks)) return yield expected('tasks', 'a list', tasks);
  for (const [index, task] of tasks.entries()) {
    if (!isObject(task)) {
      yield expected(`tasks[${index}]`, 'an object', task);
      continue;
    }
    for (const field of ['kind', 'name']) {
      if (!isText(task[field])) yield expected(`tasks[${index}].${field}`, 'a text', task[field]);
    }
    if (!isObject(task['props'])) yield expected(`tasks[${index}].props`, 'an object', task['props']);
  }
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function expected(path: string, wanted: string, found: Json | undefined): string {
  const text = found === undefined ? 'nothing' : JSON.stringify(found);
  return `${path}: expected ${wanted}, found ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}

function broken(where: string, why: string, cause?: unknown): PermanentError {
  return new PermanentError({
    what: `read the node plan ${where}`,
    why,
    next: 'run `kopsctl apply` with the version of these agents, so that the plan is written anew',
    ...(cause === undefined ? {} : { cause }),
  });
}
