import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import type { ListedMember } from '../plan-cluster.ts';

export interface EtcdStatus {
  readonly clusterId: string;
  readonly memberId: string;
  /** Absent while there is none. */
  readonly leaderId?: string;
  readonly version: string;
  readonly dbSizeBytes: number;
  /** What a defragmented database would take; etcd 3.4 and newer. */
  readonly dbInUseBytes?: number;
  readonly revision: number;
  readonly isLearner: boolean;
}

/** Why a member has stopped taking writes. */
export interface EtcdAlarm {
  readonly memberId: string;
  readonly alarm: 'NOSPACE' | 'CORRUPT';
}

/**
 * What etcd-manager asks of an etcd. It speaks through etcd's own JSON gateway, which needs no gRPC library in memory.
 */
export interface EtcdClient {
  status(signal: AbortSignal): Promise<EtcdStatus>;
  members(signal: AbortSignal): Promise<readonly ListedMember[]>;
  removeMember(id: string, signal: AbortSignal): Promise<void>;
  /** A learner has no vote until it is promoted (etcd 3.4 and newer). */
  addMember(peerUrl: string, options: { readonly isLearner: boolean }, signal: AbortSignal): Promise<void>;
  /** @throws NotInSyncError while it has not caught up with the leader. */
  promoteMember(id: string, signal: AbortSignal): Promise<void>;
  /** Asked of the leader alone. */
  moveLeader(targetId: string, signal: AbortSignal): Promise<void>;
  alarms(signal: AbortSignal): Promise<readonly EtcdAlarm[]>;
  disarm(alarm: EtcdAlarm, signal: AbortSignal): Promise<void>;
  /** Forgets all revisions before this one. Resolves once their space may be used again. */
  compact(revision: number, signal: AbortSignal): Promise<void>;
  /** Makes the database file of this member as small as its content. It answers nothing else meanwhile. */
  defragment(signal: AbortSignal): Promise<void>;
  /** What etcd tells Prometheus. */
  metrics(signal: AbortSignal): Promise<string>;
  close(): void;
}

/** etcd refuses to give a vote to a member that would hold the others up. */
export class NotInSyncError extends Error {
  override readonly name = 'NotInSyncError';
}

export interface ClientFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** An etcd on the same machine or network answers at once or is not well. */
const ANSWER_TIMEOUT_MS = 5_000;
/** etcd writes its whole database anew: a gigabyte takes about ten seconds on a slow cloud disk. */
const DEFRAGMENT_TIMEOUT_MS = 120_000;

/** Opens a client of one member. Certificates are read now; a client is opened anew for each look. */
export async function openEtcd(url: string, etcdVersion: string, files: ClientFiles): Promise<EtcdClient> {
  const [ca, cert, key] = await Promise.all([readFile(files.ca), readFile(files.cert), readFile(files.key)]);
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  // etcd 3.3 serves its gateway as v3beta; from 3.4 on it is v3.
  const root = etcdVersion.startsWith('3.3.') ? '/v3beta' : '/v3';
  const ask = (path: string, body: object, signal: AbortSignal, timeoutMs = ANSWER_TIMEOUT_MS) =>
    post(new URL(`${root}${path}`, url), agent, { body, timeoutMs }, signal);
  return {
    async status(signal) {
      const answer = await ask('/maintenance/status', {}, signal);
      const leaderId = text(answer['leader']);
      const inUse = text(answer['dbSizeInUse']);
      const header = record(answer['header']);
      return {
        clusterId: text(header['cluster_id']),
        memberId: text(header['member_id']),
        ...(leaderId !== '' && leaderId !== '0' && { leaderId }),
        version: text(answer['version']),
        dbSizeBytes: Number(text(answer['dbSize'])),
        ...(inUse !== '' && { dbInUseBytes: Number(inUse) }),
        revision: Number(text(header['revision'])),
        isLearner: answer['isLearner'] === true,
      };
    },
    async members(signal) {
      const { members } = await ask('/cluster/member/list', {}, signal);
      return (Array.isArray(members) ? members : []).map(record).map((member) => ({
        id: text(member['ID']),
        name: text(member['name']),
        peerUrl: text(Array.isArray(member['peerURLs']) ? member['peerURLs'][0] : undefined),
        isLearner: member['isLearner'] === true,
      }));
    },
    async removeMember(ID, signal) {
      await ask('/cluster/member/remove', { ID }, signal);
    },
    async addMember(peerUrl, { isLearner }, signal) {
      await ask('/cluster/member/add', { peerURLs: [peerUrl], ...(isLearner && { isLearner }) }, signal);
    },
    async promoteMember(ID, signal) {
      try {
        await ask('/cluster/member/promote', { ID }, signal);
      } catch (error) {
        // etcd 3.4 server/etcdserver/errors.go: ErrLearnerNotReady.
        if (error instanceof Error && error.message.includes('in sync with leader'))
          throw new NotInSyncError(error.message, { cause: error });
        throw error;
      }
    },
    async moveLeader(targetID, signal) {
      await ask('/maintenance/transfer-leadership', { targetID }, signal);
    },
    async alarms(signal) {
      const { alarms } = await ask('/maintenance/alarm', { action: 'GET' }, signal);
      return (Array.isArray(alarms) ? alarms : []).map(record).flatMap(({ memberID, alarm }) => {
        const isKnown = alarm === 'NOSPACE' || alarm === 'CORRUPT';
        return isKnown ? [{ memberId: text(memberID), alarm }] : [];
      });
    },
    async disarm({ memberId, alarm }, signal) {
      await ask('/maintenance/alarm', { action: 'DEACTIVATE', memberID: memberId, alarm }, signal);
    },
    async compact(revision, signal) {
      await ask('/kv/compaction', { revision: String(revision), physical: true }, signal, DEFRAGMENT_TIMEOUT_MS);
    },
    async defragment(signal) {
      await ask('/maintenance/defragment', {}, signal, DEFRAGMENT_TIMEOUT_MS);
    },
    metrics: (signal) =>
      exchange(new URL('/metrics', url), agent, { method: 'GET', timeoutMs: ANSWER_TIMEOUT_MS }, signal),
    close: () => agent.destroy(),
  };
}

async function post(
  url: URL,
  agent: Agent,
  { body, timeoutMs }: { readonly body: object; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const asked = { method: 'POST', timeoutMs, body: JSON.stringify(body) };
  return record(JSON.parse(await exchange(url, agent, asked, signal)));
}

function exchange(
  url: URL,
  agent: Agent,
  { method, timeoutMs, body }: { readonly method: string; readonly timeoutMs: number; readonly body?: string },
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, signal, timeout: timeoutMs }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(text);
        else
          reject(
            new Error(`etcd at ${url.host} answered ${answer.statusCode ?? 0} to ${url.pathname}: ${text.trim()}`),
          );
      });
    });
    sent.once('timeout', () => sent.destroy(new Error(`etcd at ${url.host} is silent for ${timeoutMs / 1000} s`)));
    sent.once('error', reject);
    sent.end(body);
  });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The gateway writes 64-bit numbers as strings and leaves out zeros. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
