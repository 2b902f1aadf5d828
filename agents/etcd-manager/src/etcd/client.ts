import { readFile } from 'node:fs/promises';
import { Agent as PlainAgent, request as requestPlain } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
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
  /** @throws UnhealthyClusterError where the rest would have no quorum, as far as etcd sees. */
  removeMember(id: string, signal: AbortSignal): Promise<void>;
  /** A learner has no vote until it is promoted (etcd 3.4 and newer). @throws UnhealthyClusterError */
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
  /** How many keys there are, as of the answer's own revision. */
  countKeys(signal: AbortSignal): Promise<{ readonly keys: number; readonly revision: number }>;
  /** etcd's hash of everything up to its last revision: it reads every entry, so what cannot be read is found out. */
  hashKeys(signal: AbortSignal): Promise<number>;
  /** Deletes every key that begins so. Resolves with how many there were. */
  deleteBelow(prefix: string, signal: AbortSignal): Promise<number>;
  /** The keys with the prefix that have a lease, read by way of the leader. */
  leasedKeysBelow(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
  /** What etcd tells Prometheus. */
  metrics(signal: AbortSignal): Promise<string>;
  close(): void;
}

/** etcd refuses to give a vote to a member that would hold the others up. */
export class NotInSyncError extends Error {
  override readonly name = 'NotInSyncError';
}

/** etcd refuses a change of members: not all of them have been connected to each other for five seconds. */
export class UnhealthyClusterError extends Error {
  override readonly name = 'UnhealthyClusterError';
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
/** A member that reads all of its database says nothing until it is done. */
const SCAN_TIMEOUT_MS = 60_000;

/** etcd 3.3 serves its gateway as v3beta; from 3.4 on it is v3. During a change of version either may be running. */
const ROOTS = ['/v3', '/v3beta'] as const;

/**
 * Opens a client of one member. Certificates are read now; a client is opened anew for each look. Without files it is an
 * etcd of our own on this machine, without TLS.
 */
export async function openEtcd(url: string, files: ClientFiles | undefined): Promise<EtcdClient> {
  const exchange = await connection(new URL(url), files);
  const ask = async (
    path: string,
    body: object,
    signal: AbortSignal,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ): Promise<Answer> => {
    for (const root of ROOTS) {
      const asked = { method: 'POST', path: `${root}${path}`, timeoutMs, body: JSON.stringify(body) };
      const { status, text } = await exchange.send(asked, signal);
      if (status === 200) return record(JSON.parse(text));
      if (status !== 404) throw new Error(`etcd at ${url} answered ${status} to ${path}: ${text.trim()}`);
    }
    throw new Error(`etcd at ${url} knows no ${path}: it is no etcd of 3.3 or newer`);
  };
  const change = async (path: string, body: object, signal: AbortSignal): Promise<void> => {
    try {
      await ask(path, body, signal);
    } catch (error) {
      // etcd 3.3 and newer, etcdserver/errors.go: ErrUnhealthy; server.go: HealthInterval.
      if (error instanceof Error && error.message.includes('unhealthy cluster'))
        throw new UnhealthyClusterError(error.message, { cause: error });
      throw error;
    }
  };
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
      await change('/cluster/member/remove', { ID }, signal);
    },
    async addMember(peerUrl, { isLearner }, signal) {
      await change('/cluster/member/add', { peerURLs: [peerUrl], ...(isLearner && { isLearner }) }, signal);
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
    async countKeys(signal) {
      // The key and the end of range of one zero byte each mean all keys.
      const all = { key: base64('\0'), range_end: base64('\0'), count_only: true };
      const answer = await ask('/kv/range', all, signal, SCAN_TIMEOUT_MS);
      return { keys: Number(answer['count'] ?? 0), revision: Number(text(record(answer['header'])['revision'])) };
    },
    async hashKeys(signal) {
      const { hash } = await ask('/maintenance/hash', {}, signal, SCAN_TIMEOUT_MS);
      if (typeof hash !== 'number') throw new Error(`etcd at ${url} said no hash`);
      return hash;
    },
    async deleteBelow(prefix, signal) {
      return Number((await ask('/kv/deleterange', rangeBelow(prefix), signal))['deleted'] ?? 0);
    },
    async leasedKeysBelow(prefix, signal) {
      const { kvs } = await ask('/kv/range', { ...rangeBelow(prefix), keys_only: true }, signal);
      const leased = (Array.isArray(kvs) ? kvs : [])
        .map(record)
        .filter(({ lease }) => !['', '0'].includes(text(lease)));
      return leased.map(({ key }) => Buffer.from(text(key), 'base64').toString('utf8'));
    },
    async metrics(signal) {
      const asked = { method: 'GET', path: '/metrics', timeoutMs: ANSWER_TIMEOUT_MS };
      const { status, text } = await exchange.send(asked, signal);
      if (status !== 200) throw new Error(`etcd at ${url} answered ${status} to /metrics`);
      return text;
    },
    close: () => exchange.close(),
  };
}

function rangeBelow(prefix: string): { readonly key: string; readonly range_end: string } {
  const end = Buffer.from(prefix);
  end.writeUInt8(end.readUInt8(end.byteLength - 1) + 1, end.byteLength - 1);
  return { key: base64(prefix), range_end: end.toString('base64') };
}

type Answer = Readonly<Record<string, unknown>>;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly timeoutMs: number;
  readonly body?: string;
}

interface Exchange {
  send(asked: Asked, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }>;
  close(): void;
}

async function connection(url: URL, files: ClientFiles | undefined): Promise<Exchange> {
  const isPlain = url.protocol === 'http:';
  const agent = isPlain ? new PlainAgent({ keepAlive: true }) : new Agent({ keepAlive: true, ...(await read(files)) });
  const request = isPlain ? requestPlain : requestSecure;
  return {
    close: () => agent.destroy(),
    send: ({ method, path, timeoutMs, body }, signal) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, url), { method, agent, signal, timeout: timeoutMs }, (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => (text += chunk));
          answer.once('error', reject);
          answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        });
        sent.once('timeout', () => sent.destroy(new Error(`etcd at ${url.host} is silent for ${timeoutMs / 1000} s`)));
        sent.once('error', reject);
        sent.end(body);
      }),
  };
}

async function read(files: ClientFiles | undefined) {
  if (files === undefined) return {};
  const [ca, cert, key] = await Promise.all([readFile(files.ca), readFile(files.cert), readFile(files.key)]);
  return { ca, cert, key };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The gateway writes 64-bit numbers as strings and leaves out zeros. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}
