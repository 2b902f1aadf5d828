import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import type { Kubeconfig } from './kubeconfig.ts';

/** The file kubectl would write to: the first of $KUBECONFIG, else ~/.kube/config. */
export function kubeconfigPath(env: NodeJS.ProcessEnv): string {
  const [first] = (env['KUBECONFIG'] ?? '').split(':').filter(Boolean);
  return first ?? join(homedir(), '.kube', 'config');
}

export async function readKubeconfig(path: string): Promise<Kubeconfig | undefined> {
  const { parse } = await import('yaml');
  try {
    return (parse(await readFile(path, 'utf8')) as Kubeconfig | null) ?? undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ActionableError({
      what: `read the kubeconfig ${path}`,
      why: messageOf(error),
      next: 'mend or move that file, or name another one in KUBECONFIG',
      cause: error,
    });
  }
}

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
