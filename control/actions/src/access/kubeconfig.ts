import type { AdminCredentials } from './admin-credentials.ts';
import type { ApiAddress } from '@kopsctl/model/cloud.ts';

interface Named {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The parts of a kubeconfig that this project touches; everything else is kept as found. */
export interface Kubeconfig {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  readonly clusters?: readonly Named[];
  readonly contexts?: readonly Named[];
  readonly users?: readonly Named[];
  readonly 'current-context'?: string;
  readonly [field: string]: unknown;
}

const EMPTY: Kubeconfig = { apiVersion: 'v1', kind: 'Config' };

const base64 = (text: string) => Buffer.from(text).toString('base64');

function replaced(list: readonly Named[] | undefined, entry: Named): readonly Named[] {
  const others = (list ?? []).filter(({ name }) => name !== entry.name);
  return [...others, entry];
}

function without(list: readonly Named[] | undefined, gone: string): readonly Named[] {
  return (list ?? []).filter(({ name }) => name !== gone);
}

/** Adds or renews a cluster's entries (named after the cluster, as kops does) and makes it the current context. */
export function withCluster(
  config: Kubeconfig | undefined,
  cluster: string,
  { server, tlsServerName }: ApiAddress,
  credentials: AdminCredentials,
): Kubeconfig {
  const base = config ?? EMPTY;
  return {
    ...base,
    clusters: replaced(base.clusters, {
      name: cluster,
      cluster: {
        'certificate-authority-data': base64(credentials.caPem),
        server,
        ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
      },
    }),
    contexts: replaced(base.contexts, { name: cluster, context: { cluster, user: cluster } }),
    users: replaced(base.users, {
      name: cluster,
      user: {
        'client-certificate-data': base64(credentials.certificatePem),
        'client-key-data': base64(credentials.privateKeyPem),
      },
    }),
    'current-context': cluster,
  };
}

/** Whether the entries of that name lead to the cluster with one of these CAs: another one may have the same name. */
export function leadsTo(config: Kubeconfig, cluster: string, caPem: string): boolean {
  const entry = config.clusters?.find(({ name }) => name === cluster)?.['cluster'];
  const data =
    typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'certificate-authority-data') : undefined;
  if (typeof data !== 'string') return false;
  const trusted = new Set(certificatesIn(Buffer.from(data, 'base64').toString('latin1')));
  return certificatesIn(caPem).some((certificate) => trusted.has(certificate));
}

const certificatesIn = (pem: string): readonly string[] =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map(([, body = '']) =>
    body.replace(/\s/g, ''),
  );

/** Takes a cluster's entries out again; the current context is cleared when it was this one. */
export function withoutCluster(config: Kubeconfig, cluster: string): Kubeconfig {
  return {
    ...config,
    clusters: without(config.clusters, cluster),
    contexts: without(config.contexts, cluster),
    users: without(config.users, cluster),
    'current-context': config['current-context'] === cluster ? '' : (config['current-context'] ?? ''),
  };
}
