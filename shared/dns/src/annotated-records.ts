import { addressSets, isIpv6, nameSet } from './addresses.ts';
import { canonicalName, type RecordSet } from './zone.ts';

/** Names that people want for an object, separated by commas (kops dns-controller/pkg/watchers/annotations.go). */
export const INTERNAL_ANNOTATION = 'dns.alpha.kubernetes.io/internal';
export const EXTERNAL_ANNOTATION = 'dns.alpha.kubernetes.io/external';

interface Metadata {
  readonly name?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The part of a Node, Pod or Service, as the API server gives them, that names in DNS depend on. */
export interface AnnotatedNode {
  readonly metadata?: Metadata;
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

export interface AnnotatedPod {
  readonly metadata?: Metadata;
  readonly spec?: { readonly hostNetwork?: boolean; readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip?: string }[];
  };
}

interface Balanced {
  readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
}

export interface AnnotatedService {
  readonly metadata?: Metadata;
  readonly spec?: { readonly type?: string };
  readonly status?: Balanced;
}

/** An Ingress needs no annotation: its rules say the names that lead to it. */
export interface NamedIngress {
  readonly spec?: { readonly rules?: readonly { readonly host?: string }[] };
  readonly status?: Balanced;
}

export interface AnnotatedObjects {
  readonly nodes: readonly AnnotatedNode[];
  readonly pods: readonly AnnotatedPod[];
  readonly services: readonly AnnotatedService[];
  /** None unless the cluster wants them in DNS (spec.externalDns.watchIngress). */
  readonly ingresses: readonly NamedIngress[];
}

/** The records that annotations ask for, as kops's dns-controller understands them. Pure. */
export function annotatedRecords({ nodes, pods, services, ingresses }: AnnotatedObjects): readonly RecordSet[] {
  return [
    ...nodes.flatMap(nodeRecords),
    ...pods.filter(isAlive).flatMap((pod) => podRecords(pod, nodes)),
    ...services.flatMap((service) => serviceRecords(service, nodes)),
    ...ingresses.flatMap(ingressHosts),
  ];
}

function nodeRecords(node: AnnotatedNode): readonly RecordSet[] {
  return [
    ...namesIn(node, INTERNAL_ANNOTATION).flatMap((name) => addressSets(name, internalAddresses(node))),
    ...namesIn(node, EXTERNAL_ANNOTATION).flatMap((name) => addressSets(name, externalAddresses(node))),
  ];
}

/** A pod that ended (an evicted one, say) keeps its address in its status, and listens nowhere. */
function isAlive({ status }: AnnotatedPod): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** From outside a pod is only reached at its node, and only if it listens there. */
function podRecords(pod: AnnotatedPod, nodes: readonly AnnotatedNode[]): readonly RecordSet[] {
  const host =
    pod.spec?.hostNetwork === true ? nodes.find(({ metadata }) => metadata?.name === pod.spec?.nodeName) : undefined;
  const { podIP, podIPs = podIP === undefined ? [] : [{ ip: podIP }] } = pod.status ?? {};
  const own = podIPs.flatMap(({ ip }) => (ip === undefined || ip === '' ? [] : ip));
  return [
    ...namesIn(pod, INTERNAL_ANNOTATION).flatMap((name) => addressSets(name, own)),
    ...namesIn(pod, EXTERNAL_ANNOTATION).flatMap((name) =>
      addressSets(name, host === undefined ? [] : externalAddresses(host)),
    ),
  ];
}

function serviceRecords(service: AnnotatedService, nodes: readonly AnnotatedNode[]): readonly RecordSet[] {
  const [internal, external] = [namesIn(service, INTERNAL_ANNOTATION), namesIn(service, EXTERNAL_ANNOTATION)];
  const workers = nodes.filter(isWorker);
  switch (service.spec?.type) {
    case 'LoadBalancer':
      return [...external, ...internal].flatMap((name) => balancedRecords(name, service.status));
    case 'NodePort':
      // A service with both annotations would have one name for two kinds of addresses: kops makes none.
      if (internal.length > 0 && external.length > 0) return [];
      return [
        ...internal.flatMap((name) => addressSets(name, workers.flatMap(internalAddresses))),
        ...external.flatMap((name) => addressSets(name, workers.flatMap(externalAddresses))),
      ];
    default:
      return [];
  }
}

/** (kops dns-controller/pkg/watchers/ingress.go) */
function ingressHosts({ spec, status }: NamedIngress): readonly RecordSet[] {
  const hosts = (spec?.rules ?? []).flatMap(({ host }) =>
    host === undefined || host === '' ? [] : canonicalName(host),
  );
  return [...new Set(hosts)].flatMap((host) => balancedRecords(host, status));
}

function balancedRecords(name: string, status: Balanced | undefined): readonly RecordSet[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  const addresses = ingress.flatMap(({ ip }) => (ip === undefined || ip === '' ? [] : ip));
  const targets = ingress.flatMap(({ hostname }) => (hostname === undefined || hostname === '' ? [] : hostname));
  return [...addressSets(name, addresses), ...targets.map((target) => nameSet(name, target))];
}

function namesIn({ metadata }: { readonly metadata?: Metadata }, annotation: string): readonly string[] {
  const names = (metadata?.annotations?.[annotation] ?? '').split(',').map((name) => canonicalName(name.trim()));
  return names.filter((name) => name !== '');
}

function internalAddresses(node: AnnotatedNode): readonly string[] {
  return addressesOf(node).flatMap(({ type, address }) => (type === 'InternalIP' ? address : []));
}

/** Where IPv6 is used, a node's own address is reached from outside as well (kops dns-controller watchers/node.go). */
function externalAddresses(node: AnnotatedNode): readonly string[] {
  return addressesOf(node).flatMap(({ type, address }) =>
    type === 'ExternalIP' || (type === 'InternalIP' && isIpv6(address)) ? address : [],
  );
}

function addressesOf(node: AnnotatedNode) {
  return node.status?.addresses ?? [];
}

/** Nodes without a role are workers too (kops pkg/apis/kops/util/labels.go). */
function isWorker({ metadata }: AnnotatedNode): boolean {
  const labels = metadata?.labels ?? {};
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(labels).flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
  const role = labels['kubernetes.io/role'];
  const all = role === undefined ? roles : [...roles, role];
  return all.length === 0 || all.includes('node');
}
