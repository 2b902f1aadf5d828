import { asArray, asRecord, asString } from '../kube/json.ts';

/** The fields of a Service that its DNS records need. */
export interface NamedService {
  readonly namespace: string;
  readonly name: string;
  /** Empty for a headless Service, whose name resolves to its endpoints. */
  readonly clusterAddresses: readonly string[];
  /** The target of a Service of type ExternalName. */
  readonly externalName?: string;
  /** Endpoints have records before they are ready. */
  readonly publishesNotReady: boolean;
  readonly ports: readonly NamedPort[];
}

export interface NamedPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
}

/** The endpoints of a headless Service, which has the same name. */
export interface NamedEndpoints {
  readonly namespace: string;
  readonly name: string;
  readonly subsets: readonly {
    readonly addresses: readonly NamedAddress[];
    readonly ports: readonly NamedPort[];
  }[];
}

export interface NamedAddress {
  readonly address: string;
  readonly hostname?: string;
  readonly isReady: boolean;
}

const NO_CLUSTER_ADDRESS = new Set(['', 'None']);

export function parseService(object: unknown): NamedService | undefined {
  const { metadata, spec } = asRecord(object);
  const { name, namespace } = asRecord(metadata);
  const { type, clusterIP, clusterIPs, externalName, ports, publishNotReadyAddresses } = asRecord(spec);
  if (typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  const addresses = [...asArray(clusterIPs), clusterIP].map((one) => asString(one) ?? '');
  return {
    namespace,
    name,
    clusterAddresses: [...new Set(addresses.filter((one) => !NO_CLUSTER_ADDRESS.has(one)))],
    ...(type === 'ExternalName' && typeof externalName === 'string' && { externalName }),
    publishesNotReady: publishNotReadyAddresses === true,
    ports: parsePorts(ports),
  };
}

export function parseEndpoints(object: unknown): NamedEndpoints | undefined {
  const { metadata, subsets } = asRecord(object);
  const { name, namespace } = asRecord(metadata);
  if (typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  const addressesOf = (list: unknown, isReady: boolean): readonly NamedAddress[] =>
    asArray(list).flatMap((one) => {
      const { ip, hostname } = asRecord(one);
      if (typeof ip !== 'string') return [];
      return [{ address: ip, ...(typeof hostname === 'string' && hostname !== '' && { hostname }), isReady }];
    });
  return {
    namespace,
    name,
    subsets: asArray(subsets).map((subset) => {
      const { addresses, notReadyAddresses, ports } = asRecord(subset);
      return {
        addresses: [...addressesOf(addresses, true), ...addressesOf(notReadyAddresses, false)],
        ports: parsePorts(ports),
      };
    }),
  };
}

const parsePorts = (ports: unknown): readonly NamedPort[] =>
  asArray(ports).flatMap((one) => {
    const { name, protocol, port } = asRecord(one);
    if (typeof port !== 'number') return [];
    return [{ name: asString(name) ?? '', protocol: (asString(protocol) ?? 'TCP').toLowerCase(), port }];
  });
