import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { readJsonFile } from '../records/json-file.ts';
import { networkRecordSchema } from '../records/records.ts';
import { isSameStore } from '../records/same-store.ts';
import type { ClusterHost } from './cluster-host.ts';

/** The other store whose cluster has this name on this computer; undefined if there is none or the cluster is ours. */
export async function otherStore({ storeUrl, paths }: ClusterHost): Promise<string | undefined> {
  if (storeUrl === undefined) return undefined;
  const record = await readJsonFile(paths.network, networkRecordSchema);
  return record === undefined || (await isSameStore(record.storeUrl, storeUrl)) ? undefined : record.storeUrl;
}

/**
 * Names of clusters are unique on a computer, so the machines of that name may be those of another state store's cluster.
 *
 * @throws PermanentError if they are
 */
export async function requireOwn(host: ClusterHost): Promise<void> {
  const theirs = await otherStore(host);
  if (theirs === undefined) return;
  throw new PermanentError({
    what: `use the machines of ${host.cluster} on this computer`,
    why: `they belong to the cluster of that name in ${theirs}, not to the one in ${host.storeUrl ?? ''}`,
    next: `repeat with --state ${theirs}, or choose another name; if that store was moved, leave a symbolic link in its old place`,
  });
}
