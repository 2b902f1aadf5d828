import { once } from 'node:events';
import type { CloudMachine, CloudVolume, NodeCloud } from '@kopsctl/clouds/node-cloud.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { ProtokubeConfig, ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { staticPodApiServer, THIS_MACHINE } from '@kopsctl/agent/api-server.ts';
import { type AddonsEnv, reconcileAddons } from './addons/reconcile-addons.ts';
import { reconcileApiServer } from './api-server/reconcile-api-server.ts';
import { keepDnsEndpoints } from './cluster-dns/keep-endpoints.ts';
import { reconcileClusterDns } from './cluster-dns/reconcile-cluster-dns.ts';
import { reconcileNames } from './dns/reconcile-names.ts';
import { reconcileGossip } from './gossip/reconcile-gossip.ts';
import { followLoadBalancer, lookUp } from './hosts/follow-load-balancer.ts';
import { cloudNames, LatestNames, namesOfAll } from './hosts/name-source.ts';
import { reconcileHosts } from './hosts/reconcile-hosts.ts';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import { serveMetrics } from '@kopsctl/agent/serve-metrics.ts';
import { machineMetrics, METRICS_PORT } from './metrics/machine-metrics.ts';
import { kubeClient } from './kube/client.ts';
import { follow, Latest } from './latest.ts';
import { Leadership, reconcileLease } from './leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { reconcileNodeLabels } from './node-labels/reconcile-node-labels.ts';
import { reconcilePodNetworks } from './pod-networks/reconcile-pod-networks.ts';
import { reconcileRoutes } from './routes/reconcile-routes.ts';
import { reconcileToken } from './token/reconcile-token.ts';
import { formatRecord } from './volumes/format-record.ts';
import { reportState } from './state/report-state.ts';
import { StateBoard } from './state/state-board.ts';
import { discoveryOf, volumeState } from './state/machine-state.ts';
import { Mutex } from '@kopsctl/agent/mutex.ts';
import type { VolumeStep } from './volumes/plan-volumes.ts';
import { reconcileVolume } from './volumes/reconcile-volumes.ts';
import { releaseVolumes } from './volumes/release-volumes.ts';

export interface AgentEnv {
  readonly cloud: NodeCloud;
  /** Opened only where something needs it: a worker has no use for the store. */
  readonly openStore: () => Promise<StateStore>;
  /** The zone that a configuration names. */
  readonly openZone: (zone: ZoneConfig, signal: AbortSignal) => Promise<DnsProvider>;
  /** Whether the machine is being taken down for good. */
  readonly isGoingDown: () => Promise<boolean>;
  /** Opens another bucket than the cluster's, with the rights of this machine. */
  readonly openOtherStore: (url: string, signal: AbortSignal) => Promise<StateStore>;
  readonly hostsPath: string;
  /** Where formats under way are remembered; it must survive a reboot. */
  readonly formatsFolder: string;
  readonly log: Log;
}

/** systemd gives a service that it stops ten seconds and more. */
const RELEASE_WITHIN_MS = 8_000;

/** Runs every reconciler that this machine's configuration asks for, until the signal ends them all. */
export async function runAgent(config: ProtokubeConfig, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { cloud } = env;
  const machines = new Latest<CloudMachine>();
  const volumes = new Latest<CloudVolume>();
  const board = new StateBoard(discoveryOf(config));
  const running: Promise<void>[] = [];
  const start = (name: string, run: (log: Log, signal: AbortSignal) => Promise<void>): void => {
    const log = env.log.about(name);
    const onHealth = (failure: string | undefined) => board.failure(name, failure);
    running.push(keepRunning((inner) => run(log, inner), signal, log, onHealth));
  };

  // A cloud lets machines list the others only where they have to: where gossip tells the names, control planes alone.
  const listsMachines = config.role === 'ControlPlane' || (config.hosts.length > 0 && config.gossip === undefined);
  if (listsMachines) {
    start('machines', (_, signal) => follow(machines, (after, inner) => cloud.machines(after, inner), signal));
  }
  const ownsVolumes = config.role === 'ControlPlane' && config.volumes.length > 0;
  const listsVolumes = ownsVolumes || (config.memberHosts !== undefined && config.gossip === undefined);
  if (listsVolumes) {
    start('volumes', (_, signal) => follow(volumes, (after, inner) => cloud.volumes(after, inner), signal));
  }
  if (ownsVolumes) {
    const oneAtATime = new Mutex();
    const formats = formatRecord(env.formatsFolder);
    const tagKeys = config.volumes.map(({ tagKey }) => tagKey);
    for (const wanted of config.volumes) {
      const onStep = (step: VolumeStep) => board.volume(wanted.etcdCluster, volumeState(step));
      start(`volume ${wanted.etcdCluster}`, (log, signal) =>
        reconcileVolume(wanted, tagKeys, { cloud, volumes, oneAtATime, formats, onStep, log }, signal),
      );
    }
  }
  const listed = listsVolumes ? volumes : undefined;
  const gossipNames = config.gossip === undefined ? undefined : new LatestNames();
  if (gossipNames !== undefined) {
    const onMembers = (count: number) => board.members(count);
    start('gossip', (log, signal) =>
      reconcileGossip(
        config,
        {
          ...(listsMachines && { machines }),
          ...(listed && { volumes: listed }),
          names: gossipNames,
          hostsPath: env.hostsPath,
          onMembers,
          log,
        },
        signal,
      ),
    );
  }
  const { balanced } = config;
  const balancedNames = balanced && new LatestNames();
  if (balanced !== undefined && balancedNames !== undefined) {
    start('load-balancer', (log, signal) =>
      followLoadBalancer(balanced, { names: balancedNames, lookUp, log }, signal),
    );
  }
  const names =
    gossipNames ??
    namesOfAll([
      cloudNames(config, listsMachines ? machines : undefined, listed),
      ...(balancedNames ? [balancedNames] : []),
    ]);
  const onNames = (count: number) => board.names(count);
  start('hosts', (log, signal) => reconcileHosts(config, { names, hostsPath: env.hostsPath, onNames, log }, signal));
  const metrics = machineMetrics(board);
  start('metrics', async (_, signal) => {
    await once(await serveMetrics(metrics, METRICS_PORT, signal), 'close');
  });
  const stateKube = kubeClient(config.state.kubeconfig);
  start('state', (_, signal) => reportState(config.nodeName, { board, kube: stateKube }, signal));
  if (config.podRoutes !== undefined) {
    const kube = kubeClient(config.podRoutes.kubeconfig);
    start('routes', (log, signal) => reconcileRoutes(config.nodeName, { kube, ip: ['ip'], log }, signal));
  }
  const apiServer = staticPodApiServer(THIS_MACHINE);
  for (const restored of config.restores ?? []) {
    start(`api-server ${restored.etcdCluster}`, async (log, signal) =>
      reconcileApiServer(config.nodeName, restored, { store: await env.openStore(), apiServer, log }, signal),
    );
  }
  startClusterDuties(config, { ...env, machines, volumes, board }, start);
  await Promise.all(running);
  if (ownsVolumes && volumes.items !== undefined && (await env.isGoingDown())) {
    const log = env.log.about('volumes');
    await releaseVolumes(
      config.volumes,
      { cloud, volumes: volumes.items, log },
      AbortSignal.timeout(RELEASE_WITHIN_MS),
    );
  }
}

