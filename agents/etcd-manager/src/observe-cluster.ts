import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { askIfThere } from './etcd/ask-etcd.ts';
import { memberHost } from './etcd/settings.ts';
import type { MarkerFault, ObservedCluster } from './plan-cluster.ts';
import { tokensWithLog } from './restore/data-folders.ts';
import { CREATED, parseMarker, STARTED, startedFolder, type Marker } from './store/layout.ts';
import { etcd2TokensOn } from './takeover/etcd2-data.ts';
import type { UnitRunner } from './units/unit-runner.ts';

export interface ObserveEnv {
  readonly address: string;
  readonly store: StateStore;
  readonly units: UnitRunner;
}

/** What an earlier look found, so that the store and the others are not asked again and again. */
export interface Remembered {
  marker?: Marker;
  /** When it was read last, and what was wrong with it then. */
  markerMs?: number;
  markerFault?: MarkerFault | undefined;
  /** The members that have served this cluster at some time; complete once this one is among them. */
  served?: ReadonlySet<string>;
  /** Since when the etcd here has not been well, by the monotonic clock. */
  unwellSinceMs?: number;
  /** When the others were asked last, and whether they had a leader while this one was not well. */
  othersAskedMs?: number;
  othersLead?: boolean;
}

/** An etcd that is not well for this long may have been taken out of the cluster: the others know. */
const UNWELL_MS = 15_000;
/** While etcd serves nobody needs the marker, until a machine without data does. */
const MARKER_MS = 30_000;
/** Without data the others say when to start, so they are asked at every look; else it is not urgent. */
const ASK_OTHERS_MS = 5_000;

