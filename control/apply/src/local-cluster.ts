import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openLocalCloud, type LocalCloud, type LocalDescription } from '@kopsctl/clouds/local/client.ts';
import type { LocalSettings } from './local-settings.ts';

/** The local cloud as this program uses it. Opening it starts nothing. */
export function openLocal(cluster: string, settings: LocalSettings, say?: (line: string) => void): LocalCloud {
  return openLocalCloud({
    cluster,
    dir: settings.dir,
    command: settings.supervisorCommand,
    ...(say === undefined ? {} : { say }),
  });
}

/** A local cluster's machines and volumes. @throws ActionableError when none was made yet. */
export async function describeLocal(local: LocalCloud): Promise<LocalDescription> {
  const description = await local.describe();
  if (description !== undefined) return description;
  throw new ActionableError({
    what: `find the machines of ${local.cluster}`,
    why: 'this computer runs no local cluster of that name',
    next: `make them with \`kopsctl apply --name ${local.cluster} --yes\``,
  });
}
