import { isIP } from 'node:net';
import type { NamedAddress, NamedEndpoints, NamedPort, NamedService } from './cluster-names.ts';

/** The Services of a cluster and their endpoints, which its DNS names resolve to. */
export interface ClusterNames {
  /** e.g. `cluster.local` */
  readonly domain: string;
  /** By `<namespace>/<name>`. */
  readonly services: ReadonlyMap<string, NamedService>;
  readonly endpoints: ReadonlyMap<string, NamedEndpoints>;
}

export type ClusterRecord =
  | { readonly type: 'A' | 'AAAA' | 'CNAME' | 'PTR' | 'TXT'; readonly name: string; readonly data: string }
  | { readonly type: 'SRV'; readonly name: string; readonly port: number; readonly target: string };

export type ClusterAnswer =
  | { readonly exists: false }
  | {
      readonly exists: true;
      readonly records: readonly ClusterRecord[];
      readonly additional: readonly ClusterRecord[];
    };

/** The version of the specification that this file implements: kubernetes/dns, docs/specification.md. */
const VERSION = '1.1.0';

/**
 * Answers a question as "Kubernetes DNS-Based Service Discovery" 1.1.0 specifies. Undefined when the name is not in the
 * cluster's domain.
 */
export function answer(
  question: { readonly name: string; readonly type: string },
  names: ClusterNames,
): ClusterAnswer | undefined {
  const name = question.name.toLowerCase().replace(/\.$/, '');
  const reverse = addressOfReverse(name);
  if (reverse !== undefined) {
    const found = namesOfAddress(reverse, names).map((data): ClusterRecord => ({ type: 'PTR', name, data }));
    return found.length === 0 ? undefined : chosen(question.type, { records: found, additional: [] });
  }
  if (name !== names.domain && !name.endsWith(`.${names.domain}`)) return undefined;
  const labels = name
    .slice(0, Math.max(0, name.length - names.domain.length - 1))
    .split('.')
    .filter((label) => label !== '');
  const found = recordsAt(name, labels, names);
  return found === undefined ? { exists: false } : chosen(question.type, found);
}

interface Found {
  readonly records: readonly ClusterRecord[];
  readonly additional: readonly ClusterRecord[];
}

const EMPTY: Found = { records: [], additional: [] };

/** A CNAME answers a question of every type. */
const chosen = (type: string, { records, additional }: Found): ClusterAnswer => ({
  exists: true,
  records: records.filter((record) => record.type === type || record.type === 'CNAME'),
  additional: type === 'SRV' ? additional : [],
});

/** All records of a name; undefined when the name does not exist. */
function recordsAt(name: string, labels: readonly string[], names: ClusterNames): Found | undefined {
  const [last, namespace, ...rest] = labels.toReversed();
  if (last === undefined) return EMPTY;
  if (last === 'dns-version' && namespace === undefined) {
    return { records: [{ type: 'TXT', name, data: VERSION }], additional: [] };
  }
  if (last === 'pod') return podAt(name, namespace, rest);
  if (last !== 'svc') return undefined;
  if (namespace === undefined) return EMPTY;
  const [service, ...front] = rest;
  if (service === undefined)
    return [...names.services.values()].some((one) => one.namespace === namespace) ? EMPTY : undefined;
  const found = names.services.get(`${namespace}/${service}`);
  if (found === undefined) return undefined;
  const own = `${service}.${namespace}.svc.${names.domain}`;
  if (found.externalName !== undefined) {
    return front.length === 0
      ? { records: [{ type: 'CNAME', name, data: found.externalName }], additional: [] }
      : undefined;
  }
  const targets = targetsOf(own, found, names.endpoints.get(`${namespace}/${service}`));
  if (front.length === 0) {
    return { records: unique(targets.flatMap(({ addresses }) => addressRecords(name, addresses))), additional: [] };
  }
  if (front.length === 1 && front[0]?.startsWith('_') !== true) {
    // One endpoint of a headless Service.
    const target = targets.find((one) => one.name === name);
    return found.clusterAddresses.length > 0 || target === undefined
      ? undefined
      : { records: addressRecords(name, target.addresses), additional: [] };
  }
  return portAt(name, front, targets);
}