/** What protokube says about the volume; undefined until it is mounted. */
export async function readMember(mountPoint: string): Promise<MemberFile | undefined> {
  const path = join(mountPoint, '.member');
  try {
    const { member, members, volumeId }: Readonly<Record<string, unknown>> = JSON.parse(await readFile(path, 'utf8'));
    // protokube writes it in one piece, but a disk that lost a block has a half of it.
    if (typeof member !== 'string' || !Array.isArray(members)) throw new Error('it names no member');
    return { member, members: members.map(String), volumeId: String(volumeId) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ActionableError({
      what: `read which member ${mountPoint} holds`,
      why: `${path}: ${messageOf(error)}`,
      next: `remove ${path}; protokube writes it again when it starts: systemctl restart protokube`,
      cause: error,
    });
  }
}

/** Reads everything that `planCluster` decides on. `wantedIdentity` is that of the unit as it should run. */
export async function observeCluster(
  config: EtcdClusterConfig,
  wantedIdentity: (volume: MemberFile, token: string) => string,
  remembered: Remembered,
  env: ObserveEnv,
  signal: AbortSignal,
): Promise<ObservedCluster> {
  const nothing = {
    tokensOnDisk: [],
    etcd2Tokens: [],
    hasServed: false,
    ownNameIsKnown: false,
    unit: 'absent',
  } as const;
  const volume = await readMember(config.mountPoint);
  if (volume === undefined) return nothing;
  const tokensOnDisk = await tokensWithLog(config);
  await lookAtMarker(config, remembered, env.store, signal);
  const { marker, markerFault } = remembered;
  const fault = markerFault && { markerFault };
  if (marker === undefined) {
    const hasHistory =
      tokensOnDisk.length === 0 && (await env.store.list(`${config.backupPath}/${STARTED}`, signal)).length > 0;
    return { ...nothing, volume, tokensOnDisk, hasHistory, ...fault };
  }
  const token = marker.token ?? (tokensOnDisk.length === 1 ? tokensOnDisk[0] : undefined);
  if (token === undefined) return { ...nothing, volume, marker, tokensOnDisk };
  if (remembered.served?.has(volume.member) !== true) {
    remembered.served = await readServed(config, token, env.store, signal);
  }
  const hasServed = remembered.served.has(volume.member);
  const etcd2Tokens = await etcd2TokensOn(config, tokensOnDisk, hasServed ? token : undefined);
  const unit = unitState(await env.units.observe(`etcd-${config.name}`), wantedIdentity(volume, token));
  const local = unit === 'running' ? await askLocal(config, env.address, signal) : undefined;
  const others = await askOthersIfNeeded(
    { config, volume, marker, unit, local, tokensOnDisk, token, isForming: remembered.served.size === 0 },
    remembered,
    signal,
  );
  return {
    volume,
    marker,
    tokensOnDisk,
    etcd2Tokens,
    hasServed,
    // Asked only when it matters: resolving costs a thread of Node's pool.
    ownNameIsKnown: unit === 'running' || (await resolves(memberHost(config, volume.member))),
    unit,
    ...fault,
    ...(local && { etcd: local }),
    ...(others && { others }),
  };
}

interface OwnState {
  readonly config: EtcdClusterConfig;
  readonly volume: MemberFile;
  readonly marker: Marker;
  /** No member has served yet. */
  readonly isForming: boolean;
  readonly unit: ObservedCluster['unit'];
  readonly local: ObservedCluster['etcd'];
  readonly tokensOnDisk: readonly string[];
  readonly token: string;
}

/** The others matter to a member without data, unless the cluster is just being formed, and to one that is not well. */
async function askOthersIfNeeded(
  own: OwnState,
  remembered: Remembered,
  signal: AbortSignal,
): Promise<ObservedCluster['others']> {
  const nowMs = performance.now();
  if (own.local?.hasLeader === true) {
    delete remembered.unwellSinceMs;
    delete remembered.othersLead;
  } else remembered.unwellSinceMs ??= nowMs;
  const isUnwell = nowMs - (remembered.unwellSinceMs ?? nowMs) > UNWELL_MS;
  const hasData = own.tokensOnDisk.includes(own.token);
  const isFirst = own.marker.members.length === 0 || own.marker.members.includes(own.volume.member);
  const isJoining = !hasData && own.unit !== 'running' && !(isFirst && own.isForming);
  const isDue = isJoining || nowMs - (remembered.othersAskedMs ?? Number.NEGATIVE_INFINITY) > ASK_OTHERS_MS;
  if (!(isJoining || isUnwell) || !isDue) return undefined;
  remembered.othersAskedMs = nowMs;
  const others = await askOthers(own.config, own.volume, signal);
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

/** Reads the marker, again and again: one that was good is remembered, and written again where it is lost. */
async function lookAtMarker(
  config: EtcdClusterConfig,
  remembered: Remembered,
  store: StateStore,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = performance.now();
  if (remembered.marker !== undefined && nowMs - (remembered.markerMs ?? 0) < MARKER_MS) return;
  const stored = await store.read(`${config.backupPath}/${CREATED}`, signal);
  const marker = stored && parseMarker(Buffer.from(stored.bytes).toString('utf8'));
  remembered.markerMs = nowMs;
  remembered.markerFault =
    stored === undefined ? {} : marker === undefined ? { tornVersion: stored.version } : undefined;
  if (marker !== undefined) remembered.marker ??= marker;
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

async function resolves(name: string): Promise<boolean> {
  try {
    await lookup(name);
    return true;
  } catch {
    return false;
  }
}

async function askLocal(
  config: EtcdClusterConfig,
  address: string,
  signal: AbortSignal,
): Promise<ObservedCluster['etcd']> {
  const status = await askIfThere(address, config, (etcd) => etcd.status(signal), signal);
  return status && { hasLeader: status.leaderId !== undefined };
}

/** How many of the other members are well, and the member list of the one that leads them. */
async function askOthers(
  config: EtcdClusterConfig,
  volume: MemberFile,
  signal: AbortSignal,
): Promise<ObservedCluster['others']> {
  const answers = await Promise.all(
    [...new Set([...volume.members, ...config.members])]
      .filter((member) => member !== volume.member)
      .map((member) =>
        askIfThere(
          memberHost(config, member),
          config,
          async (etcd) => ({ status: await etcd.status(signal), members: await etcd.members(signal) }),
          signal,
        ),
      ),
  );
  const healthy = answers.filter((answer) => answer?.status.leaderId !== undefined);
  // The leader's own list alone: a follower that lags behind may not know yet that this member was added.
  const leading = healthy.find((answer) => answer?.status.memberId === answer?.status.leaderId);
  return { healthy: healthy.length, hasLeader: leading !== undefined, members: leading?.members ?? [] };
}
