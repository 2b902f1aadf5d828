import { stat } from 'node:fs/promises';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { clientFiles } from './certificates.ts';
import { type EtcdClient, etcdAt } from './client.ts';
import { type ClientFiles, readClientFiles } from './gateway.ts';
import { clientUrl } from './settings.ts';

/** Puts a question to the etcd at a host (a name or an address). @throws when it does not answer */
export async function askEtcd<T>(
  host: string,
  config: EtcdClusterConfig,
  question: (etcd: EtcdClient) => Promise<T>,
): Promise<T> {
  return question(etcdAt(clientUrl(config, host), await httpOf(config)));
}

interface Kept {
  readonly http: Http;
  /** The files whose content it uses. */
  readonly files: string;
}

/** A manager asks every etcd several times at each look. Handshakes that are not resumed take most of the time of both. */
const kept = new WeakMap<EtcdClusterConfig, Kept>();

/**
 * With the certificate that its volume holds now. Each request has a connection of its own, which a member that was started
 * again cannot have ended; the sessions of former ones are resumed.
 */
async function httpOf(config: EtcdClusterConfig): Promise<Http> {
  const paths = clientFiles(config.mountPoint);
  const files = await versionsOf(paths);
  const last = kept.get(config);
  if (last?.files === files) return last.http;
  const http = openHttp({ tls: await readClientFiles(paths), keepAlive: false });
  kept.set(config, { http, files });
  return http;
}

/** Another text once any of them was replaced. */
async function versionsOf({ ca, cert, key }: ClientFiles): Promise<string> {
  const found = await Promise.all([ca, cert, key].map((path) => stat(path)));
  return found.map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`).join(', ');
}

/** As `askEtcd`, but resolves with undefined when etcd does not answer, which is an observation and not an error. */
export async function askIfThere<T>(
  host: string,
  config: EtcdClusterConfig,
  question: (etcd: EtcdClient) => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  try {
    return await askEtcd(host, config, question);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
