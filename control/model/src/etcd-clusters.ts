/** The etcd cluster of Cilium's agents. */
export const CILIUM_ETCD = 'cilium';

/** The ports of etcd clusters, as in kops: main 4001 and 2380, events 4002 and 2381, cilium 4003 and 2382, leases 4004 and 2383. */
export interface EtcdPorts {
  readonly client: number;
  readonly peer: number;
}

const PORTS: Readonly<Record<string, EtcdPorts>> = {
  main: { client: 4001, peer: 2380 },
  events: { client: 4002, peer: 2381 },
  cilium: { client: 4003, peer: 2382 },
  leases: { client: 4004, peer: 2383 },
};

export function etcdPorts(name: string): EtcdPorts {
  const ports = PORTS[name];
  if (ports === undefined)
    throw new Error(`etcd cluster ${name} has no ports: known are ${Object.keys(PORTS).join(', ')}`);
  return ports;
}

/** The etcd cluster that serves clients on this port. */
export const etcdClusterAt = (port: number): string | undefined =>
  Object.keys(PORTS).find((name) => PORTS[name]?.client === port);

/** In kops, the clients of main, events and leases share a CA, and those of cilium have one of their own. */
export function etcdClientsCa(name: string): string {
  return name === CILIUM_ETCD ? 'etcd-clients-ca-cilium' : 'etcd-clients-ca';
}

export function etcdPeersCa(name: string): string {
  return `etcd-peers-ca-${name}`;
}

/** The tag that marks an etcd cluster's volumes; its value is `<member>/<member>,<member>…`. */
export function etcdVolumeTag(name: string): string {
  return `k8s.io/etcd/${name}`;
}

/**
 * The host name of a member, with `<member>` as placeholder for its name. In kops: etcd-a for main, etcd-events-a for the
 * others.
 */
export function etcdMemberHost(name: string, clusterName: string): string {
  return `etcd${name === 'main' ? '' : `-${name}`}-<member>.internal.${clusterName}`;
}
