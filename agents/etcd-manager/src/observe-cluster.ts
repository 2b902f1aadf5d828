import { basename, dirname } from 'node:path';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import { readRestore, tokenInForce } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { peerUrl } from './etcd/settings.ts';
import { readStarted } from './first-start.ts';
import type { OwnMachine } from './own-machine.ts';
import { countingTokens, type MarkerFault, type ObservedCluster } from './plan-cluster.ts';
import { CREATED, parseMarker, STARTED, startedFolder, type FirstStart, type Marker } from './store/layout.ts';

export interface ObserveEnv {
  readonly store: StateStore;
  readonly machine: OwnMachine;
}

/** What earlier looks found, so that the store and the other members are not asked every time. */
export interface Remembered {
  marker?: Marker;
  /** When the marker was last read, and what was wrong with it then. */
  markerMs?: number;
  markerFault?: MarkerFault | undefined;
  /** The members that have ever started in this cluster; complete once this member is among them. */
  served?: ReadonlySet<string>;
  /** What the store says about this member's first start, once it says something. */
  started?: FirstStart | 'served' | 'none';
  /** Since when the local etcd has not been healthy, by the monotonic clock. */
  unwellSinceMs?: number;
  /** When the others were last asked, and whether they had a leader while this member was not healthy. */
  othersAskedMs?: number;
  othersLead?: boolean;
}

/** A member that has not been healthy for this long may have been removed from the cluster: the others know. */
const UNWELL_MS = 15_000;
/** While etcd serves, only a new machine without data needs the marker. */
const MARKER_MS = 30_000;
/** A member without data asks the others at every look, because they say when it may start. For all others this is enough. */
const ASK_OTHERS_MS = 5_000;
/**
 * How long a first member that has never started waits for an answer. An etcd answers its clients only once there is a leader,
 * and there is none until most of the first members have started: a member that waits longer keeps the members that it waits
 * for from answering.
 */
const FORMING_ANSWER_MS = 1_000;

/**
 * Reads everything that `planCluster` needs.
 *
 * @param wantedIdentity the identity of the unit as it should run
 * @param remembered kept between calls and updated by this one
 */
export async function observeCluster(
  config: EtcdClusterConfig,
  wantedIdentity: (volume: MemberFile, token: string) => string,
  remembered: Remembered,
  env: ObserveEnv,
  signal: AbortSignal,
): Promise<ObservedCluster> {
  const { machine } = env;
  const volume = await machine.member();
  if (volume === undefined) return NOTHING;
  const tokensOnDisk = await machine.tokensWithLog();
  // A volume that has gone meanwhile leaves an empty folder behind, which is not a member without data.
  if (tokensOnDisk.length === 0 && (await machine.member())?.member !== volume.member) return NOTHING;
  await lookAtMarker(config, remembered, env, signal);
  const { marker, markerFault } = remembered;
  const fault = markerFault && { markerFault };
  if (marker === undefined) {
    const known = await lookWithoutMarker(config, volume, tokensOnDisk, env.store, signal);
    return { ...NOTHING, volume, tokensOnDisk, ...known, ...fault };
  }
  const token = marker.token ?? onlyOne(tokensOnDisk);
  if (token === undefined) {
    const others = tokensOnDisk.length === 0 ? await askOthers(config, volume, machine, signal) : undefined;
    return { ...NOTHING, volume, marker, tokensOnDisk, ...fault, ...(others && { others }) };
  }
  const member = { config, volume, marker, tokensOnDisk, token };
  return { ...(await lookAtMember(member, wantedIdentity(volume, token), remembered, env, signal)), ...fault };
}

/** What is seen of a member whose volume is not mounted. */
const NOTHING = {
  tokensOnDisk: [],
  etcd2Tokens: [],
  hasServed: false,
  hasBegun: false,
  ownNameIsKnown: false,
  unit: 'absent',
} as const satisfies ObservedCluster;

/** What the store says about a cluster that has no marker, or has lost it. */
async function lookWithoutMarker(
  config: EtcdClusterConfig,
  volume: MemberFile,
  tokensOnDisk: readonly string[],
  store: StateStore,
  signal: AbortSignal,
): Promise<Pick<ObservedCluster, 'hasHistory' | 'restored' | 'founders'>> {
  const restored = await lookAtRestores(config, tokensOnDisk, store, signal);
  const counting = countingTokens({ tokensOnDisk, ...restored });
  const hasHistory = counting.length === 0 && (await hasServedBefore(config.backupPath, store, signal));
  const founders = await foundersOf(config, volume, counting, store, signal);
  return { hasHistory, ...restored, ...founders };
}

/** A member of a cluster that is known, on the machine that it belongs to. */
interface OwnMember {
  readonly config: EtcdClusterConfig;
  readonly volume: MemberFile;
  readonly marker: Marker;
  readonly tokensOnDisk: readonly string[];
  readonly token: string;
}

/**
 * Looks at the member's volume, unit and etcd, and asks the others where that matters.
 *
 * @param identity that of the unit as it should run
 */
