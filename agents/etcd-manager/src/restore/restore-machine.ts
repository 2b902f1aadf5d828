import { rm } from 'node:fs/promises';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord, StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { BackupEnv } from '../backup/take-backup.ts';
import { spareBytesOf } from '../backup/volume-room.ts';
import { readMember } from '../read-member.ts';
import { lookAtEtcd2 } from '../takeover/etcd2-data.ts';
import { moveToTrashcan } from '../trashcan.ts';
import type { UnitRunner } from '../units/unit-runner.ts';
import { dataFolder, hasDatabase, tokensOn } from './data-folders.ts';
import { fetchedRevision } from './fetched-revision.ts';
import { keepStoppedData } from './keep-stopped-data.ts';
import { restoreMember } from './restore-member.ts';
import { lookAtStoppedData } from './stopped-data.ts';

/** The tokens of the cluster that is being restored and of the one that the marker names. */
interface Tokens {
  readonly restored: string;
  readonly marker: string | undefined;
}

/** What a restore looks at and changes on its machine: the volume and the etcd unit. The simulation has one of its own. */
export interface RestoreMachine {
  /** What protokube wrote on the volume; undefined until it is mounted. */
  member(): Promise<MemberFile | undefined>;
  isRunning(): Promise<boolean>;
  /** Sends SIGTERM to etcd and resolves once it has exited. */
  stop(): Promise<void>;
  /** See `hasDatabase`, `tokensOn`, `spareBytesOf`, `lookAtStoppedData`, `lookAtEtcd2`. */
  hasDatabase(token: string): Promise<boolean>;
  tokens(): Promise<readonly string[]>;
  spareBytes(): Promise<number>;
  stoppedData(tokens: Tokens, nowMs: number): Promise<StoppedData | undefined>;
  etcd2Data(tokens: Tokens, member: string, nowMs: number, signal: AbortSignal): Promise<StoppedData | undefined>;
  /** See `fetchedRevision`. */
  fetchedRevision(backup: string, signal: AbortSignal): Promise<number>;
  /** Restores the backup beside the data that is there. Calls `onFetched` when the longer half is done. */
  restore(record: RestoreRecord, member: string, onFetched: () => void, signal: AbortSignal): Promise<void>;
  /** Backs up `data`, which etcd had when it stopped. Resolves with the name of the backup. */
  keep(record: RestoreRecord, data: StoppedData, member: string, signal: AbortSignal): Promise<string>;
  discard(token: string): Promise<void>;
  setAside(tokens: readonly string[]): Promise<void>;
}

/** The machine on which this process runs. */
export function thisRestoreMachine(
  config: EtcdClusterConfig,
  env: Pick<BackupEnv, 'cluster' | 'store' | 'log'> & { readonly units: UnitRunner },
): RestoreMachine {
  const unit = `etcd-${config.name}`;
  const { cluster, store } = env;
  return {
    member: () => readMember(config.mountPoint),
    isRunning: async () => (await env.units.observe(unit)).isRunning,
    stop: () => env.units.stop(unit),
    hasDatabase: (token) => hasDatabase(config, token),
    tokens: () => tokensOn(config),
    spareBytes: () => spareBytesOf(config.mountPoint),
    stoppedData: (tokens, nowMs) => lookAtStoppedData(config, tokens, nowMs),
    etcd2Data: (tokens, member, nowMs, signal) => lookAtEtcd2(config, tokens, member, nowMs, env, signal),
    fetchedRevision: (backup, signal) =>
      fetchedRevision(backup, config, { cluster, backupPath: config.backupPath, store }, signal),
    restore(record, member, onFetched, signal) {
      const { backup, revision } = record;
      if (backup === undefined || revision === undefined)
        throw new Error('the record lacks the backup or the revision');
      const fetching = { cluster, backupPath: config.backupPath, store, onFetched };
      return restoreMember(config, member, { ...record, backup, revision }, fetching, signal);
    },
    keep: (record, data, member, signal) => keepStoppedData(record, data, config, { member }, env, signal),
    discard: (token) => rm(dataFolder(config, token), { recursive: true, force: true }),
    setAside: (tokens) => moveToTrashcan(config, tokens),
  };
}
