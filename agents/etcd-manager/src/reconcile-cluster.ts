import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { readRestore, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { recordFirstStart } from './first-start.ts';
import { ensureCertificates } from './etcd/certificates.ts';
import { etcdSettings, memberName, peerUrl, type StartRequest } from './etcd/settings.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { decisionLog } from './decision-log.ts';
import { observeCluster, type Remembered } from './observe-cluster.ts';
import { patienceMs } from './membership/patience.ts';
import type { OwnMember, OwnState } from './own-member.ts';
import { planCluster, type ClusterStep, type ObservedCluster } from './plan-cluster.ts';
import { thisMachine, type OwnMachine } from './own-machine.ts';
import { isBystanderOf } from './restore/plan-restore.ts';
import type { RestoreGate } from './restore/restore-gate.ts';
import type { EtcdGate } from './restore/restore-step.ts';
import { CREATED, parseMarker, printMarker, startedPath } from './store/layout.ts';
import { chooseVersion, type UnrecordedData } from './versions/choose-version.ts';
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

/** What one look needs. */
type MemberEnv = Pick<ClusterEnv, 'address' | 'store' | 'log' | 'gate' | 'own'> & { readonly machine: OwnMachine };

/** Runs this machine's member of one etcd cluster until `signal` aborts: observe, plan, act, repeat. */
export async function reconcileCluster(config: EtcdClusterConfig, env: ClusterEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  let certificatesMs = Number.NEGATIVE_INFINITY;
  env.gate?.onChange(() => wake.ring());
  const machine = thisMachine(config, env);
  const memory = memberMemory(env.log);
  while (!signal.aborted) {
    const volume = await readOwn(machine, env.own);
    if (volume !== undefined && performance.now() - certificatesMs > CERTIFICATES_MS) {
      await ensureCertificates(config, { address: env.address, member: volume.member }, env, signal);
      certificatesMs = performance.now();
    }
    const pollMs = await lookAfterMember(config, memory, { ...env, machine }, signal);
    if (pollMs !== undefined) await wake.wait(pollMs, signal);
  }
}

/** What the loop remembers between two looks. */
export interface MemberMemory {
  readonly remembered: Remembered;
  readonly logDecision: ReturnType<typeof decisionLog>;
  /** The epoch of the gate at the last look. */
  epoch: number;
  /** See `MemberStatus.etcdStart`; absent until this process has started etcd. */
  etcdStart?: string;
}

export function memberMemory(log: Log): MemberMemory {
  return { remembered: {}, logDecision: decisionLog(log, 'logged'), epoch: 0 };
}

/** One look at the own member, and what is to be done about it. Resolves with how long to wait; undefined: not at all. */
export async function lookAfterMember(
  config: EtcdClusterConfig,
  memory: MemberMemory,
  env: MemberEnv,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { remembered, logDecision } = memory;
  const { machine } = env;
  const wanted = {
    name: config.name,
    etcdVersion: config.etcdVersion,
    ownName: memberName,
    peerUrl: (member: string) => peerUrl(config, member),
  };
  const volume = await machine.member();
  // A restore replaces the cluster, so everything that was remembered about the old one is read again.
  if (env.gate !== undefined && env.gate.epoch !== memory.epoch) {
    forget(remembered);
    memory.epoch = env.gate.epoch;
  }
  const { running, dataVersion: found } =
    volume === undefined ? {} : await withVersion(config, volume.member, env, signal);
  const wantedIdentity = ({ member }: MemberFile, token: string): string => {
    const request = { config: running ?? config, address: env.address, member, token };
    return identityOf(unitOf({ ...request, initialState: 'new', initialCluster: '', hasServed: false }));
  };
  const observed = await observeCluster(config, wantedIdentity, remembered, env, signal);
  const planned = within(env.gate?.etcd ?? 'free', planCluster(wanted, observed), observed.unit);
  const step = planned.action === 'start' && running === undefined ? WAIT_FOR_VERSION : planned;
  logDecision(step, 'token' in step ? { token: step.token } : {});
  if (observed.volume === undefined) env.own?.clear();
  else {
    const own = describeOwn(config, observed, step, remembered, machine.nowMs());
    const { etcdStart } = memory;
    const more = { ...(found !== undefined && { dataVersion: found }), ...(etcdStart !== undefined && { etcdStart }) };
    env.own?.set({ ...own, ...more }, machine.nowMs());
  }
  if (step.action === 'start') memory.etcdStart = randomBytes(8).toString('hex');
  await act(running ?? config, step, observed, remembered, env, signal);
  return pollAfter(step, observed.etcd?.hasLeader === true);
}

/** What the volume says. A volume that cannot be read is as good as none: another machine has to lead. */
async function readOwn(machine: OwnMachine, own: OwnMember | undefined): Promise<MemberFile | undefined> {
  try {
    return await machine.member();
  } catch (error) {
    own?.clear();
    throw error;
  }
}

function forget(remembered: Remembered): void {
  delete remembered.marker;
  delete remembered.markerMs;
  delete remembered.served;
  delete remembered.started;
}

const WAIT_FOR_VERSION: ClusterStep = {
  action: 'wait',
  summary: 'wait for the leader to allow another version of etcd: this machine lacks the version that served its data',
};

const WAIT_FOR_RESTORE: ClusterStep = { action: 'wait', summary: 'a restore is under way' };

interface MemberVersion {
  /** The configuration with the etcd version that this member runs; absent while none on this machine is allowed. */
  readonly running?: EtcdClusterConfig;
  /** The version that its data names; absent if the record names one. */
  readonly dataVersion?: string;
}

async function withVersion(
  config: EtcdClusterConfig,
  member: string,
  env: MemberEnv,
  signal: AbortSignal,
): Promise<MemberVersion> {
  const binaries = binariesOf(config);
  const recorded = (await readVersions(env.store, config.backupPath, signal)).versions[member];
  const unrecorded = recorded === undefined ? await lookAtUnrecorded(env.machine, signal) : undefined;
  const available = binaries.map(({ version }) => version);
  const chosen = chooseVersion(recorded, config.etcdVersion, available, unrecorded);
  const binary = binaries.find(({ version }) => version === chosen);
  return {
    ...(binary && { running: { ...config, etcdVersion: binary.version, binDir: binary.binDir } }),
    ...(unrecorded?.version !== undefined && { dataVersion: unrecorded.version }),
  };
}

/** The data on the volume, if there is any; that of one cluster is enough, because all of it is of one machine. */
async function lookAtUnrecorded(machine: OwnMachine, signal: AbortSignal): Promise<UnrecordedData | undefined> {
  const [token] = await machine.tokensWithLog();
  if (token === undefined) return undefined;
  const { isRunning } = await machine.unit();
  const status = isRunning ? await machine.askLocal(signal) : undefined;
  const version = status?.version ?? (await machine.dataVersion(token));
  return { isRunning, ...(version !== undefined && { version }) };
}

/** etcd takes a while to recover a large database; a member that takes longer than this has a problem. */
const PROBLEM_MS = 2 * 60_000;

function describeOwn(
  config: EtcdClusterConfig,
  observed: ObservedCluster,
  step: ClusterStep,
  remembered: Remembered,
  nowMs: number,
): OwnState {
  const { volume, marker, tokensOnDisk, etcd2Tokens, unit, etcd, others } = observed;
  const isOfCluster = (token: string): boolean => marker?.token === undefined || token === marker.token;
  const isThere = tokensOnDisk.some(isOfCluster);
  const unwellMs = nowMs - (remembered.unwellSinceMs ?? nowMs);
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

function pollAfter(step: ClusterStep, serves: boolean): number | undefined {
  // The gate wakes the loop when the restore ends. An etcd of another version serves until the leader allows the next one.
  if (step === WAIT_FOR_RESTORE || (step === WAIT_FOR_VERSION && serves)) return SERVING_POLL_MS;
  switch (step.action) {
    case 'wait':
    case 'start':
      return MISSING_POLL_MS;
    case 'nothing':
    case 'hold':
    case 'refuse':
      return SERVING_POLL_MS;
    case 'create-marker':
    case 'begin':
    case 'record-served':
    case 'set-data-aside':
  }
  return undefined;
}

async function act(
  config: EtcdClusterConfig,
  step: ClusterStep,
  { volume, tokensOnDisk }: ObservedCluster,
  remembered: Remembered,
  env: MemberEnv,
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
    case 'begin': {
      const id = await env.machine.keepFirstStart(step.token);
      return recordFirstStart(config, { ...step, member: volume.member, id }, env.store, signal);
    }
    case 'start': {
      const restore = (await readRestore(env.store, config.backupPath, signal))?.record;
      if (await isReplaced(config, restore, step.token, volume.member, env.store, signal)) return forget(remembered);
      // The record is written before the first start, so there is something to compare only if there is data as well. All
      // members begin a restore with the same data at the same moment.
      const isRestored = restore?.token === step.token && restore.phase === 'starting';
      const isServed = remembered.served?.has(volume.member) === true && tokensOnDisk.includes(step.token);
      const hasServed = isServed && !isRestored;
      const request = { ...step, config, address: env.address, member: volume.member, hasServed };
      return env.machine.start(step.token, unitOf(request));
    }
    case 'record-served':
      return recordServed(config, step.token, volume.member, env, signal);
    case 'set-data-aside':
      // From here on the member must never start as one of the first members again, so that is recorded first.
      await recordServed(config, step.token, volume.member, env, signal);
      return env.machine.setAside(step.token);
    case 'wait':
    case 'hold':
    case 'nothing':
    case 'refuse':
  }
}

/**
 * Whether a restore has replaced the cluster with this token, or does so without this member. The marker is remembered for a
 * while, and the gate is as old as the last look at the record; but an old etcd that has a quorum by itself must not start
 * beside the restored cluster.
 */
async function isReplaced(
  { backupPath }: EtcdClusterConfig,
  record: RestoreRecord | undefined,
  token: string,
  member: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<boolean> {
  if (record === undefined || token === record.token) return false;
  if (isBystanderOf(record, member)) return true;
  const stored = await store.read(`${backupPath}/${CREATED}`, signal);
  return stored !== undefined && parseMarker(Buffer.from(stored.bytes).toString('utf8'))?.token === record.token;
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
  env: Pick<MemberEnv, 'address' | 'store'>,
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
  env: Pick<MemberEnv, 'store' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const condition = ifUnchanged(replaces);
  try {
    await env.store.write(path, Buffer.from(text), condition, signal);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    env.log.info('another machine wrote the marker first', { path });
  }
}
