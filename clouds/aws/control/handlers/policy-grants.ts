import { isArray } from '@kopsctl/tasks/references.ts';
import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

/**
 * A policy in the form in which two policies are compared: each action that it allows or denies, below the resource and the
 * conditions. The names of statements, their order, and how actions and resources are grouped into them make no difference to
 * AWS.
 */
export function grantsOf(policy: JsonObject): JsonObject {
  const grants: Record<string, Record<string, Json>> = {};
  for (const statement of listOf(policy['Statement'])) {
    const { Action, Resource, Effect = 'Allow', Sid: _name, ...others } = isRecord(statement) ? statement : {};
    const more = Object.keys(others).length === 0 ? '' : ` with ${sorted(others)}`;
    // A statement about everything but some actions or resources, or about the resource that the policy belongs to.
    const actions = Action === undefined ? [''] : listOf(Action);
    const resources = Resource === undefined ? [''] : listOf(Resource);
    for (const resource of resources) {
      const place = (grants[`${text(Effect)} on ${text(resource)}${more}`] ??= {});
      for (const action of actions) place[text(action)] = true;
    }
  }
  return grants;
}

export const listOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : isArray(value) ? value : [value];

const text = (value: Json): string => (typeof value === 'string' ? value : sorted(value));

/** JSON with the keys of objects in order; a list of one value is that value, and the order of values does not count. */
const sorted = (value: Json): string => JSON.stringify(ordered(value));

function ordered(value: Json): Json {
  if (isArray(value)) {
    const [only] = value;
    if (value.length === 1 && only !== undefined) return ordered(only);
    return value.map(ordered).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, ordered(value[key] ?? null)]),
  );
}