/** What one control-plane machine does for the whole cluster: the leader applies addons and keeps the token. */
function startClusterDuties(
  config: ProtokubeConfig,
  env: AgentEnv & {
    readonly machines: Latest<CloudMachine>;
    readonly volumes: Latest<CloudVolume>;
    readonly board: StateBoard;
  },
  start: (name: string, run: (log: Log, signal: AbortSignal) => Promise<void>) => void,
): void {
  const { cluster, addons, bootstrapToken, podNetworks, nodeMarks, dns, clusterDns } = config;
  const kubeconfig =
    addons?.kubeconfig ??
    bootstrapToken?.kubeconfig ??
    podNetworks?.kubeconfig ??
    nodeMarks?.kubeconfig ??
    dns?.kubeconfig ??
    clusterDns?.kubeconfig;
  if (config.role !== 'ControlPlane' || kubeconfig === undefined) return;
  const kube = kubeClient(kubeconfig);
  const leadership = new Leadership((isHeld) => env.board.leads(isHeld));
  start('leader', (log, signal) => reconcileLease(config.nodeName, leadership, { kube, log }, signal));
  if (bootstrapToken !== undefined) {
    const own = bootstrapToken.kubeconfig === kubeconfig ? kube : kubeClient(bootstrapToken.kubeconfig);
    start('bootstrap-token', async (log, signal) =>
      reconcileToken(
        bootstrapToken.secret,
        { cluster, store: await env.openStore(), kube: own, leadership, log },
        signal,
      ),
    );
  }
  if (podNetworks !== undefined) {
    start('pod-networks', (log, signal) => reconcilePodNetworks(podNetworks.range, { kube, leadership, log }, signal));
  }
  if (nodeMarks !== undefined) {
    const { machines } = env;
    start('node-labels', async (log, signal) =>
      reconcileNodeLabels({ cluster, store: await env.openStore(), kube, machines, leadership, log }, signal),
    );
  }
  if (clusterDns !== undefined) {
    const { machines } = env;
    start('cluster-dns', (log, signal) =>
      reconcileClusterDns(clusterDns, { kube, address: config.address, log }, signal),
    );
    start('cluster-dns endpoints', (log, signal) =>
      keepDnsEndpoints(clusterDns, { kube, machines, leadership, log }, signal),
    );
  }
  if (dns !== undefined) {
    const { machines, volumes } = env;
    const openZone = (signal: AbortSignal) => env.openZone(dns, signal);
    start('dns', (log, signal) =>
      reconcileNames(config, dns, { kube, machines, volumes, leadership, openZone, log }, signal),
    );
  }
  if (addons !== undefined) {
    const { account } = env.cloud;
    const facts: AddonsEnv['facts'] = account === undefined ? {} : { account: (signal) => account(signal) };
    start('addons', async (log, signal) => {
      const store = await env.openStore();
      const openStore = env.openOtherStore;
      const onOutcome: AddonsEnv['onOutcome'] = (isApplied) => env.board.addonsAre(isApplied);
      await reconcileAddons(
        addons.channels,
        { cluster, store, openStore, kube, facts, leadership, onOutcome, log },
        signal,
      );
    });
  }
}