async function lookAtMember(
  own: OwnMember,
  identity: string,
  remembered: Remembered,
  env: ObserveEnv,
  signal: AbortSignal,
): Promise<ObservedCluster> {
  const { config, volume, marker, tokensOnDisk, token } = own;
  const { machine } = env;
  const { served, started } = await lookAtStarts(own, remembered, env.store, signal);
  // The volume is read at every look: another one may have been attached.
  const hasBegun = typeof started === 'object' && started.id === (await machine.firstStart(token));
  const isRecorded = started !== undefined && !hasBegun;
  const etcd2Tokens = await machine.etcd2Tokens(tokensOnDisk, started === undefined ? undefined : token);
  const process = await machine.unit();
  const unit = unitState(process, identity);
  const local = process.isRunning ? await askLocal(machine, unit, token, signal) : undefined;
  const others = await askOthersIfNeeded(
    { ...own, unit, etcd: local, isForming: served.size === 0, isRecorded },
    remembered,
    machine,
    signal,
  );
  // If no first members are recorded, a member that the others list by its name has served before.
  const isNamed =
    others?.members.some((one) => one.name !== '' && one.peerUrl === peerUrl(config, volume.member)) === true;
  return {
    volume,
    marker,
    tokensOnDisk,
    etcd2Tokens,
    hasServed: isRecorded || (marker.members.length === 0 && isNamed),
    hasBegun,
    // Resolved only when it matters, because a lookup occupies a thread of Node's pool.
    ownNameIsKnown: unit === 'running' || (await machine.isNameKnown(volume.member)),
    unit,
    ...(local && { etcd: local }),
    ...(others && { others }),
  };
}

/** Which members have served, read until this one is among them, and what is recorded of its first start then. */
async function lookAtStarts(
  { config, volume: { member }, token }: OwnMember,
  remembered: Remembered,
  store: StateStore,
  signal: AbortSignal,
): Promise<{ readonly served: ReadonlySet<string>; readonly started: Remembered['started'] }> {
  if (remembered.served?.has(member) !== true) remembered.served = await readServed(config, token, store, signal);
  if (remembered.served.has(member)) remembered.started ??= await readStarted(config, token, member, store, signal);
  return { served: remembered.served, started: remembered.started };
}

/**
 * Whether the store knows of a member that has started, or of a volume with data. The members of a cluster that kops formed
 * have no record of a first start until their managers have written one, but each says at once what its volume holds.
 */
export async function hasServedBefore(backupPath: string, store: StateStore, signal?: AbortSignal): Promise<boolean> {
  if ((await store.list(`${backupPath}/${STARTED}`, signal)).length > 0) return true;
  return (await readStatuses(store, backupPath, signal)).some(({ hasData }) => hasData === true);
}

/**
 * Which clusters do not count because of restores. The volume may hold the data of several, while a restore is under way and
 * until it has set the old data aside, or because its machine was away during a restore.
 */
async function lookAtRestores(
  { backupPath }: EtcdClusterConfig,
  tokensOnDisk: readonly string[],
  store: StateStore,
  signal: AbortSignal,
): Promise<Pick<ObservedCluster, 'restored'>> {
  if (tokensOnDisk.length === 0) return {};
  const record = (await readRestore(store, backupPath, signal))?.record;
  if (record === undefined) return {};
  const inForce = await startedToken(tokenInForce(record), backupPath, store, signal);
  return { restored: { ...(inForce !== undefined && { inForce }), prepared: record.token } };
}

/** A person who starts from nothing removes the records of members; then no earlier restore counts. */
async function startedToken(
  token: string | undefined,
  backupPath: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (token === undefined) return undefined;
  return (await store.list(`${backupPath}/${startedFolder(token)}`, signal)).length > 0 ? token : undefined;
}

/** The first members of the only cluster on the volume, if this member was one of them. */
async function foundersOf(
  config: EtcdClusterConfig,
  { member }: MemberFile,
  tokens: readonly string[],
  store: StateStore,
  signal: AbortSignal,
): Promise<Pick<ObservedCluster, 'founders'>> {
  const token = onlyOne(tokens);
  const started = token === undefined ? 'none' : await readStarted(config, token, member, store, signal);
  return typeof started === 'object' ? { founders: started.founders } : {};
}

function onlyOne(tokens: readonly string[]): string | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

interface OwnState extends OwnMember {
  /** No member has served this cluster yet. */
  readonly isForming: boolean;
  /** This member has started before, on another volume. */
  readonly isRecorded: boolean;
  readonly unit: ObservedCluster['unit'];
  readonly etcd: ObservedCluster['etcd'];
}

