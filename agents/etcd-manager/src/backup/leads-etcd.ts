import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { clientFiles } from '../etcd/certificates.ts';
import { openEtcd } from '../etcd/client.ts';

/**
 * Whether this machine acts for all members: the one whose etcd leads. Where etcd has no leader, every machine does,
 * since it is then that a restore is asked for; what they do is kept apart by conditional writes.
 */
export async function actsForAll(config: EtcdClusterConfig, address: string, signal: AbortSignal): Promise<boolean> {
  const status = await ask(config, address, (etcd) => etcd.status(signal), signal);
  return status?.leaderId === undefined || status.memberId === status.leaderId;
}

/** How many members the local etcd knows of; undefined where it does not answer, and there is nothing to back up. */
export async function countMembers(
  config: EtcdClusterConfig,
  address: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  return (await ask(config, address, (etcd) => etcd.members(signal), signal))?.length;
}

async function ask<T>(
  config: EtcdClusterConfig,
  address: string,
  question: (etcd: Awaited<ReturnType<typeof openEtcd>>) => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let etcd;
  try {
    const url = `https://${address}:${config.clientPort}`;
    etcd = await openEtcd(url, config.etcdVersion, clientFiles(config.mountPoint));
    return await question(etcd);
  } catch {
    signal.throwIfAborted();
    // The reconciler of the cluster reports an etcd that is away.
    return undefined;
  } finally {
    etcd?.close();
  }
}
