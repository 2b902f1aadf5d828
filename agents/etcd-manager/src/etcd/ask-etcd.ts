import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { clientFiles } from './certificates.ts';
import { openEtcd, type EtcdClient } from './client.ts';
import { clientUrl } from './settings.ts';

/** Puts a question to the etcd at a host (a name or an address). @throws when it does not answer */
export async function askEtcd<T>(
  host: string,
  config: EtcdClusterConfig,
  question: (etcd: EtcdClient) => Promise<T>,
): Promise<T> {
  const etcd = await openEtcd(clientUrl(config, host), clientFiles(config.mountPoint));
  try {
    return await question(etcd);
  } finally {
    etcd.close();
  }
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
