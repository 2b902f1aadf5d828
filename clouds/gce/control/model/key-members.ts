import { usesGossip } from '@kopsctl/model/discovery.ts';
import type { Text } from '@kopsctl/model/output.ts';
import { stateKeyOf } from '@kopsctl/spec/state-key.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { GceContext } from './gce-context.ts';
import { gceTask } from './gce-task.ts';

const OPENER = 'roles/cloudkms.cryptoKeyDecrypter';
const SEALER = 'roles/cloudkms.cryptoKeyEncrypter';
/** All roles that control planes may get. */
export const KEY_ROLES: readonly string[] = [OPENER, SEALER];

/**
 * What control planes may do with the keys that seal keysets and secrets: open keysets and secrets, and, where there is gossip,
 * seal its keys again, the only ones that control planes change. A role cannot be limited to the data that is bound to an
 * encryption: the folder of the bucket is the limit.
 */
export function keyMembers({ facts }: GceContext, account: Text): readonly Task[] {
  const roles = usesGossip(facts) ? [OPENER, SEALER] : [OPENER];
  return (stateKeyOf(facts.cluster)?.opensWith ?? []).flatMap((key) =>
    roles.map((role) => gceTask('gce/KeyMember', keyMemberTask(role, key), { key, role, account })),
  );
}

/** The name of the task of a membership: the name of a key is unique in its ring, but rings in two places may share a name. */
export function keyMemberTask(role: string, key: string): string {
  const [, project = '', , location = '', , ring = '', , name = ''] = key.split('/');
  const does = role === OPENER ? 'opens' : role === SEALER ? 'seals' : role;
  return `control-plane-${does}-${project.replaceAll(/[.:]/g, '-')}-${location}-${ring}-${name}`;
}
