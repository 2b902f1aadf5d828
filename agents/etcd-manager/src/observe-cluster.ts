import { lookup } from 'node:dns/promises';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { clientFiles } from './etcd/certificates.ts';
import { openEtcd, type EtcdClient } from './etcd/client.ts';
import { memberHost, volumeLayout } from './etcd/settings.ts';
import type { ObservedCluster } from './plan-cluster.ts';
import { CREATED, parseMarker, startedPath, type Marker } from './store/layout.ts';
import type { UnitRunner } from './units/unit-runner.ts';

export interface ObserveEnv {
  readonly address: string;
  readonly store: StateStore;
  readonly units: UnitRunner;
}

/** What never changes once it is true, so that the store is not asked for it again and again. */
export interface Remembered {
  marker?: Marker;
  hasServed?: boolean;
}

/** What protokube says about the volume; undefined until it is mounted. */
export async function readMember(mountPoint: string): Promise<MemberFile | undefined> {
  try {
    // protokube writes it in one piece; a half file cannot be seen.
    const file: MemberFile = JSON.parse(await readFile(join(mountPoint, '.member'), 'utf8'));
    return file;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
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
  const nothing = { tokensOnDisk: [], hasServed: false, ownNameIsKnown: false, unit: 'absent' } as const;
  const volume = await readMember(config.mountPoint);
  if (volume === undefined) return nothing;
  const tokensOnDisk = await readTokens(volumeLayout(config.mountPoint).data);
  const marker = remembered.marker ?? (await readMarker(config, env.store, signal));
  if (marker === undefined) return { ...nothing, volume, tokensOnDisk };
  remembered.marker = marker;
  const token = marker.token ?? (tokensOnDisk.length === 1 ? tokensOnDisk[0] : undefined);
  if (token === undefined) return { ...nothing, volume, marker, tokensOnDisk };
  remembered.hasServed ||= await exists(env.store, `${config.backupPath}/${startedPath(token, volume.member)}`, signal);
  const hasServed = remembered.hasServed ?? false;
  const unit = unitState(await env.units.observe(`etcd-${config.name}`), wantedIdentity(volume, token));
  const local = unit === 'running' ? await askLocal(config, env.address, signal) : undefined;
  const isLost = unit !== 'running' && hasServed && !tokensOnDisk.includes(token);
  const others = isLost ? await askOthers(config, volume, signal) : undefined;
  return {
    volume,
    marker,
    tokensOnDisk,
    hasServed,
    // Asked only when it matters: resolving costs a thread of Node's pool.
    ownNameIsKnown: unit === 'running' || (await resolves(memberHost(config, volume.member))),
    unit,
    ...(local && { etcd: local }),
    ...(others && { others }),
  };
}

function unitState(
  { identity, isRunning }: { readonly identity?: string; readonly isRunning: boolean },
  wanted: string,
): ObservedCluster['unit'] {
  if (identity === undefined) return 'absent';
  if (identity !== wanted) return 'outdated';
  return isRunning ? 'running' : 'stopped';
}

/** The tokens whose data has a write-ahead log: a folder without one is a first start that did not come that far. */
async function readTokens(data: string): Promise<readonly string[]> {
  const tokens = (await entries(data)).sort();
  const logs = await Promise.all(tokens.map((token) => entries(join(data, token, 'member', 'wal'))));
  return tokens.filter((_, index) => logs[index]?.some((name) => name.endsWith('.wal')));
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

async function readMarker(
  config: EtcdClusterConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<Marker | undefined> {
  const stored = await store.read(`${config.backupPath}/${CREATED}`, signal);
  return stored && parseMarker(Buffer.from(stored.bytes).toString('utf8'));
}

async function exists(store: StateStore, path: string, signal: AbortSignal): Promise<boolean> {
  return (await store.read(path, signal)) !== undefined;
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
  const url = `https://${address}:${config.clientPort}`;
  const status = await ask(url, config, (etcd) => etcd.status(signal), signal);
  return status && { hasLeader: status.leaderId !== undefined };
}

/** How many of the other members are well, and the member list of the first that is. */
async function askOthers(
  config: EtcdClusterConfig,
  volume: MemberFile,
  signal: AbortSignal,
): Promise<ObservedCluster['others']> {
  const answers = await Promise.all(
    volume.members
      .filter((member) => member !== volume.member)
      .map((member) =>
        ask(
          otherUrl(config, member),
          config,
          async (etcd) => ({ status: await etcd.status(signal), members: await etcd.members(signal) }),
          signal,
        ),
      ),
  );
  const healthy = answers.filter((answer) => answer?.status.leaderId !== undefined);
  return { healthy: healthy.length, hasLeader: healthy.length > 0, members: healthy[0]?.members ?? [] };
}

/** Where another member's etcd is asked. */
export function otherUrl(config: EtcdClusterConfig, member: string): string {
  return `https://${memberHost(config, member)}:${config.clientPort}`;
}

/** Undefined when it does not answer: an etcd that is away is an observation, not an error. */
async function ask<T>(
  url: string,
  config: EtcdClusterConfig,
  question: (etcd: EtcdClient) => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let etcd;
  try {
    etcd = await openEtcd(url, config.etcdVersion, clientFiles(config.mountPoint));
    return await question(etcd);
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    etcd?.close();
  }
}
