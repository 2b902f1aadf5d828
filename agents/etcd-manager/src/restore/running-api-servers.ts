import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { memberHost } from '../etcd/settings.ts';
import type { RestoreEnv } from './restore-env.ts';

/** The prefix of the keys at which API servers register, by address. */
export const MASTER_LEASES = '/registry/masterleases/';

/**
 * The addresses of the API servers that run, by their leases in etcd. An API server renews its lease every 10 s and removes
 * it before it stops; the lease of one that was killed expires after 15 s (kube-apiserver, `lease` endpoint reconciler).
 * Registrations without a lease were left by a restore. Any member can answer. Without a leader in etcd no API server can
 * write, so the result is empty. Nor can one write while etcd reports CORRUPT: no lease expires then, and no API server can
 * remove its own, so the leases would name API servers that stopped long ago.
 *
 * @returns undefined if etcd serves but does not answer
 */
export async function askForApiServers(
  config: EtcdClusterConfig,
  members: readonly string[],
  env: Pick<RestoreEnv, 'address' | 'mainCluster' | 'etcds'>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const main = env.mainCluster ?? config;
  let isServed = false;
  // The other members are asked only if the local etcd does not answer, because waiting for a dead machine takes time.
  for (const hosts of [[env.address], members.map((member) => memberHost(main, member))]) {
    const statuses = await Promise.all(
      hosts.map((host) => env.etcds.askIfThere(host, main, (etcd) => etcd.status(signal), signal)),
    );
    for (const host of hosts.filter((_, index) => statuses[index]?.leaderId !== undefined)) {
      isServed = true;
      const alarms = await env.etcds.askIfThere(host, main, (etcd) => etcd.alarms(signal), signal);
      if (alarms?.some(({ alarm }) => alarm === 'CORRUPT') === true) return [];
      const keys = await env.etcds.askIfThere(
        host,
        main,
        (etcd) => etcd.leasedKeysBelow(MASTER_LEASES, signal),
        signal,
      );
      if (keys !== undefined) return keys.map((key) => key.slice(MASTER_LEASES.length));
    }
  }
  return isServed ? undefined : [];
}
