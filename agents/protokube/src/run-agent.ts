import { once } from 'node:events';
import type { CloudMachine, CloudVolume, NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import type { GossipConfig, ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import { staticPodApiServer, THIS_MACHINE } from '@kopsctl/agent/api-server.ts';
import type { AgentEnv, Start } from './agent-env.ts';
import { askApiServer } from './api-health/ask-api-server.ts';
import { serveApiHealth } from './api-health/serve-api-health.ts';
import { reconcileDrift } from './drift/reconcile-drift.ts';
import { reconcileApiServer } from './api-server/reconcile-api-server.ts';
import { type Rings, RunningRing } from './gossip/running-ring.ts';
import { reconcileGossip } from './gossip/reconcile-gossip.ts';
import { followLoadBalancer, lookUp } from './hosts/follow-load-balancer.ts';
import { cloudNames, LatestNames, namesOfAll } from './hosts/name-source.ts';
import { Renewal } from './identity/renewal.ts';
import { keepReports } from './report/keep-reports.ts';
import { MachineReporter } from './report/machine-reporter.ts';
import { watchCertificates } from './certificates/watch-certificates.ts';
import { watchClock } from './clock/watch-clock.ts';
import { lastErrors } from './units/last-errors.ts';
import { reconcileHosts } from './hosts/reconcile-hosts.ts';
import { reconcileIdentity } from './identity/reconcile-identity.ts';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import { serveMetrics } from '@kopsctl/agent/serve-metrics.ts';
import { machineMetrics, METRICS_PORT } from './metrics/machine-metrics.ts';
import { kubeClient } from '@kopsctl/kube/client.ts';
import { readKubeconfig } from '@kopsctl/kube/kubeconfig.ts';
import { follow, Latest } from '@kopsctl/node-cloud/latest.ts';
import { reconcilePlan, tellBoot } from './plan/reconcile-plan.ts';
import { reconcileRoutes } from './routes/reconcile-routes.ts';
import { formatRecord } from './volumes/format-record.ts';
import { startClusterDuties } from './start-cluster-duties.ts';
import { reportState } from './state/report-state.ts';
import { StateBoard } from './state/state-board.ts';
import { discoveryOf, volumeState } from './state/machine-state.ts';
import { Mutex } from '@kopsctl/agent/mutex.ts';
import { watchUnits } from './units/watch-units.ts';
import type { VolumeStep } from './volumes/plan-volumes.ts';
import { reconcileVolume } from './volumes/reconcile-volumes.ts';
import { releaseVolumes } from './volumes/release-volumes.ts';

/** Its certificate has this address. */
const OWN_API_SERVER = 'https://127.0.0.1';
/** systemd allows a service ten seconds or more to stop. */
const RELEASE_WITHIN_MS = 8_000;

/** Runs every reconciler that this machine's configuration asks for, until the signal ends them all. */
export async function runAgent(config: ProtokubeConfig, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const board = new StateBoard(discoveryOf(config));
  const running: Promise<void>[] = [];
  const start: Start = (name, run) => {
    const log = env.log.about(name);
    const onHealth = (failure: string | undefined) => board.failure(name, failure);
    running.push(keepRunning((inner) => run(log, inner), signal, log, onHealth));
  };
  const lists = { machines: new Latest<CloudMachine>(), volumes: new Latest<CloudVolume>() };
  const { volumes } = lists;
  const ownsVolumes = config.role === 'ControlPlane' && config.volumes.length > 0;
  const listed = startLists(config, ownsVolumes, { ...lists, cloud: env.cloud }, start);
  if (ownsVolumes) startVolumes(config, { ...env, volumes, board }, start);
  const rings: Rings = new Map(config.gossip?.rings.map((ring) => [ring, new RunningRing()]));
  startHosts(config, listed, { ...env, board, rings }, start);
  startReports(config, board, start);
  startApiHealth(config, start);
  startPlan(config, { ...env, board }, start);
  const renewal = new Renewal();
  const reporter = startExplaining(config, { ...env, board, renewal }, start);
  startIdentity(config, { ...env, renewal, reporter }, start);
  startBroker(config, { ...env, machines: lists.machines }, start);
  startOfMachine(config, env, start);
  startClusterDuties(config, { ...env, ...lists, board, rings }, start);
  await Promise.all(running);
  if (ownsVolumes && volumes.items !== undefined && (await env.isGoingDown())) {
    const release = { cloud: env.cloud, volumes: volumes.items, log: env.log.about('volumes') };
    await releaseVolumes(config.volumes, release, AbortSignal.timeout(RELEASE_WITHIN_MS));
  }
}

interface ExplainingEnv extends AgentEnv {
  readonly board: StateBoard;
  readonly renewal: Renewal;
}

interface IdentityParts extends AgentEnv {
  readonly renewal: Renewal;
  readonly reporter: MachineReporter;
}

interface Lists {
  readonly machines: Latest<CloudMachine>;
  readonly volumes: Latest<CloudVolume>;
}

/** Follows the cloud's lists that this machine needs, and returns them. */
function startLists(
  config: ProtokubeConfig,
  ownsVolumes: boolean,
  { cloud, machines, volumes }: Lists & { readonly cloud: NodeCloud },
  start: Start,
): Partial<Lists> {
  // A machine gets the permission to list others only if it needs it: with gossip, only control planes do.
  const listsMachines = config.role === 'ControlPlane' || (config.hosts.length > 0 && config.gossip === undefined);
  if (listsMachines) {
    start('machines', (_, signal) => follow(machines, (after, inner) => cloud.machines(after, inner), signal));
  }
  const listsVolumes = ownsVolumes || (config.memberHosts !== undefined && config.gossip === undefined);
  if (listsVolumes) {
    start('volumes', (_, signal) => follow(volumes, (after, inner) => cloud.volumes(after, inner), signal));
  }
  return { ...(listsMachines && { machines }), ...(listsVolumes && { volumes }) };
}

function startVolumes(
  config: ProtokubeConfig,
  env: AgentEnv & { readonly volumes: Latest<CloudVolume>; readonly board: StateBoard },
  start: Start,
): void {
  const { cloud, volumes, board } = env;
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

/** Gathers names by gossip, or from the cloud and a load balancer, and writes them to the hosts file. */
function startHosts(
  config: ProtokubeConfig,
  listed: Partial<Lists>,
  { hostsPath, board, rings }: AgentEnv & { readonly board: StateBoard; readonly rings: Rings },
  start: Start,
): void {
  const { gossip } = config;
  const gossipNames = gossip && startGossip({ ...config, gossip }, listed, { hostsPath, board, rings }, start);
  const { balanced } = config;
  const balancedNames = balanced && new LatestNames();
  if (balanced !== undefined && balancedNames !== undefined) {
    start('load-balancer', (log, signal) =>
      followLoadBalancer(balanced, { address: config.address, names: balancedNames, lookUp, log }, signal),
    );
  }
  const fromCloud = cloudNames(config, listed.machines, listed.volumes);
  const names = gossipNames ?? namesOfAll([fromCloud, ...(balancedNames ? [balancedNames] : [])]);
  const onNames = (count: number) => board.names(count);
  start('hosts', (log, signal) => reconcileHosts(config, { names, hostsPath, onNames, log }, signal));
}

/** Joins the rings of this machine; returns the names that it learns from the first of them. */
function startGossip(
  config: ProtokubeConfig & { readonly gossip: GossipConfig },
  listed: Partial<Lists>,
  { hostsPath, board, rings }: Pick<AgentEnv, 'hostsPath'> & { readonly board: StateBoard; readonly rings: Rings },
  start: Start,
): LatestNames {
  const names = new LatestNames();
  for (const [ring, running] of rings) {
    const env = {
      ...listed,
      running,
      ...(ring === config.gossip.rings[0] && { names }),
      // All machines are in the workers' ring.
      ...(ring.name === 'workers' && { onMembers: (count: number) => board.members(count) }),
      hostsPath,
    };
    start(`gossip ${ring.name}`, (log, signal) => reconcileGossip(config, ring, { ...env, log }, signal));
  }
  return names;
}

function startReports(config: ProtokubeConfig, board: StateBoard, start: Start): void {
  const metrics = machineMetrics(board);
  start('metrics', async (_, signal) => {
    await once(await serveMetrics(metrics, METRICS_PORT, signal), 'close');
  });
  const kube = kubeClient(config.state.kubeconfig);
  start('state', (_, signal) => reportState(config.nodeName, { board, kube }, signal));
}

/** Answers load balancers for the API server of this machine, whichever API server the kubeconfig leads to. */
function startApiHealth({ apiHealth }: ProtokubeConfig, start: Start): void {
  if (apiHealth === undefined) return;
  const { port, kubeconfig } = apiHealth;
  const ask = askApiServer(async () => ({ ...(await readKubeconfig(kubeconfig)), server: OWN_API_SERVER }));
  start('api-health', (log, signal) => serveApiHealth(port, { ask, log }, signal));
}

/** Reports how the plan was carried out and what checks of it find, and takes over another plan. */
function startPlan(
  { drift, nodeName, state }: ProtokubeConfig,
  env: AgentEnv & { readonly board: StateBoard },
  start: Start,
): void {
  if (drift === undefined) return;
  const { board, startUnit, showUnits } = env;
  start('units', (_, signal) => watchUnits({ board, showUnits }, signal));
  start('drift', (log, signal) => reconcileDrift(drift, { board, startUnit, log }, signal));
  const { bootReport } = drift;
  const kube = kubeClient(state.kubeconfig);
  start('boot', (_, signal) => tellBoot(bootReport, board, signal));
  start('plan', (log, signal) => reconcilePlan({ nodeName, bootReport }, { kube, board, startUnit, log }, signal));
}

/** Reports what keeps this machine from working: on its Node, and in the state store for when there is no API or no machine. */
function startExplaining(
  config: ProtokubeConfig,
  { board, renewal, isClockSynchronized, readLogs, openStore }: ExplainingEnv,
  start: Start,
): MachineReporter {
  const nowMs = () => Date.now();
  start('certificates', (_, signal) => watchCertificates(config, { board, renewal, nowMs }, signal));
  start('clock', (_, signal) => watchClock({ board, isClockSynchronized }, signal));
  const reporter = new MachineReporter({
    node: config.nodeName,
    state: () => board.state,
    errors: async (signal) => lastErrors(await readLogs(signal)),
    nowMs,
    monotonicMs: () => performance.now(),
  });
  // Other machines have no right to write there: authorities take their reports.
  if (config.role === 'ControlPlane') {
    start('report', async (_, signal) => keepReports(config, { board, reporter, store: await openStore() }, signal));
  }
  return reporter;
}

/** Waits for authorities, which give this machine what it lacks. */
function startIdentity(
  { identity, cluster }: ProtokubeConfig,
  { openIdentity, restartKubelet, renewal, reporter }: IdentityParts,
  start: Start,
): void {
  if (identity === undefined) return;
  const env = { cluster, openIdentity, restartKubelet, renewal, reporter };
  start('identity', (log, signal) => reconcileIdentity(identity, { ...env, log }, signal));
}

/** Serves the node authority of this machine, which has no rights of its own. */
function startBroker(
  { broker, cluster }: ProtokubeConfig,
  { machines, ...env }: AgentEnv & { readonly machines: Latest<CloudMachine> },
  start: Start,
): void {
  if (broker === undefined) return;
  start('broker', async (log, signal) => {
    const [store, verifierFacts] = await Promise.all([env.openStore(), env.openVerifierFacts()]);
    const { accountsPath } = env;
    // Workers never need it.
    const { reconcileBroker } = await import('./broker/reconcile-broker.ts');
    await reconcileBroker(broker, { cluster, store, machines, verifierFacts, accountsPath, log }, signal);
  });
}

/** Routes to the pods of other nodes, and the API server of a machine without etcd. */
function startOfMachine(config: ProtokubeConfig, env: AgentEnv, start: Start): void {
  const { nodeName, podRoutes, restores = [] } = config;
  if (podRoutes !== undefined) {
    const kube = kubeClient(podRoutes.kubeconfig);
    start('routes', (log, signal) => reconcileRoutes(nodeName, { kube, ip: ['ip'], log }, signal));
  }
  const apiServer = staticPodApiServer(THIS_MACHINE);
  for (const restored of restores) {
    start(`api-server ${restored.etcdCluster}`, async (log, signal) =>
      reconcileApiServer(nodeName, restored, { store: await env.openStore(), apiServer, log }, signal),
    );
  }
}
