import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { rightsIn } from '@kopsctl/node-identity/broker-messages.ts';
import { AUTHORITY_GROUPS_FILE, type AuthorityGroups, type GroupRights } from '@kopsctl/node-plan/authority-groups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** What machines of a group may have; undefined if there is no such group. */
export async function readGroupRights(
  cluster: string,
  group: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<GroupRights | undefined> {
  const path = `${cluster}/${AUTHORITY_GROUPS_FILE}`;
  const refuse = (why: string, cause?: unknown): ActionableError =>
    new ActionableError({
      what: `read the rights of groups from ${path} in ${store.url}`,
      why,
      next: '`kopsctl update cluster --yes` writes it; no new machine can join until then',
      ...(cause !== undefined && { cause }),
    });
  const stored = await store.read(path, signal);
  if (stored === undefined) throw refuse('it does not exist');
  let groups: AuthorityGroups;
  try {
    groups = parseGroups(Buffer.from(stored.bytes).toString('utf8'));
  } catch (cause) {
    throw refuse(messageOf(cause), cause);
  }
  return Object.hasOwn(groups, group) ? groups[group] : undefined;
}

/** @throws with the paths of all fields that are missing or malformed */
function parseGroups(text: string): AuthorityGroups {
  const from = new FieldReader({ groups: JSON.parse(text) as unknown });
  const groups = from.record('groups', (values, name) => values.object(name, rightsIn));
  from.refuseFaults();
  return groups;
}