/** Asks the others on behalf of a member without data (unless the cluster is just forming) or one that is not healthy. */
async function askOthersIfNeeded(
  own: OwnState,
  remembered: Remembered,
  machine: OwnMachine,
  signal: AbortSignal,
): Promise<ObservedCluster['others']> {
  const nowMs = machine.nowMs();
  if (own.etcd?.hasLeader === true) {
    delete remembered.unwellSinceMs;
    delete remembered.othersLead;
  } else remembered.unwellSinceMs ??= nowMs;
  const isUnwell = nowMs - (remembered.unwellSinceMs ?? nowMs) > UNWELL_MS;
  const hasData = own.tokensOnDisk.includes(own.token);
  const isFirst = own.marker.members.includes(own.volume.member);
  const isJoining = !hasData && own.unit !== 'running' && !(isFirst && own.isForming);
  const isDue = isJoining || nowMs - (remembered.othersAskedMs ?? Number.NEGATIVE_INFINITY) > ASK_OTHERS_MS;
  if (!(isJoining || isUnwell) || !isDue) return undefined;
  remembered.othersAskedMs = nowMs;
  // Members of the cluster that a restore has replaced may still answer, and say nothing about this one.
  const clusterId = hasData ? await machine.clusterId(own.token) : undefined;
  const isAwaited = isJoining && isFirst && !own.isRecorded;
  const others = await askOthers(own.config, own.volume, machine, signal, {
    ...(clusterId !== undefined && { clusterId }),
    ...(isAwaited && { withinMs: FORMING_ANSWER_MS }),
  });
  remembered.othersLead = others?.hasLeader === true;
  return others;
}

function unitState(
  { identity, isRunning }: { readonly identity?: string; readonly isRunning: boolean },
  wanted: string,
): ObservedCluster['unit'] {
  if (identity === undefined) return 'absent';
  if (identity !== wanted) return 'outdated';
  return isRunning ? 'running' : 'stopped';
}

/** Reads the marker from time to time. A valid marker is remembered, so that it can be written again if it is lost. */
async function lookAtMarker(
  config: EtcdClusterConfig,
  remembered: Remembered,
  { store, machine }: ObserveEnv,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = machine.nowMs();
  if (remembered.marker !== undefined && nowMs - (remembered.markerMs ?? 0) < MARKER_MS) return;
  const stored = await store.read(`${config.backupPath}/${CREATED}`, signal);
  const marker = stored && parseMarker(Buffer.from(stored.bytes).toString('utf8'));
  const isNew = marker?.token !== undefined && marker.token !== remembered.marker?.token;
  const isStale = isNew && (await isOfAnother(config, marker.token, store, signal));
  remembered.markerMs = nowMs;
  remembered.markerFault = isStale ? { tornVersion: stored?.version, isStale } : faultOf(marker, stored?.version);
  if (marker !== undefined && !isStale && remembered.marker?.token === undefined) remembered.marker = marker;
}

function faultOf(marker: Marker | undefined, version: string | undefined): MarkerFault | undefined {
  if (version === undefined) return {};
  if (marker === undefined) return { tornVersion: version };
  return marker.token === undefined ? { tornVersion: version, isOfKops: true } : undefined;
}

/**
 * Whether members have started in clusters, but not in the one with this token. Then a manager that was paused in between
 * decided on its marker before they started, and wrote it after theirs was lost.
 */
async function isOfAnother(
  config: EtcdClusterConfig,
  token: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<boolean> {
  const entries = await store.list(`${config.backupPath}/${STARTED}`, signal);
  const tokens = new Set(entries.map(({ path }) => basename(dirname(path))));
  return tokens.size > 0 && !tokens.has(token);
}

async function readServed(
  config: EtcdClusterConfig,
  token: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const entries = await store.list(`${config.backupPath}/${startedFolder(token)}`, signal);
  return new Set(entries.map(({ path }) => basename(path, '.json')));
}

/**
 * What the local etcd answers. An etcd with other settings or of another version serves the cluster as well as any, and its
 * machine may lead: while a restore changes the version, there is no other. An etcd of a cluster that a restore has replaced
 * says nothing about this cluster.
 */
async function askLocal(
  machine: OwnMachine,
  unit: ObservedCluster['unit'],
  token: string,
  signal: AbortSignal,
): Promise<ObservedCluster['etcd']> {
  const status = await machine.askLocal(signal);
  if (status === undefined) return undefined;
  if (unit !== 'running' && status.clusterId !== (await machine.clusterId(token))) return undefined;
  return { hasLeader: status.leaderId !== undefined };
}

/**
 * How many of the other members are healthy, and the member list of their leader.
 *
 * @param how which cluster they have to belong to, and how long to wait for an answer
 */
async function askOthers(
  config: EtcdClusterConfig,
  volume: MemberFile,
  machine: OwnMachine,
  signal: AbortSignal,
  { clusterId, withinMs }: { readonly clusterId?: string; readonly withinMs?: number } = {},
): Promise<ObservedCluster['others']> {
  const members = [...new Set([...volume.members, ...config.members])].filter((member) => member !== volume.member);
  const answers = await Promise.all(members.map((member) => machine.ask(member, signal, withinMs)));
  const ofCluster = answers.filter((answer) => clusterId === undefined || answer?.status.clusterId === clusterId);
  const healthy = ofCluster.filter((answer) => answer?.status.leaderId !== undefined);
  // Only the leader's list counts: a follower that lags behind may not know yet that this member was added.
  const leading = healthy.find((answer) => answer?.status.memberId === answer?.status.leaderId);
  return { healthy: healthy.length, hasLeader: leading !== undefined, members: leading?.members ?? [] };
}
