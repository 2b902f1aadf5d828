import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Whether two URLs name one state store. A folder may be reached by several paths: a store that was moved is still the
 * same where a symbolic link stands in its old place.
 */
export async function isSameStore(one: string, other: string): Promise<boolean> {
  return one === other || (await canonical(one)) === (await canonical(other));
}

async function canonical(url: string): Promise<string> {
  const trimmed = url.replace(/(?<=[^/])\/+$/, '');
  if (!trimmed.startsWith('file:///')) return trimmed;
  const path = resolve(fileURLToPath(trimmed));
  // What is not there cannot be a link.
  return realpath(path).catch(() => path);
}
