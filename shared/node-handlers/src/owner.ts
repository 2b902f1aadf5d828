import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

async function idOf(root: string, file: 'passwd' | 'group', name: string): Promise<number | undefined> {
  if (name === 'root') return 0;
  const text = await readFile(join(root, 'etc', file), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const line = text.split('\n').find((one) => one.startsWith(`${name}:`));
  return line === undefined ? undefined : Number(line.split(':')[2]);
}

/** The numbers of a user and a group, or undefined while there is no such user or group. */
export async function findOwner(root: string, owner = 'root', group = owner): Promise<Owner | undefined> {
  const [uid, gid] = await Promise.all([idOf(root, 'passwd', owner), idOf(root, 'group', group)]);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

export async function ownerOf(root: string, owner = 'root', group = owner): Promise<Owner> {
  const found = await findOwner(root, owner, group);
  if (found !== undefined) return found;
  throw new ActionableError({
    what: `give a file to ${owner}:${group}`,
    why: 'this host has no such user or group',
    next: 'add a User task for it to the plan, and make this task depend on that one',
  });
}
