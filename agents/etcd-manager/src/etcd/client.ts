import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import type { ListedMember } from '../plan-cluster.ts';

export interface EtcdStatus {
  readonly memberId: string;
  /** Absent while there is none. */
  readonly leaderId?: string;
  readonly version: string;
  readonly dbSizeBytes: number;
}

/**
 * What etcd-manager asks of an etcd. It speaks through etcd's own JSON gateway, which needs no gRPC library in memory.
 */
export interface EtcdClient {
  status(signal: AbortSignal): Promise<EtcdStatus>;
  members(signal: AbortSignal): Promise<readonly ListedMember[]>;
  removeMember(id: string, signal: AbortSignal): Promise<void>;
  addMember(peerUrl: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface ClientFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** An etcd on the same machine or network answers at once or is not well. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Opens a client of one member. Certificates are read now; a client is opened anew for each look. */
export async function openEtcd(url: string, etcdVersion: string, files: ClientFiles): Promise<EtcdClient> {
  const [ca, cert, key] = await Promise.all([readFile(files.ca), readFile(files.cert), readFile(files.key)]);
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  // etcd 3.3 serves its gateway as v3beta; from 3.4 on it is v3.
  const root = etcdVersion.startsWith('3.3.') ? '/v3beta' : '/v3';
  const ask = (path: string, body: object, signal: AbortSignal) =>
    post(new URL(`${root}${path}`, url), agent, body, signal);
  return {
    async status(signal) {
      const answer = await ask('/maintenance/status', {}, signal);
      const leaderId = text(answer['leader']);
      return {
        memberId: text(record(answer['header'])['member_id']),
        ...(leaderId !== '' && leaderId !== '0' && { leaderId }),
        version: text(answer['version']),
        dbSizeBytes: Number(text(answer['dbSize'])),
      };
    },
    async members(signal) {
      const { members } = await ask('/cluster/member/list', {}, signal);
      return (Array.isArray(members) ? members : []).map(record).map((member) => ({
        id: text(member['ID']),
        name: text(member['name']),
        peerUrl: text(Array.isArray(member['peerURLs']) ? member['peerURLs'][0] : undefined),
      }));
    },
    async removeMember(ID, signal) {
      await ask('/cluster/member/remove', { ID }, signal);
    },
    async addMember(peerUrl, signal) {
      await ask('/cluster/member/add', { peerURLs: [peerUrl] }, signal);
    },
    close: () => agent.destroy(),
  };
}

function post(url: URL, agent: Agent, body: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, signal, timeout: ANSWER_TIMEOUT_MS }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(record(JSON.parse(text)));
        else
          reject(
            new Error(`etcd at ${url.host} answered ${answer.statusCode ?? 0} to ${url.pathname}: ${text.trim()}`),
          );
      });
    });
    sent.once('timeout', () =>
      sent.destroy(new Error(`etcd at ${url.host} is silent for ${ANSWER_TIMEOUT_MS / 1000} s`)),
    );
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The gateway writes 64-bit numbers as strings and leaves out zeros. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
