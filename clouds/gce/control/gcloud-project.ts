import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';

/** The project of `gcloud config set project`, if any. As with gcloud, the environment takes precedence. */
export async function gcloudProject(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env['CLOUDSDK_CORE_PROJECT'] ?? env['GOOGLE_CLOUD_PROJECT'];
  if (named !== undefined && named !== '') return named;
  const folder = env['CLOUDSDK_CONFIG'] ?? join(homedir(), '.config/gcloud');
  const active = (await ifThere(readFile(join(folder, 'active_config'), 'utf8')))?.trim() ?? 'default';
  const properties = await ifThere(readFile(join(folder, 'configurations', `config_${active}`), 'utf8'));
  return properties === undefined ? undefined : projectOf(properties);
}

/** `project = NAME` below `[core]`. */
export function projectOf(properties: string): string | undefined {
  const core = /^\[core\]\s*$([^[]*)/m.exec(properties)?.[1] ?? '';
  return /^\s*project\s*=\s*(\S+)\s*$/m.exec(core)?.[1];
}
