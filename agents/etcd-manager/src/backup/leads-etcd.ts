import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { clientFiles } from '../etcd/certificates.ts';
import { openEtcd } from '../etcd/client.ts';
import { readMember } from '../observe-cluster.ts';

/** This machine's member and how many the cluster has, if the local one leads it. An etcd that does not answer leads nothing. */
export async function leadsEtcd(
  config: EtcdClusterConfig,
  address: string,
  signal: AbortSignal,
): Promise<{ readonly member: string; readonly memberCount: number } | undefined> {
  const volume = await readMember(config.mountPoint);
  if (volume === undefined) return undefined;
  const url = `https://${address}:${config.clientPort}`;
  let etcd;
  try {
    etcd = await openEtcd(url, config.etcdVersion, clientFiles(config.mountPoint));
    const { memberId, leaderId } = await etcd.status(signal);
    if (memberId !== leaderId) return undefined;
    return { member: volume.member, memberCount: (await etcd.members(signal)).length };
  } catch {
    signal.throwIfAborted();
    // The reconciler of the cluster reports an etcd that is away; here it only means that there is nothing to save.
    return undefined;
  } finally {
    etcd?.close();
  }
}
