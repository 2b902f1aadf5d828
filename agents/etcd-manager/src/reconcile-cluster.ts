import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { ensureCertificates } from './etcd/certificates.ts';
import { etcdSettings, memberName, peerUrl, volumeLayout, type StartRequest } from './etcd/settings.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { decisionLog } from './decision-log.ts';
import { observeCluster, readMember, type Remembered } from './observe-cluster.ts';
import { patienceMs } from './membership/patience.ts';
import type { OwnMember, OwnState } from './own-member.ts';
import { planCluster, type ClusterStep, type ObservedCluster } from './plan-cluster.ts';
import type { RestoreGate } from './restore/restore-gate.ts';
import type { EtcdGate } from './restore/restore-step.ts';
import { CREATED, printMarker, startedPath } from './store/layout.ts';
import { moveToTrashcan } from './trashcan.ts';
import { chooseVersion } from './versions/choose-version.ts';
import { binariesOf } from './versions/reconcile-versions.ts';
import { readVersions } from './versions/version-record.ts';
import { identityOf, type EtcdUnit, type UnitRunner } from './units/unit-runner.ts';
import { Wake } from '@kopsctl/agent/wake.ts';

/** Neither a mount nor another machine's etcd wakes this loop. While something is missing, looking is cheap. */
const MISSING_POLL_MS = 300;
/** systemd restarts an etcd that exits, so this loop only has to notice slow changes. */
const SERVING_POLL_MS = 10_000;
/** Certificates are checked this often, and renewed months before they expire. */
const CERTIFICATES_MS = 12 * 60 * 60_000;

export interface ClusterEnv {
  readonly cluster: string;
  readonly address: string;
  readonly store: StateStore;
  readonly units: UnitRunner;
  readonly log: Log;
  /** What a restore allows this loop to do to the local etcd. Absent: there are no restores. */
  readonly gate?: RestoreGate;
  /** Receives the state of this member at every look. */
  readonly own?: OwnMember;
}

/** Runs this machine's member of one etcd cluster until `signal` aborts: observe, plan, act, repeat. */
export async function reconcileCluster(config: EtcdClusterConfig, env: ClusterEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const remembered: Remembered = {};
  const wanted = {
    name: config.name,
    etcdVersion: config.etcdVersion,
    ownName: memberName,
    peerUrl: (member: string) => peerUrl(config, member),
  };
  let certificatesMs = Number.NEGATIVE_INFINITY;
  const logDecision = decisionLog(env.log, 'logged');
  let epoch = 0;
  env.gate?.onChange(() => wake.ring());
  while (!signal.aborted) {
    const volume = await readMember(config.mountPoint);
    if (volume !== undefined && performance.now() - certificatesMs > CERTIFICATES_MS) {
      await ensureCertificates(config, { address: env.address, member: volume.member }, env, signal);
      certificatesMs = performance.now();
    }
    // A restore replaces the cluster, so everything that was remembered about the old one is read again.
    if (env.gate !== undefined && env.gate.epoch !== epoch) {
      forget(remembered);
      epoch = env.gate.epoch;
    }
    const running = volume && (await withVersion(config, volume.member, env.store, signal));
    const wantedIdentity = ({ member }: MemberFile, token: string): string => {
      const request = { config: running ?? config, address: env.address, member, token };
      return identityOf(unitOf({ ...request, initialState: 'new', initialCluster: '', hasServed: false }));
    };
    const observed = await observeCluster(config, wantedIdentity, remembered, env, signal);
    const planned = within(env.gate?.etcd ?? 'free', planCluster(wanted, observed), observed.unit);
    const step = planned.action === 'start' && running === undefined ? WAIT_FOR_VERSION : planned;
    logDecision(step, 'token' in step ? { token: step.token } : {});
    if (observed.volume !== undefined) env.own?.set(describeOwn(config, observed, step, remembered));
    await act(running ?? config, step, observed.volume, remembered, env, signal);
    const pollMs = pollAfter(step);
    if (pollMs !== undefined) await wake.wait(pollMs, signal);
  }
}

function forget(remembered: Remembered): void {
  delete remembered.marker;
  delete remembered.markerMs;
  delete remembered.served;
}

const WAIT_FOR_VERSION: ClusterStep = {
  action: 'wait',
  summary: 'wait for the leader to allow another version of etcd: this machine lacks the version that served its data',
};

const WAIT_FOR_RESTORE: ClusterStep = { action: 'wait', summary: 'a restore is under way' };

