import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import * as z from 'zod';
import type { Kubeconfig } from './kubeconfig.ts';

/** The file kubectl would write to: the first of $KUBECONFIG, else ~/.kube/config. */
export function kubeconfigPath(env: NodeJS.ProcessEnv): string {
  const [first] = (env['KUBECONFIG'] ?? '').split(':').filter(Boolean);
  return first ?? join(homedir(), '.kube', 'config');
}

export async function readKubeconfig(path: string): Promise<Kubeconfig | undefined> {
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, messageOf(error), error);
  }
  if (content === null) return undefined;
  const { data, error } = schema.safeParse(content);
  if (error === undefined) return data;
  const faults = error.issues.map((issue) => [...issue.path, issue.message].join(': '));
  throw unreadable(path, `it is not a kubeconfig: ${faults.join('; ')}`);
}

/** kubectl writes an empty list as null. */
const entries = z
  .array(z.looseObject({ name: z.string() }))
  .nullish()
  .transform((list) => list ?? []);

const schema = z.looseObject({
  apiVersion: z.literal('v1').default('v1'),
  kind: z.literal('Config').default('Config'),
  clusters: entries,
  contexts: entries,
  users: entries,
  'current-context': z.string().default(''),
});

const unreadable = (path: string, why: string, cause?: unknown): ActionableError =>
  new ActionableError({
    what: `read the kubeconfig ${path}`,
    why,
    next: 'fix or move that file, or name another one in KUBECONFIG',
    cause,
  });

/** Replaces the file atomically; it holds keys, so only its owner may read it. */
export async function writeKubeconfig(path: string, config: Kubeconfig): Promise<void> {
  const { stringify } = await import('yaml');
  try {
    await replaceFile(path, stringify(config), { mode: 0o600, folderMode: 0o700, hasManyWriters: true });
  } catch (error) {
    throw new ActionableError({
      what: `write the kubeconfig ${path}`,
      why: messageOf(error),
      next: 'check the folder, or name another file in KUBECONFIG',
      cause: error,
    });
  }
}
