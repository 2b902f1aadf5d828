import { addressSets, isIpv6, nameSet } from './addresses.ts';
import { canonicalName, type RecordSet } from './zone.ts';

/** The DNS names of an object, separated by commas (kops dns-controller/pkg/watchers/annotations.go). */
export const INTERNAL_ANNOTATION = 'dns.alpha.kubernetes.io/internal';
export const EXTERNAL_ANNOTATION = 'dns.alpha.kubernetes.io/external';

interface Metadata {
  readonly name?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The fields of a Node, Pod or Service that determine its DNS names. */
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

interface LoadBalanced {
  readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
}

export interface AnnotatedService {
  readonly metadata?: Metadata;
  readonly spec?: { readonly type?: string };
  readonly status?: LoadBalanced;
}

/** An Ingress needs no annotation: its rules contain the host names. */
export interface NamedIngress {
  readonly spec?: { readonly rules?: readonly { readonly host?: string }[] };
  readonly status?: LoadBalanced;
}

export interface AnnotatedObjects {
  readonly nodes: readonly AnnotatedNode[];
  readonly pods: readonly AnnotatedPod[];
  readonly services: readonly AnnotatedService[];
  /** Empty unless the cluster sets spec.externalDns.watchIngress. */
  readonly ingresses: readonly NamedIngress[];
}

/** The records that annotations request, with the semantics of kops's dns-controller. Pure. */
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

/** A pod that has ended, e.g. an evicted one, keeps its address in its status, but does not listen there. */
function isAlive({ status }: AnnotatedPod): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** A pod can be reached from outside only through its node's address, and only with hostNetwork. */
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
      // With both annotations, a name would have two kinds of addresses; kops creates no records then.
      if (internal.length > 0 && external.length > 0) return [];
      return [
        ...internal.flatMap((name) => addressSets(name, workers.flatMap(internalAddresses))),
        ...external.flatMap((name) => addressSets(name, workers.flatMap(externalAddresses))),
      ];
    default:
      return [];
  }
}

/** See kops dns-controller/pkg/watchers/ingress.go. */
function ingressHosts({ spec, status }: NamedIngress): readonly RecordSet[] {
  const hosts = (spec?.rules ?? []).flatMap(({ host }) =>
    host === undefined || host === '' ? [] : canonicalName(host),
  );
  return [...new Set(hosts)].flatMap((host) => balancedRecords(host, status));
}

function balancedRecords(name: string, status: LoadBalanced | undefined): readonly RecordSet[] {
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

/** The internal IPv6 address of a node can be reached from outside too (kops dns-controller watchers/node.go). */
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
