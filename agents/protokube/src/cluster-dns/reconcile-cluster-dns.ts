import { readFile } from 'node:fs/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { KubeClient } from '../kube/client.ts';
import { followList } from '../kube/follow-list.ts';
import { type NamedEndpoints, type NamedService, parseEndpoints, parseService } from './cluster-names.ts';
import { failure, reply } from './reply.ts';
import { forward, nameServersIn } from './forward.ts';
import { serveDns } from './serve.ts';

const RESOLV_CONF = '/etc/resolv.conf';

export interface ClusterDnsEnv {
  readonly kube: KubeClient;
  readonly address: string;
  readonly log: Log;
}

/**
 * Answers for the names of Services on a control plane of a cloud whose machines can have no image of CoreDNS. It begins
 * once all are known: an answer that a name is not there would be believed.
 */
export async function reconcileClusterDns(
  { domain, port }: NonNullable<ProtokubeConfig['clusterDns']>,
  { kube, address, log }: ClusterDnsEnv,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const services = new Map<string, NamedService>();
  const endpoints = new Map<string, NamedEndpoints>();
  const names = { domain, services, endpoints };
  const answer = async (request: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | undefined> => {
    const said = reply(request, names, transport, Math.random);
    if (said === 'drop') return undefined;
    if (said !== 'forward') return said.bytes;
    const servers = nameServersIn(await readFile(RESOLV_CONF, 'utf8')).filter((server) => server !== address);
    return (await forward(request, servers, both)) ?? failure(request);
  };
  const listed = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const following = [
    follow(kube, '/api/v1/services', parseService, services, listed[0].resolve, both),
    follow(kube, '/api/v1/endpoints', parseEndpoints, endpoints, listed[1].resolve, both),
  ];
  const serve = async (): Promise<void> => {
    await Promise.all(listed.map(({ promise }) => promise));
    const onListening = () => log.info(`answers for ${domain} at ${address}:${port}`);
    await serveDns({ address, port, answer, onListening }, both);
  };
  try {
    await Promise.race([serve(), ...following]);
  } finally {
    ended.abort();
    await Promise.allSettled(following);
  }
}

/** Keeps what matters of a collection. While it is listed anew, what was known before stands. */
async function follow<T extends { readonly namespace: string; readonly name: string }>(
  kube: KubeClient,
  path: string,
  parse: (object: unknown) => T | undefined,
  known: Map<string, T>,
  onListed: () => void,
  signal: AbortSignal,
): Promise<void> {
  let listing: Set<string> | undefined;
  await followList(kube, path, signal, (change) => {
    if (change.type === 'begin') listing = new Set();
    else if (change.type === 'listed') {
      for (const key of known.keys()) if (listing?.has(key) === false) known.delete(key);
      listing = undefined;
      onListed();
    } else {
      const parsed = parse(change.object);
      if (parsed === undefined) return;
      const key = `${parsed.namespace}/${parsed.name}`;
      if (change.type === 'gone') known.delete(key);
      else known.set(key, parsed);
      listing?.add(key);
    }
  });
}
