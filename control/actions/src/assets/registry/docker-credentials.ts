import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { DOCKER_HUB } from '@kopsctl/spec/image-reference.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';

/** What `docker login` left for each registry, as the value of the header that carries it: `Basic …`. */
export type Credentials = ReadonlyMap<string, string>;

/** `docker login` writes Docker Hub under the address of its first API. */
const HUB_API = 'https://index.docker.io/v1/';

/** Reads the credentials of this computer's user. There are none where there is no such file. */
export async function dockerCredentials(env: NodeJS.ProcessEnv): Promise<Credentials> {
  const path = join(env['DOCKER_CONFIG'] ?? join(env['HOME'] ?? homedir(), '.docker'), 'config.json');
  try {
    return credentialsIn(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Map();
    throw new ActionableError({
      what: `read the credentials of registries in ${path}`,
      why: messageOf(error),
      next: 'fix the file, or log in again: docker login REGISTRY',
      cause: error,
    });
  }
}

/** Pure. */
export function credentialsIn(config: unknown): Credentials {
  return new Map(
    Object.entries(asRecord(asRecord(config)['auths'])).flatMap(([registry, entry]) => {
      const { auth } = asRecord(entry);
      const host = registry === HUB_API ? DOCKER_HUB : registry.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
      return typeof auth === 'string' && auth !== '' ? [[host, `Basic ${auth}`] as const] : [];
    }),
  );
}
