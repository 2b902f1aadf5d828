import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openLocalCloud, type LocalCloud } from './supervisor/client.ts';
import type { LocalDescription } from './supervisor/describe-cluster.ts';
import { SUPERVISOR } from './supervisor/process-name.ts';
import type { HostSettings, StoredName } from '@kopsctl/model/cloud.ts';
import { HOST_PROCESS } from '@kopsctl/model/host-process.ts';

/** The machines of a store's cluster on this computer, as this program uses them. Opening it starts nothing. */
export function openLocal(
  { cluster, storeUrl }: StoredName,
  settings: HostSettings,
  say?: (line: string) => void,
): LocalCloud {
  return openLocalCloud({
    cluster,
    storeUrl,
    ...(settings.dir === undefined ? {} : { dir: settings.dir }),
    command: [...settings.ownCommand, HOST_PROCESS, SUPERVISOR],
    ...(say === undefined ? {} : { say }),
  });
}

/**
 * The machines and volumes of a local cluster.
 *
 * @throws ActionableError if they have not been created yet
 */
export async function describeLocal(local: LocalCloud, signal?: AbortSignal): Promise<LocalDescription> {
  const description = await local.describe(signal);
  if (description !== undefined) return description;
  throw new ActionableError({
    what: `find the machines of ${local.cluster}`,
    why: 'this computer has no local cluster with that name',
    next: `create them with \`kopsctl apply --name ${local.cluster} --yes\``,
  });
}
