import { type Http, openHttp } from '@kopsctl/http/http.ts';
import type { ListedMember } from '../plan-cluster.ts';
import { alarmsIn, type EtcdAlarm } from './alarms.ts';
import { idIn, isSet, messageIn, messagesIn, numberIn, optionalIdIn, textIn, textsIn } from './answers.ts';
import { type ClientFiles, type Gateway, gatewayAt, readClientFiles } from './gateway.ts';

/** What a member says about itself and its cluster. */
export interface EtcdStatus {
  readonly clusterId: string;
  readonly memberId: string;
  /** Absent while the member knows no leader. */
  readonly leaderId?: string;
  readonly version: string;
  readonly dbSizeBytes: number;
  /** The size that the database would have after a defragmentation; etcd 3.4 and newer. */
  readonly dbInUseBytes?: number;
  readonly revision: number;
  readonly isLearner: boolean;
}

/**
 * A client of one etcd member. It uses etcd's JSON gateway, so no gRPC library has to stay in memory. Every method
 * throws when the member does not answer in time or refuses.
 */
export interface EtcdClient extends EtcdMembers, EtcdMaintenance, EtcdKeys {}

/** One that has connections of its own. */
export interface OpenEtcdClient extends EtcdClient {
  close(): void;
}

/** What one member knows of all members, and whether its version can raise revisions. */
export interface EtcdMembers {
  members(signal: AbortSignal): Promise<readonly ListedMember[]>;
  /** @throws UnhealthyClusterError if, as far as etcd can tell, the remaining members would have no quorum */
  removeMember(id: string, signal: AbortSignal): Promise<void>;
  /** A learner has no vote until it is promoted (etcd 3.4 and newer). @throws UnhealthyClusterError */
  addMember(peerUrl: string, options: { readonly isLearner: boolean }, signal: AbortSignal): Promise<void>;
  /** @throws NotInSyncError while the learner has not caught up with the leader */
  promoteMember(id: string, signal: AbortSignal): Promise<void>;
  /** Only the leader accepts this. */
  moveLeader(targetId: string, signal: AbortSignal): Promise<void>;
}

/** The state of a member and its database. */
export interface EtcdMaintenance {
  status(signal: AbortSignal): Promise<EtcdStatus>;
  alarms(signal: AbortSignal): Promise<readonly EtcdAlarm[]>;
  disarm(alarm: EtcdAlarm, signal: AbortSignal): Promise<void>;
  /** Discards all revisions before this one. Resolves once their space can be reused. */
  compact(revision: number, signal: AbortSignal): Promise<void>;
  /** Shrinks the database file of this member to its content. The member answers nothing else meanwhile. */
  defragment(signal: AbortSignal): Promise<void>;
  /** etcd's hash of its whole database. etcd reads every entry for it, so an unreadable entry is found. */
  hashKeys(signal: AbortSignal): Promise<number>;
  /** The member's metrics in Prometheus's text format. */
  metrics(signal: AbortSignal): Promise<string>;
}

