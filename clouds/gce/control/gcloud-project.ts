import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** The project of `gcloud config set project`, if any. As with gcloud, the environment takes precedence. */
export async function gcloudProject(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env['CLOUDSDK_CORE_PROJECT'] ?? env['GOOGLE_CLOUD_PROJECT'];
  if (named !== undefined && named !== '') return named;
  const folder = env['CLOUDSDK_CONFIG'] ?? join(homedir(), '.config/gcloud');
  const active = (await readIfThere(join(folder, 'active_config')))?.trim() ?? 'default';
  const properties = await readIfThere(join(folder, 'configurations', `config_${active}`));
  return properties === undefined ? undefined : projectOf(properties);
}

/** `project = NAME` below `[core]`. */
export function projectOf(properties: string): string | undefined {
  const core = /^\[core\]\s*$([^[]*)/m.exec(properties)?.[1] ?? '';
  return /^\s*project\s*=\s*(\S+)\s*$/m.exec(core)?.[1];
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
