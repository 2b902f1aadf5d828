import { readFile } from 'node:fs/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { KubeClient } from '../kube/client.ts';
import { Followed, namespacedNameOf } from '../kube/followed.ts';
import { parseEndpoints, parseService } from './cluster-names.ts';
import { failure, reply } from './reply.ts';
import { forward, nameServersIn } from './forward.ts';
import { serveDns } from './serve.ts';

const RESOLV_CONF = '/etc/resolv.conf';
/** The end of a list rings; this is only how often its absence is noticed. */
const LISTED_WITHIN_MS = 60_000;

export interface ClusterDnsEnv {
  readonly kube: KubeClient;
  readonly address: string;
  readonly log: Log;
}

/**
 * Answers for the names of Services on a control plane of a cloud whose machines cannot run an image of CoreDNS. It
 * starts only when all Services are known: clients would believe an answer that a name does not exist.
 */
export async function reconcileClusterDns(
  { domain, port }: NonNullable<ProtokubeConfig['clusterDns']>,
  { kube, address, log }: ClusterDnsEnv,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const services = new Followed('/api/v1/services', parseService, namespacedNameOf);
  const endpoints = new Followed('/api/v1/endpoints', parseEndpoints, namespacedNameOf);
  const names = { domain, services: services.byKey, endpoints: endpoints.byKey };
  const answer = async (request: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | undefined> => {
    const said = reply(request, names, transport, Math.random);
    if (said === 'drop') return undefined;
    if (said !== 'forward') return said.bytes;
    const servers = nameServersIn(await readFile(RESOLV_CONF, 'utf8')).filter((server) => server !== address);
    return (await forward(request, servers, both)) ?? failure(request);
  };
  const wake = new Wake();
  const following = [services.follow(kube, wake, both), endpoints.follow(kube, wake, both)];
  const serve = async (): Promise<void> => {
    while (!services.isListed || !endpoints.isListed) await wake.wait(LISTED_WITHIN_MS, both);
    const onListening = () => log.info('answering for the cluster domain', { domain, address, port });
    await serveDns({ address, port, answer, onListening }, both);
  };
  try {
    await Promise.race([serve(), ...following]);
  } finally {
    ended.abort();
    await Promise.allSettled(following);
  }
}
