import { asRecord } from '@kopsctl/tasks/record.ts';
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

/** The user of the context of a cluster. */
export type KubeconfigUser =
  | { readonly kind: 'admin'; readonly credentials: AdminCredentials }
  /** A user that the file has already. */
  | { readonly kind: 'existing'; readonly name: string }
  /** A command that issues short-lived credentials whenever kubectl needs some. */
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] };

/** The server that the entry of that name leads to. */
export function serverOf(config: Kubeconfig | undefined, cluster: string): ApiAddress | undefined {
  const entry = config?.clusters?.find(({ name }) => name === cluster)?.['cluster'];
  const { server, 'tls-server-name': tlsServerName } = asRecord(entry);
  if (typeof server !== 'string' || server === '') return undefined;
  return { server, ...(typeof tlsServerName === 'string' && tlsServerName !== '' && { tlsServerName }) };
}

/** Adds or renews a cluster's entries (named after the cluster, as kops does) and makes it the current context. */
export function withCluster(
  config: Kubeconfig | undefined,
  cluster: string,
  { server, tlsServerName, caPem }: ApiAddress & { readonly caPem: string },
  user: KubeconfigUser,
): Kubeconfig {
  const base = config ?? EMPTY;
  return {
    ...base,
    clusters: replaced(base.clusters, {
      name: cluster,
      cluster: {
        'certificate-authority-data': base64(caPem),
        server,
        ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
      },
    }),
    contexts: replaced(base.contexts, {
      name: cluster,
      context: { cluster, user: user.kind === 'existing' ? user.name : cluster },
    }),
    users: user.kind === 'existing' ? (base.users ?? []) : replaced(base.users, { name: cluster, user: entryOf(user) }),
    'current-context': cluster,
  };
}

function entryOf(user: Exclude<KubeconfigUser, { kind: 'existing' }>): object {
  if (user.kind === 'admin') {
    const { certificatePem, privateKeyPem } = user.credentials;
    return { 'client-certificate-data': base64(certificatePem), 'client-key-data': base64(privateKeyPem) };
  }
  const [command, ...args] = user.command;
  return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args, interactiveMode: 'Never' } };
}

/** Whether the entries of that name lead to the cluster with one of these CAs: another one may have the same name. */
export function leadsTo(config: Kubeconfig, cluster: string, caPem: string): boolean {
  const entry = config.clusters?.find(({ name }) => name === cluster)?.['cluster'];
  const data = asRecord(entry)['certificate-authority-data'];
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
