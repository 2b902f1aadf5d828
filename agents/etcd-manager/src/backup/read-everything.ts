import type { EtcdClient } from '../etcd/client.ts';

/**
 * Makes an etcd read all that it serves: its keys, counted, and its whole database, hashed. The keys come first, because
 * etcd may take a minute for the database, and leases that the data holds (those of API servers last 15 seconds) run out
 * meanwhile: their keys are deleted, which raises the revision.
 */
export async function readEverything(
  etcd: Pick<EtcdClient, 'countKeys' | 'hashKeys'>,
  signal: AbortSignal,
): Promise<{ readonly revision: number; readonly keys: number; readonly hash: number }> {
  const { keys, revision } = await etcd.countKeys(signal);
  const hash = await etcd.hashKeys(signal);
  return { revision, keys, hash };
}
