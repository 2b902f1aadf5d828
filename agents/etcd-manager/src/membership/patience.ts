import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';

/** Long enough for a machine to reboot or to be rolled; shorter would replace members during a rolling update. */
const PATIENCE_MS = 5 * 60_000;

/** How long a member may be silent before another machine takes its place: spec.etcdClusters[].manager.env. */
export function patienceMs(config: Pick<EtcdClusterConfig, 'env'>): number {
  const seconds = Number(config.env.find(({ name }) => name === 'ETCD_MANAGER_PATIENCE_SECONDS')?.value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : PATIENCE_MS;
}
