import type { CloudTraits } from '../cloud-traits.ts';
import type { Cluster } from '../cluster.ts';
import { contains, formatCidr, overlaps, parseCidr, type Cidr } from '../cidr.ts';
import { isIpv6Alone, usesInterfacesOfVpc } from '../names.ts';
import { isPrefixList } from '../prefix-list.ts';
import { fault, type Fault } from './fault.ts';

interface Range {
  readonly path: string;
  readonly text: string;
  readonly cidr: Cidr;
}

const HINT = 'e.g. 10.0.0.0/16';

/** Ranges that only components of Kubernetes get, which mask them, as kops does. */
const OF_COMPONENTS = /^spec\.(kubeControllerManager|kubeProxy)\./;

export function* validateNetwork(
  { spec }: Cluster,
  { routesPods, hasPrefixLists }: Pick<CloudTraits, 'routesPods' | 'hasPrefixLists'>,
): Iterable<Fault> {
  const written: readonly (readonly [string, string | undefined])[] = [
    ['spec.networkCIDR', spec.networkCIDR],
    ...(spec.additionalNetworkCIDRs ?? []).map(
      (text, index) => [`spec.additionalNetworkCIDRs[${index}]`, text] as const,
    ),
    ['spec.nonMasqueradeCIDR', spec.nonMasqueradeCIDR],
    ['spec.podCIDR', spec.podCIDR],
    ['spec.serviceClusterIPRange', spec.serviceClusterIPRange],
    ['spec.kubeControllerManager.clusterCIDR', spec.kubeControllerManager?.clusterCIDR],
    ...(spec.kubeProxy?.ipvsExcludeCidrs ?? []).map(
      (text, index) => [`spec.kubeProxy.ipvsExcludeCidrs[${index}]`, text] as const,
    ),
    ...(spec.subnets ?? []).map(({ cidr }, index) => [`spec.subnets[${index}].cidr`, cidr] as const),
  ];
  const ranges = new Map<string, Range>();
  for (const [path, text] of written) {
    if (text === undefined || text === '') continue;
    const cidr = parseCidr(text);
    if (cidr === undefined) yield fault(path, `'${text}' is not a range of addresses`, HINT);
    else {
      if (!OF_COMPONENTS.test(path)) yield* validatePrefix(path, text, cidr);
      ranges.set(path, { path, text, cidr });
    }
  }
  yield* validateAccessLists(spec, hasPrefixLists);
  yield* validateApart(ranges, apartFromNetwork(ranges));
  // Elsewhere clusters of kops share a range (kops pkg/apis/kops/validation/validation.go); protokube gives out all of it.
  if (routesPods === 'machines') yield* validateApart(ranges, [['spec.podCIDR', 'spec.serviceClusterIPRange']]);
  yield* validateNonMasqueraded(ranges);
  yield* validateSubnets(spec, ranges);
  yield* validateShadowed(spec, ranges);
  yield* validateServiceAddresses(spec, ranges);
}

/** Pods and Services may be inside the network's range if pods have addresses of the network. */
function apartFromNetwork(ranges: ReadonlyMap<string, Range>): readonly (readonly [string, string])[] {
  const [outer, network] = [ranges.get('spec.nonMasqueradeCIDR'), ranges.get('spec.networkCIDR')];
  if (outer !== undefined && network !== undefined && contains(outer.cidr, network.cidr)) return [];
  return ['spec.podCIDR', 'spec.serviceClusterIPRange'].map((path) => [path, 'spec.networkCIDR'] as const);
}

function* validateApart(
  ranges: ReadonlyMap<string, Range>,
  pairs: readonly (readonly [string, string])[],
): Iterable<Fault> {
  for (const [path, other] of pairs) {
    const [left, right] = [ranges.get(path), ranges.get(other)];
    if (left === undefined || right === undefined || !overlaps(left.cidr, right.cidr)) continue;
    yield fault(left.path, `${left.text} overlaps ${right.path} (${right.text})`, 'give each its own range');
  }
}

/** Machines behind the addresses of Services or pods could not be reached from the cluster. */
function* validateShadowed(spec: Cluster['spec'], ranges: ReadonlyMap<string, Range>): Iterable<Fault> {
  const { subnets = [] } = spec;
  const others = ['spec.serviceClusterIPRange', ...(usesInterfacesOfVpc(spec) ? [] : ['spec.podCIDR'])];
  yield* validateApart(
    ranges,
    subnets.flatMap((_, index) => others.map((other) => [`spec.subnets[${index}].cidr`, other] as const)),
  );
}