/** The configuration with the etcd version that this member runs; undefined while none on this machine is allowed. */
async function withVersion(
  config: EtcdClusterConfig,
  member: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<EtcdClusterConfig | undefined> {
  const binaries = binariesOf(config);
  const { versions } = await readVersions(store, config.backupPath, signal);
  const available = binaries.map(({ version }) => version);
  const chosen = chooseVersion(versions[member], config.etcdVersion, available);
  const binary = binaries.find(({ version }) => version === chosen);
  return binary && { ...config, etcdVersion: binary.version, binDir: binary.binDir };
}

/** etcd takes a while to recover a large database; a member that takes longer than this has a problem. */
const PROBLEM_MS = 2 * 60_000;

function describeOwn(
  config: EtcdClusterConfig,
  observed: ObservedCluster,
  step: ClusterStep,
  remembered: Remembered,
): OwnState {
  const { volume, marker, tokensOnDisk, etcd2Tokens, unit, etcd, others } = observed;
  const isOfCluster = (token: string): boolean => marker?.token === undefined || token === marker.token;
  const isThere = tokensOnDisk.some(isOfCluster);
  const unwellMs = performance.now() - (remembered.unwellSinceMs ?? performance.now());
  // If the others do not answer either, the network is at fault and not the data here.
  const isProblem = isThere && others?.hasLeader === true && unwellMs > Math.min(PROBLEM_MS, patienceMs(config));
  return {
    member: volume?.member ?? '',
    decision: `${step.action}: ${step.summary}`,
    hasData: isThere || unit === 'running',
    hasServed: observed.hasServed,
    holdsEtcd2: etcd2Tokens.some(isOfCluster),
    isWell: etcd?.hasLeader === true,
    othersLead: remembered.othersLead === true,
    ...(isProblem && { problem: 'its etcd does not start with the data it has' }),
  };
}

/** The step, or a wait if a restore forbids the step. */
function within(gate: EtcdGate, step: ClusterStep, unit: ObservedCluster['unit']): ClusterStep {
  // The changed settings may belong to the version that the restore leads to.
  const isChange = step.action === 'set-data-aside' || (step.action === 'start' && unit === 'outdated');
  if (gate === 'free' || (gate === 'keep' && !isChange)) return step;
  return WAIT_FOR_RESTORE;
}

function pollAfter(step: ClusterStep): number | undefined {
  // The gate wakes the loop when the restore ends.
  if (step === WAIT_FOR_RESTORE) return SERVING_POLL_MS;
  switch (step.action) {
    case 'wait':
    case 'start':
      return MISSING_POLL_MS;
    case 'nothing':
    case 'hold':
    case 'refuse':
      return SERVING_POLL_MS;
    case 'create-marker':
    case 'record-served':
    case 'set-data-aside':
  }
  return undefined;
}

async function act(
  config: EtcdClusterConfig,
  step: ClusterStep,
  volume: { readonly member: string; readonly members: readonly string[] } | undefined,
  remembered: Remembered,
  env: ClusterEnv,
  signal: AbortSignal,
): Promise<void> {
  if (volume === undefined) return;
  switch (step.action) {
    case 'create-marker': {
      const token = step.token ?? randomBytes(16).toString('hex');
      const marker = printMarker({ token, members: step.members }, Date.now());
      // Whether this write or another machine's succeeds, the marker exists afterwards: read it at the next look.
      delete remembered.markerMs;
      return writeMarker(`${config.backupPath}/${CREATED}`, marker, step.replaces, env, signal);
    }
    case 'start': {
      const { data } = volumeLayout(config.mountPoint);
      const folder = join(data, step.token);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // etcd 3.4 and newer refuse any other mode, and something else may have created the folder.
      await chmod(folder, 0o700);
      const hasServed = remembered.served?.has(volume.member) === true;
      return env.units.start(unitOf({ ...step, config, address: env.address, member: volume.member, hasServed }));
    }
    case 'record-served':
      return recordServed(config, step.token, volume.member, env, signal);
    case 'set-data-aside':
      // From here on the member must never start as one of the first members again, so that is recorded first.
      await recordServed(config, step.token, volume.member, env, signal);
      await env.units.stop(`etcd-${config.name}`);
      return moveToTrashcan(config, [step.token]);
    case 'wait':
    case 'hold':
    case 'nothing':
    case 'refuse':
  }
}

function unitOf(request: StartRequest): EtcdUnit {
  const { config } = request;
  return {
    name: `etcd-${config.name}`,
    binary: join(config.binDir, 'etcd'),
    mountPoint: config.mountPoint,
    ...etcdSettings(request),
  };
}

/** Records in the store that a member has served. The record is never removed. */
async function recordServed(
  config: EtcdClusterConfig,
  token: string,
  member: string,
  env: ClusterEnv,
  signal: AbortSignal,
): Promise<void> {
  const path = `${config.backupPath}/${startedPath(token, member)}`;
  const bytes = Buffer.from(`${JSON.stringify({ address: env.address })}\n`);
  try {
    await env.store.write(path, bytes, { ifAbsent: true }, signal);
  } catch (error) {
    // The record exists already.
    if (!(error instanceof ConflictError)) throw error;
  }
}

/** Writes the marker, unless another machine was first; its marker is read at the next look. */
async function writeMarker(
  path: string,
  text: string,
  replaces: string | undefined,
  env: ClusterEnv,
  signal: AbortSignal,
): Promise<void> {
  const condition = replaces === undefined ? ({ ifAbsent: true } as const) : { ifVersion: replaces };
  try {
    await env.store.write(path, Buffer.from(text), condition, signal);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    env.log.info('another machine wrote the marker first', { path });
  }
}
