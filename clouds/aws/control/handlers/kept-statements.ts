import { isArray } from '@kopsctl/tasks/references.ts';
import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { grantsOf, listOf } from './policy-grants.ts';

/** The names of statements that we add to a policy of another program begin with this prefix. IAM allows letters and digits. */
const NAME = 'Kopsctl';

/**
 * The policy with the statements of others as they are, and with the parts of ours that those do not allow yet: all
 * policies of a role together may have 10,240 characters. Our statements are recognised by their names, and replaced.
 */
export function withOthers(policy: JsonObject, found: JsonObject): JsonObject {
  const others = listOf(found['Statement']).filter((statement) => !isOurs(statement));
  const allowed = grantsOf({ Statement: others });
  const ours = listOf(policy['Statement']).flatMap((statement) => missingOf(statement, allowed));
  const named = ours.map((statement, index): Json => ({ Sid: `${NAME}${index + 1}`, ...statement }));
  return { ...policy, Statement: [...others, ...named] };
}

const isOurs = (statement: Json): boolean =>
  isRecord(statement) && typeof statement['Sid'] === 'string' && statement['Sid'].startsWith(NAME);

/** A statement without the resources on which all of it is already allowed; nothing if that is true of every resource. */
function missingOf(statement: Json, allowed: JsonObject): readonly JsonObject[] {
  if (!isRecord(statement)) return [];
  const { Resource } = statement;
  if (Resource === undefined) return isAllowed(statement, allowed) ? [] : [statement];
  const missing = listOf(Resource).filter((one) => !isAllowed({ ...statement, Resource: one }, allowed));
  const [first] = missing;
  if (first === undefined) return [];
  return [{ ...statement, Resource: isArray(Resource) ? missing : first }];
}

function isAllowed(statement: JsonObject, allowed: JsonObject): boolean {
  return Object.entries(grantsOf({ Statement: statement })).every(([place, actions]) => {
    const there = allowed[place];
    return isRecord(actions) && isRecord(there) && Object.keys(actions).every((action) => there[action] === true);
  });
}
