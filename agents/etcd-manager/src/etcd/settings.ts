import { join } from 'node:path';
import { urlHost } from '@kopsctl/http/url-host.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { corruptionChecks } from './corruption-checks.ts';

/** The folders of an etcd cluster on its volume. */
export interface VolumeLayout {
  /** One folder for each cluster token. */
  readonly data: string;
  /** Data that the cluster no longer uses (trashcan.ts). */
  readonly trashcan: string;
  readonly pki: string;
  /** Snapshots on their way to the store. */
  readonly outgoing: string;
}

export function volumeLayout(mountPoint: string): VolumeLayout {
  return {
    data: join(mountPoint, 'data'),
    trashcan: join(mountPoint, 'data-trashcan'),
    pki: join(mountPoint, 'pki'),
    outgoing: join(mountPoint, 'outgoing'),
  };
}

/** The member's DNS name, e.g. `etcd-a.internal.demo.example.com`. */
export function memberHost(config: Pick<EtcdClusterConfig, 'memberHost'>, member: string): string {
  return config.memberHost.replaceAll('<member>', member);
}

/** The name of a member within etcd, as kops has it, e.g. `etcd-a`. */
export function memberName(member: string): string {
  return `etcd-${member}`;
}

/** The URL at which a member's peers reach it. */
export function peerUrl(config: Pick<EtcdClusterConfig, 'memberHost' | 'peerPort'>, member: string): string {
  return urlAt(memberHost(config, member), config.peerPort);
}

/** The URL at which clients reach the etcd at a host, a name or an address. */
export function clientUrl({ clientPort }: Pick<EtcdClusterConfig, 'clientPort'>, host: string): string {
  return urlAt(host, clientPort);
}

const urlAt = (host: string, port: number): string => `https://${urlHost(host)}:${port}`;

/** How to start one member. */
export interface StartRequest {
  readonly config: EtcdClusterConfig;
  readonly address: string;
  readonly member: string;
  readonly token: string;
  readonly initialState: 'new' | 'existing';
  /** `name=url` of every member, separated by commas. */
  readonly initialCluster: string;
  /** The member has served the cluster before, so its data can be compared with the others'. */
  readonly hasServed: boolean;
}

export type Environment = Readonly<Record<string, string>>;

/**
 * etcd's settings as environment variables, in two parts: `lasting` ones, whose change requires a restart, and `initial`
 * ones, which matter only as it starts. Peers and clients must present a certificate. etcd also listens for
 * clients on 127.0.0.1, for the API server of the same machine.
 */
export function etcdSettings(request: StartRequest): { readonly lasting: Environment; readonly initial: Environment } {
  const { config, address, member, token } = request;
  const { data, pki } = volumeLayout(config.mountPoint);
  const host = memberHost(config, member);
  const asked = Object.fromEntries(
    config.env.filter(({ name }) => !name.startsWith('ETCD_MANAGER_')).map(({ name, value }) => [name, value]),
  );
  const checks = corruptionChecks(config.etcdVersion, asked, request.hasServed);
  const clientHosts = [...new Set([address, '127.0.0.1'])];
  const lasting = {
    ETCD_NAME: memberName(member),
    ETCD_DATA_DIR: join(data, token),
    ETCD_LISTEN_PEER_URLS: urlAt(address, config.peerPort),
    ETCD_LISTEN_CLIENT_URLS: clientHosts.map((listen) => clientUrl(config, listen)).join(','),
    ETCD_ADVERTISE_CLIENT_URLS: clientUrl(config, host),
    ETCD_CLIENT_CERT_AUTH: 'true',
    ETCD_TRUSTED_CA_FILE: join(pki, 'clients', 'ca.crt'),
    ETCD_CERT_FILE: join(pki, 'clients', 'server.crt'),
    ETCD_KEY_FILE: join(pki, 'clients', 'server.key'),
    ETCD_PEER_CLIENT_CERT_AUTH: 'true',
    ETCD_PEER_TRUSTED_CA_FILE: join(pki, 'peers', 'ca.crt'),
    ETCD_PEER_CERT_FILE: join(pki, 'peers', 'me.crt'),
    ETCD_PEER_KEY_FILE: join(pki, 'peers', 'me.key'),
    ETCD_STRICT_RECONFIG_CHECK: 'true',
    // etcd 3.4 and newer. The older logger writes lines that the journal cannot split into entries.
    ETCD_LOGGER: 'zap',
    ETCD_LOG_OUTPUTS: 'stderr',
    ...checks.lasting,
    ...asked,
  };
  const initial = {
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peerUrl(config, member),
    ETCD_INITIAL_CLUSTER: request.initialCluster,
    ETCD_INITIAL_CLUSTER_STATE: request.initialState,
    ETCD_INITIAL_CLUSTER_TOKEN: token,
    ...checks.initial,
  };
  return { lasting, initial };
}
