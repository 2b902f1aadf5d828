import { lookup } from 'node:dns/promises';
import { access, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { askIfThere } from './etcd/ask-etcd.ts';
import type { EtcdStatus } from './etcd/client.ts';
import { memberHost } from './etcd/settings.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { handOver } from './hand-over.ts';
import { firstStartOn, keepFirstStart } from './first-start.ts';
import type { ListedMember } from './plan-cluster.ts';
import { readMember } from './read-member.ts';
import { databasePath, dataFolder, tokensWithLog } from './restore/data-folders.ts';
import { etcd2TokensOn } from './takeover/etcd2-data.ts';
import { clusterIdOf } from './takeover/log-position.ts';
import { moveToTrashcan } from './trashcan.ts';
import type { EtcdUnit, UnitRunner } from './units/unit-runner.ts';
import { dataVersion } from './versions/data-version.ts';

/**
 * Everything outside of the store that the loop of the own member looks at and changes: the volume, the etcd unit, the etcds of
 * the others, and the time. The simulation has one of its own.
 */
export interface OwnMachine {
  /** The monotonic clock. */
  nowMs(): number;
  /** What protokube wrote on the volume; undefined until it is mounted. */
  member(): Promise<MemberFile | undefined>;
  /** See `tokensWithLog`, `etcd2TokensOn`, `firstStartOn`, `clusterIdOf`, `dataVersion`. */
  tokensWithLog(): Promise<readonly string[]>;
  etcd2Tokens(tokens: readonly string[], started: string | undefined): Promise<readonly string[]>;
  firstStart(token: string): Promise<string | undefined>;
  clusterId(token: string): Promise<string | undefined>;
  dataVersion(token: string): Promise<string | undefined>;
  unit(): ReturnType<UnitRunner['observe']>;
  isNameKnown(member: string): Promise<boolean>;
  /** The local etcd; undefined if it does not answer. */
  askLocal(signal: AbortSignal): Promise<EtcdStatus | undefined>;
  /** The etcd of another member; undefined if it does not answer, or not within as many milliseconds. */
  ask(member: string, signal: AbortSignal, withinMs?: number): Promise<EtcdAnswer | undefined>;
  /** The id of the first start on this volume, which is made if there is none. */
  keepFirstStart(token: string): Promise<string>;
  /** Starts etcd, or restarts it, with an existing or empty data folder of this token. */
  start(token: string, unit: EtcdUnit): Promise<void>;
  /** Stops etcd and sets the data of this token aside. */
  setAside(token: string): Promise<void>;
  /** Why the volume takes no writes; undefined if it does. */
  diskFault(): Promise<string | undefined>;
}

export interface EtcdAnswer {
  readonly status: EtcdStatus;
  readonly members: readonly ListedMember[];
}

/** The machine on which this process runs. */
export function thisMachine(
  config: EtcdClusterConfig,
  env: { readonly address: string; readonly units: UnitRunner; readonly log: Log },
): OwnMachine {
  const { address, units } = env;
  const unit = `etcd-${config.name}`;
  return {
    nowMs: () => performance.now(),
    member: () => readMember(config.mountPoint),
    tokensWithLog: () => tokensWithLog(config),
    etcd2Tokens: (tokens, started) => etcd2TokensOn(config, tokens, started),
    firstStart: (token) => firstStartOn(config, token),
    clusterId: (token) => clusterIdOf(dataFolder(config, token)),
    dataVersion: (token) => dataVersion(databasePath(config, token)),
    unit: () => units.observe(unit),
    isNameKnown: (member) => resolves(memberHost(config, member)),
    askLocal: (signal) => askIfThere(address, config, (etcd) => etcd.status(signal), signal),
    ask(member, signal, withinMs) {
      const until = withinMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
      return askIfThere(
        memberHost(config, member),
        config,
        async (etcd) => ({ status: await etcd.status(until), members: await etcd.members(until) }),
        signal,
      );
    },
    keepFirstStart: (token) => keepFirstStart(config, token),
    async start(token, wanted) {
      const folder = dataFolder(config, token);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // etcd 3.4 and newer refuse any other mode, and something else may have created the folder.
      await chmod(folder, 0o700);
      if ((await units.observe(unit)).isRunning) await handOver(config, env);
      await units.start(wanted);
    },
    async setAside(token) {
      await units.stop(unit);
      await moveToTrashcan(config, [token]);
    },
    diskFault: () => tryDisk(config.mountPoint),
  };
}

/** A file system turns read-only when its disk fails. */
async function tryDisk(mountPoint: string): Promise<string | undefined> {
  try {
    await access(mountPoint);
    await writeFile(join(mountPoint, '.writable'), `${Date.now()}\n`, { mode: 0o600 });
    return undefined;
  } catch (error) {
    return `its disk takes no writes (${codeOf(error) ?? String(error)})`;
  }
}

async function resolves(name: string): Promise<boolean> {
  try {
    await lookup(name);
    return true;
  } catch {
    return false;
  }
}
