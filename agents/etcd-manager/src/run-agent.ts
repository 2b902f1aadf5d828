import { once } from 'node:events';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import type { EtcdManagerConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { machineClock } from './clock.ts';
import { logDetail } from './log-detail.ts';
import { managerMetrics, METRICS_PORT } from './metrics/manager-metrics.ts';
import { serveMetrics } from '@kopsctl/agent/serve-metrics.ts';
import { staticPodApiServer, THIS_MACHINE } from '@kopsctl/agent/api-server.ts';
import { runEtcdCluster } from './run-etcd-cluster.ts';
import type { UnitRunner } from './units/unit-runner.ts';

export interface AgentEnv {
  readonly store: StateStore;
  readonly units: UnitRunner;
  readonly log: Log;
}

/** Manages each etcd cluster of this machine until `signal` aborts. The etcd processes keep running after that. */
export async function runAgent(config: EtcdManagerConfig, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { cluster, address } = config;
  const apiServer = staticPodApiServer(THIS_MACHINE);
  const mainCluster = config.etcdClusters.find(({ name }) => name === 'main');
  const metrics = managerMetrics(machineClock);
  const running = config.etcdClusters.map((etcd) =>
    runEtcdCluster(
      etcd,
      {
        ...env,
        cluster,
        address,
        apiServer,
        ...(mainCluster && { mainCluster }),
        log: env.log.about(etcd.name, logDetail(etcd)),
        metrics: metrics.of(etcd.name),
      },
      signal,
    ),
  );
  const log = env.log.about('metrics');
  const serving = keepRunning(
    async (inner) => {
      await once(await serveMetrics(metrics, METRICS_PORT, inner), 'close');
    },
    signal,
    log,
  );
  await Promise.all([...running, serving]);
}