function* validateNonMasqueraded(ranges: ReadonlyMap<string, Range>): Iterable<Fault> {
  const outer = ranges.get('spec.nonMasqueradeCIDR');
  const network = ranges.get('spec.networkCIDR');
  if (outer === undefined) return;
  if (outer.cidr.family === 'ipv6' && outer.text !== '::/0') {
    yield fault(
      outer.path,
      `${outer.text} is a range of IPv6 other than ::/0`,
      'with IPv6, nothing is masqueraded: write ::/0',
    );
  }
  // The API server has one family for itself and its Services, and pods get the ranges of their machines.
  for (const path of outer.cidr.family === 'ipv6' ? ['spec.serviceClusterIPRange', 'spec.podCIDR'] : []) {
    const range = ranges.get(path);
    if (range?.cidr.family !== 'ipv4') continue;
    const message = `${range.text} is a range of IPv4, and this cluster has only IPv6 (${outer.path})`;
    yield fault(path, message, 'write a range of IPv6, or remove it');
  }
  if (network !== undefined && overlaps(outer.cidr, network.cidr) && !contains(outer.cidr, network.cidr)) {
    yield fault(outer.path, `${outer.text} covers a part of spec.networkCIDR (${network.text})`);
  }
}

function* validateSubnets(spec: Cluster['spec'], ranges: ReadonlyMap<string, Range>): Iterable<Fault> {
  const { subnets = [], networkCIDR, networkID, additionalNetworkCIDRs = [] } = spec;
  yield* validateFamilies(spec);
  const seen = new Set<string>();
  // Until the range of a new network is known, the additional ones say nothing.
  const known = networkCIDR === undefined ? [] : [networkCIDR, ...additionalNetworkCIDRs];
  const networks = known.flatMap((text) => parseCidr(text) ?? []);
  for (const [index, { name }] of subnets.entries()) {
    const path = `spec.subnets[${index}]`;
    if (name === undefined || name === '') yield fault(`${path}.name`, 'must be set');
    else if (seen.has(name)) yield fault(`${path}.name`, `two subnets are called '${name}'`);
    seen.add(name ?? '');
    const range = ranges.get(`${path}.cidr`);
    if (range === undefined) continue;
    if (networkID === undefined && networks.length > 0 && !networks.some((network) => contains(network, range.cidr))) {
      yield fault(range.path, `${range.text} is not within spec.networkCIDR (${networkCIDR})`);
    }
    for (let other = 0; other < index; other++) {
      const earlier = ranges.get(`spec.subnets[${other}].cidr`);
      if (earlier !== undefined && overlaps(earlier.cidr, range.cidr)) {
        yield fault(range.path, `${range.text} overlaps ${earlier.path} (${earlier.text})`);
      }
    }
  }
}

/** A subnet of both families is for what IPv4 has to reach in a cluster whose machines have IPv6 alone. */
function* validateFamilies(spec: Cluster['spec']): Iterable<Fault> {
  if (isIpv6Alone(spec)) return;
  for (const [index, { type }] of (spec.subnets ?? []).entries()) {
    if (type !== 'DualStack') continue;
    yield fault(
      `spec.subnets[${index}].type`,
      'only clusters with IPv6 alone have subnets of type DualStack',
      'write Private, or set spec.nonMasqueradeCIDR: ::/0 in a new cluster',
    );
  }
}

function* validateServiceAddresses({ kubeDNS }: Cluster['spec'], ranges: ReadonlyMap<string, Range>): Iterable<Fault> {
  const services = ranges.get('spec.serviceClusterIPRange');
  const address = kubeDNS?.serverIP;
  if (services === undefined || address === undefined) return;
  const cidr = parseCidr(`${address}/${services.cidr.family === 'ipv4' ? 32 : 128}`);
  if (cidr === undefined || !contains(services.cidr, cidr)) {
    yield fault('spec.kubeDNS.serverIP', `${address} is not within spec.serviceClusterIPRange (${services.text})`);
  }
}

/** Clouds refuse a range that begins within itself, or store another one than the spec has, so that it always differs. */
export function* validatePrefix(path: string, text: string, cidr: Cidr): Iterable<Fault> {
  const [address = ''] = text.split('/');
  const single = parseCidr(`${address}/${cidr.family === 'ipv4' ? 32 : 128}`);
  if (single === undefined || single.first === cidr.first) return;
  yield fault(path, `'${text}' has bits beyond its prefix`, `write ${formatCidr(cidr)}`);
}

function* validateAccessLists(spec: Cluster['spec'], hasPrefixLists: boolean): Iterable<Fault> {
  for (const field of ['kubernetesApiAccess', 'sshAccess', 'nodePortAccess'] as const) {
    for (const [index, text] of (spec[field] ?? []).entries()) {
      const cidr = parseCidr(text);
      if (cidr !== undefined) {
        yield* validatePrefix(`spec.${field}[${index}]`, text, cidr);
        continue;
      }
      if (isPrefixList(text)) {
        const message = `'${text}' is a prefix list, which this cloud does not have`;
        if (!hasPrefixLists) yield fault(`spec.${field}[${index}]`, message, 'write its ranges');
        continue;
      }
      yield fault(`spec.${field}[${index}]`, `'${text}' is not a range of addresses`, '0.0.0.0/0 lets everybody in');
    }
  }
}