/** The keys that the cluster holds. */
export interface EtcdKeys {
  /** The number of keys at the returned revision. */
  countKeys(signal: AbortSignal): Promise<{ readonly keys: number; readonly revision: number }>;
  /**
   * Deletes every key with the prefix that was last written at this revision or before; etcd compares that itself. Resolves
   * with the number of deleted keys.
   */
  deleteUnchangedBelow(prefix: string, revision: number, signal: AbortSignal): Promise<number>;
  /** The keys with the prefix that have a lease, from a linearizable read. */
  leasedKeysBelow(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** etcd refuses to promote a learner that lags behind. */
export class NotInSyncError extends Error {
  override readonly name = 'NotInSyncError';
}

/** etcd refuses a change of members, because not all of them have been connected to each other for five seconds. */
export class UnhealthyClusterError extends Error {
  override readonly name = 'UnhealthyClusterError';
}

/** etcd rewrites its whole database: a gigabyte takes about ten seconds on a slow cloud disk. */
const DEFRAGMENT_TIMEOUT_MS = 120_000;
/** etcd allows 128 operations in a transaction (--max-txn-ops). */
const MOST_OPERATIONS = 100;
/** A member that reads its whole database sends nothing until it is done. */
const SCAN_TIMEOUT_MS = 60_000;

/** A client of one member, whose requests another one sends. */
export function etcdAt(url: string, http: Pick<Http, 'ask'>): EtcdClient {
  const gateway = gatewayAt(url, http);
  return { ...membersThrough(gateway), ...maintenanceThrough(gateway), ...keysThrough(gateway) };
}

/**
 * Opens a client of one member. The files are read once, now. Without files its connection has no TLS, which only an etcd of
 * our own on this machine accepts.
 */
export async function openEtcd(url: string, files: ClientFiles | undefined): Promise<OpenEtcdClient> {
  const http = openHttp(files && { tls: await readClientFiles(files) });
  return { ...etcdAt(url, http), close: () => http.close() };
}

function membersThrough(gateway: Gateway): EtcdMembers {
  const change = async (path: string, body: object, signal: AbortSignal): Promise<void> => {
    try {
      await gateway.call(path, body, signal);
    } catch (error) {
      // etcd 3.3 and newer, etcdserver/errors.go: ErrUnhealthy; server.go: HealthInterval.
      if (error instanceof Error && error.message.includes('unhealthy cluster'))
        throw new UnhealthyClusterError(error.message, { cause: error });
      throw error;
    }
  };
  return {
    async members(signal) {
      const answer = await gateway.call('/cluster/member/list', {}, signal);
      return messagesIn(answer, 'members').map((member) => {
        const [peerUrl] = textsIn(member, 'peerURLs');
        if (peerUrl === undefined) throw new Error(`${member.about} without peerURLs`);
        return {
          id: idIn(member, 'ID'),
          name: textIn(member, 'name'),
          peerUrl,
          isLearner: isSet(member, 'isLearner'),
        };
      });
    },
    async removeMember(ID, signal) {
      await change('/cluster/member/remove', { ID }, signal);
    },
    async addMember(peerUrl, { isLearner }, signal) {
      await change('/cluster/member/add', { peerURLs: [peerUrl], ...(isLearner && { isLearner }) }, signal);
    },
    async promoteMember(ID, signal) {
      try {
        await gateway.call('/cluster/member/promote', { ID }, signal);
      } catch (error) {
        // etcd 3.4 server/etcdserver/errors.go: ErrLearnerNotReady.
        if (error instanceof Error && error.message.includes('in sync with leader'))
          throw new NotInSyncError(error.message, { cause: error });
        throw error;
      }
    },
    async moveLeader(targetID, signal) {
      await gateway.call('/maintenance/transfer-leadership', { targetID }, signal);
    },
  };
}

function maintenanceThrough(gateway: Gateway): EtcdMaintenance {
  return {
    async status(signal) {
      const answer = await gateway.call('/maintenance/status', {}, signal);
      const header = messageIn(answer, 'header');
      const leaderId = optionalIdIn(answer, 'leader');
      const dbInUseBytes = numberIn(answer, 'dbSizeInUse');
      return {
        clusterId: idIn(header, 'cluster_id'),
        memberId: idIn(header, 'member_id'),
        ...(leaderId !== undefined && { leaderId }),
        version: textIn(answer, 'version'),
        dbSizeBytes: numberIn(answer, 'dbSize'),
        // etcd 3.3 does not send it.
        ...(dbInUseBytes > 0 && { dbInUseBytes }),
        revision: numberIn(header, 'revision'),
        isLearner: isSet(answer, 'isLearner'),
      };
    },
    async alarms(signal) {
      const answer = await gateway.call('/maintenance/alarm', { action: 'GET' }, signal);
      return alarmsIn(answer);
    },
    async disarm({ memberId = '0', alarm }, signal) {
      await gateway.call('/maintenance/alarm', { action: 'DEACTIVATE', memberID: memberId, alarm }, signal);
    },
    async compact(revision, signal) {
      const body = { revision: String(revision), physical: true };
      try {
        await gateway.call('/kv/compaction', body, signal, DEFRAGMENT_TIMEOUT_MS);
      } catch (error) {
        // Somebody else, such as an API server, has compacted further in the meantime (api/v3rpc/rpctypes/error.go: ErrCompacted).
        if (!(error instanceof Error && error.message.includes('has been compacted'))) throw error;
      }
    },
    async defragment(signal) {
      await gateway.call('/maintenance/defragment', {}, signal, DEFRAGMENT_TIMEOUT_MS);
    },
    async hashKeys(signal) {
      return numberIn(await gateway.call('/maintenance/hash', {}, signal, SCAN_TIMEOUT_MS), 'hash');
    },
    metrics: (signal) => gateway.get('/metrics', signal),
  };
}

function keysThrough(gateway: Gateway): EtcdKeys {
  return {
    async countKeys(signal) {
      // etcdserverpb rpc.proto: a key and a range_end of one zero byte each mean all keys.
      const all = { key: base64('\0'), range_end: base64('\0'), count_only: true };
      const answer = await gateway.call('/kv/range', all, signal, SCAN_TIMEOUT_MS);
      return { keys: numberIn(answer, 'count'), revision: numberIn(messageIn(answer, 'header'), 'revision') };
    },
    async deleteUnchangedBelow(prefix, revision, signal) {
      const asked = { ...rangeBelow(prefix), max_mod_revision: String(revision), keys_only: true };
      const keys = messagesIn(await gateway.call('/kv/range', asked, signal), 'kvs');
      let deleted = 0;
      for (let from = 0; from < keys.length; from += MOST_OPERATIONS) {
        const some = keys.slice(from, from + MOST_OPERATIONS).map((found) => textIn(found, 'key'));
        if (await deleteIfUnchanged(gateway, some, revision, signal)) {
          deleted += some.length;
          continue;
        }
        // One of them was written meanwhile.
        for (const key of some) if (await deleteIfUnchanged(gateway, [key], revision, signal)) deleted += 1;
      }
      return deleted;
    },
    async leasedKeysBelow(prefix, signal) {
      const answer = await gateway.call('/kv/range', { ...rangeBelow(prefix), keys_only: true }, signal);
      const leased = messagesIn(answer, 'kvs').filter((key) => optionalIdIn(key, 'lease') !== undefined);
      return leased.map((key) => Buffer.from(textIn(key, 'key'), 'base64').toString('utf8'));
    },
  };
}

/** Deletes the keys (in base64) in one transaction, if none was written after the revision. Resolves with whether it did. */
async function deleteIfUnchanged(
  gateway: Gateway,
  keys: readonly string[],
  revision: number,
  signal: AbortSignal,
): Promise<boolean> {
  const after = String(revision + 1);
  const answer = await gateway.call(
    '/kv/txn',
    {
      compare: keys.map((key) => ({ key, target: 'MOD', result: 'LESS', mod_revision: after })),
      success: keys.map((key) => ({ request_delete_range: { key } })),
    },
    signal,
  );
  return isSet(answer, 'succeeded');
}

/** etcd's range of all keys with a prefix ends before the prefix with its last byte raised by one. */
function rangeBelow(prefix: string): { readonly key: string; readonly range_end: string } {
  const end = Buffer.from(prefix);
  end.writeUInt8(end.readUInt8(end.byteLength - 1) + 1, end.byteLength - 1);
  return { key: base64(prefix), range_end: end.toString('base64') };
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}
