import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { askIfThere } from '../etcd/ask-etcd.ts';
import { memberHost } from '../etcd/settings.ts';
import type { RestoreEnv } from './restore-env.ts';

/** Below it each API server has a key, by its address. */
export const MASTER_LEASES = '/registry/masterleases/';

/**
 * Each API server keeps a lease under its address, renews it every 10 s and takes it away before it ends; of one that
 * was killed it is gone after 15 s (kube-apiserver, `lease` endpoint reconciler). Those without a lease are leftovers of
 * a restore that knew none. Any member answers for all; where none has a leader, no API server can write. Undefined
 * where etcd serves and does not tell.
 */
export async function askForApiServers(
  config: EtcdClusterConfig,
  members: readonly string[],
  env: Pick<RestoreEnv, 'address' | 'mainCluster'>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const main = env.mainCluster ?? config;
  let isServed = false;
  // The others only where the etcd here does not tell: a machine that is gone takes its time to give no answer.
  for (const hosts of [[env.address], members.map((member) => memberHost(main, member))]) {
    const statuses = await Promise.all(
      hosts.map((host) => askIfThere(host, main, (etcd) => etcd.status(signal), signal)),
    );
    for (const host of hosts.filter((_, index) => statuses[index]?.leaderId !== undefined)) {
      isServed = true;
      const keys = await askIfThere(host, main, (etcd) => etcd.leasedKeysBelow(MASTER_LEASES, signal), signal);
      if (keys !== undefined) return keys.map((key) => key.slice(MASTER_LEASES.length));
    }
  }
  return isServed ? undefined : [];
}