/** Answers `_<port>._<protocol>` in front of the name of a Service. */
function portAt(name: string, front: readonly string[], targets: readonly Target[]): Found | undefined {
  const [protocol = '', portName] = front;
  const isAsked = (port: NamedPort): boolean =>
    `_${port.protocol}` === protocol && (portName === undefined || `_${port.name}` === portName);
  const asked = targets.flatMap((target) => target.ports.filter(isAsked).map(({ port }) => ({ target, port })));
  if (asked.length === 0 || front.length > 2) return undefined;
  // A protocol alone is an empty non-terminal: the name exists, but has no records.
  if (portName === undefined) return EMPTY;
  return {
    records: asked.map(({ target, port }) => ({ type: 'SRV', name, port, target: target.name })),
    additional: unique(asked.flatMap(({ target }) => addressRecords(target.name, target.addresses))),
  };
}

interface Target {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly ports: readonly NamedPort[];
}

/** The Service itself, or each of its endpoints when it is headless. */
function targetsOf(own: string, service: NamedService, endpoints: NamedEndpoints | undefined): readonly Target[] {
  if (service.clusterAddresses.length > 0) {
    return [{ name: own, addresses: service.clusterAddresses, ports: service.ports }];
  }
  return (endpoints?.subsets ?? []).flatMap(({ addresses, ports }) =>
    addresses
      .filter(({ isReady }) => isReady || service.publishesNotReady)
      .map((one) => ({ name: `${hostnameOf(one)}.${own}`, addresses: [one.address], ports })),
  );
}

/** An endpoint without a hostname is named after its address (CoreDNS plugin kubernetes, endpointHostname). */
const hostnameOf = ({ hostname, address }: NamedAddress): string => hostname ?? address.replaceAll(/[.:]/g, '-');

/** Answers `<address with dashes>.<namespace>.pod`, whether or not a pod has the address. */
function podAt(name: string, namespace: string | undefined, rest: readonly string[]): Found | undefined {
  const [dashed, ...more] = rest;
  if (namespace === undefined || dashed === undefined) return EMPTY;
  const address = [dashed.replaceAll('-', '.'), dashed.replaceAll('-', ':')].find((text) => isIP(text) !== 0);
  return address === undefined || more.length > 0
    ? undefined
    : { records: addressRecords(name, [address]), additional: [] };
}

const addressRecords = (name: string, addresses: readonly string[]): readonly ClusterRecord[] =>
  addresses.map((data) => ({ type: isIP(data) === 6 ? 'AAAA' : 'A', name, data }));

function unique(records: readonly ClusterRecord[]): readonly ClusterRecord[] {
  return [...new Map(records.map((record) => [JSON.stringify(record), record])).values()];
}

/** `4.3.2.1.in-addr.arpa` → 1.2.3.4. An IPv6 name has all 32 nibbles, in reverse. */
function addressOfReverse(name: string): string | undefined {
  if (name.endsWith('.in-addr.arpa')) {
    const address = name.slice(0, -'.in-addr.arpa'.length).split('.').toReversed().join('.');
    return isIP(address) === 4 ? address : undefined;
  }
  if (!name.endsWith('.ip6.arpa')) return undefined;
  const nibbles = name.slice(0, -'.ip6.arpa'.length).split('.').toReversed().join('');
  return /^[0-9a-f]{32}$/.test(nibbles) ? (nibbles.match(/.{4}/g) ?? []).join(':') : undefined;
}

function namesOfAddress(address: string, { services, endpoints, domain }: ClusterNames): readonly string[] {
  const same = (other: string): boolean => plain(other) === plain(address);
  return [...services.values()].flatMap((service) => {
    const own = `${service.name}.${service.namespace}.svc.${domain}`;
    if (service.clusterAddresses.length > 0) return service.clusterAddresses.some(same) ? [own] : [];
    const targets = targetsOf(own, service, endpoints.get(`${service.namespace}/${service.name}`));
    return targets.filter(({ addresses }) => addresses.some(same)).map(({ name }) => name);
  });
}

/** The canonical spelling of an IPv6 address. */
function plain(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address;
}
