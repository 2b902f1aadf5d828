import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';

/**
 * Reads which member the volume holds, from the file that protokube writes on it.
 *
 * @returns undefined until the volume is mounted
 * @throws ActionableError if the file cannot be read or is damaged
 */
export async function readMember(mountPoint: string): Promise<MemberFile | undefined> {
  const path = join(mountPoint, '.member');
  try {
    const { member, members, volumeId } = asRecord(JSON.parse(await readFile(path, 'utf8')));
    // protokube writes the file atomically, but a disk that lost a block may hold only a part of it.
    if (typeof member !== 'string' || !Array.isArray(members)) throw new Error('it does not name a member');
    return { member, members: members.map(String), volumeId: String(volumeId) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ActionableError({
      what: `read which member ${mountPoint} holds`,
      why: `${path}: ${messageOf(error)}`,
      next: `remove ${path} and run \`systemctl restart protokube\`, which writes it again`,
      cause: error,
    });
  }
}
