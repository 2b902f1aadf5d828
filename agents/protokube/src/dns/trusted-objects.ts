import {
  EXTERNAL_ANNOTATION,
  INTERNAL_ANNOTATION,
  type AnnotatedNode,
  type AnnotatedObjects,
  type AnnotatedPod,
} from '@kopsctl/dns/annotated-records.ts';
import { canonicalValue } from '@kopsctl/dns/record-values.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';

/** On a pod that a kubelet has made itself, from a manifest on its disk. No kubelet can create another kind of pod. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** Objects as the API server has them: what Nodes and pods say may have been written by a kubelet. */
export type ClaimedObjects = AnnotatedObjects;

/** Names in a place where a kubelet may have written them. */
export interface IgnoredNames {
  readonly object: string;
  readonly names: string;
}

/**
 * The names and addresses of Nodes and pods that count. A kubelet can write annotations of its own Node and of its
 * pods, and addresses in their status, but no label `dns.alpha.kubernetes.io/…` (NodeRestriction). So machines without an
 * API server are named by labels of these keys instead, and addresses of machines are those of the cloud. Services
 * and Ingresses are out of a kubelet's reach. Pure.
 */
export function trustedObjects(
  claimed: ClaimedObjects,
  machines: readonly CloudMachine[],
  isIpv6Only: boolean,
): { readonly objects: AnnotatedObjects; readonly ignored: readonly IgnoredNames[] } {
  const running = new Map(machines.filter((machine) => machine.running).map((one) => [one.nodeName, one]));
  const taken = new Set(
    machines.flatMap(({ address, externalAddresses }) => [address, ...externalAddresses]).map(canonical),
  );
  // Those with an API server could change any object anyway.
  const isTrusted = (nodeName: string): boolean =>
    ['ControlPlane', 'APIServer'].includes(running.get(nodeName)?.role ?? '');
  const nodes = claimed.nodes.map((node) => {
    const name = node.metadata?.name ?? '';
    return {
      node: trustedNode(node, running.get(name), isIpv6Only),
      ...namesOf(node, isTrusted(name), `node ${name}`),
    };
  });
  const pods = claimed.pods.map((pod) => {
    const on = pod.spec?.nodeName ?? '';
    const isOwn = isTrusted(on);
    const mayName = isOwn || pod.metadata?.annotations?.[MIRROR_ANNOTATION] === undefined;
    const found = namesOf(pod, isOwn, `pod ${pod.metadata?.name ?? ''} on ${on}`, mayName);
    return { pod: trustedPod(pod, internalAddresses(running.get(on), isIpv6Only), taken), ...found };
  });
  return {
    objects: {
      ...claimed,
      nodes: nodes.map(({ node, annotations }) => ({ ...node, metadata: { ...node.metadata, annotations } })),
      pods: pods.map(({ pod, annotations }) => ({ ...pod, metadata: { ...pod.metadata, annotations } })),
    },
    ignored: [...nodes, ...pods].flatMap((one) => one.ignored),
  };
}

/** The names of an object that count, as if all of them were annotations, and the names that do not. */
function namesOf(
  { metadata }: AnnotatedNode | AnnotatedPod,
  isTrusted: boolean,
  object: string,
  mayName = true,
): { readonly annotations: Readonly<Record<string, string>>; readonly ignored: readonly IgnoredNames[] } {
  const keys = [INTERNAL_ANNOTATION, EXTERNAL_ANNOTATION];
  const claimed = keys.flatMap((key) => {
    const [label, annotation] = [metadata?.labels?.[key], metadata?.annotations?.[key]];
    const counts = [
      ...(mayName && label !== undefined ? [label] : []),
      ...(isTrusted && annotation ? [annotation] : []),
    ];
    const all = [label, annotation].filter((names) => names !== undefined && names !== '');
    return [{ key, counts: counts.join(','), ignored: all.filter((names) => !counts.includes(names ?? '')) }];
  });
  const ignored = [...new Set(claimed.flatMap((one) => one.ignored))];
  return {
    annotations: Object.fromEntries(claimed.flatMap(({ key, counts }) => (counts === '' ? [] : [[key, counts]]))),
    ignored: ignored.length === 0 ? [] : [{ object, names: ignored.join(', ') }],
  };
}

function trustedNode(node: AnnotatedNode, machine: CloudMachine | undefined, isIpv6Only: boolean): AnnotatedNode {
  const internal = internalAddresses(machine, isIpv6Only).map((address) => ({ type: 'InternalIP', address }));
  const external = (machine?.externalAddresses ?? []).filter((one) => !one.includes(':'));
  const addresses = [...internal, ...external.map((address) => ({ type: 'ExternalIP', address }))];
  return { ...node, status: { addresses } };
}

/** A pod on the network of its machine has the machine's addresses, and no other pod has those of any machine. */
function trustedPod(pod: AnnotatedPod, ofMachine: readonly string[], taken: ReadonlySet<string>): AnnotatedPod {
  const { podIP, podIPs = podIP === undefined ? [] : [{ ip: podIP }], ...status } = pod.status ?? {};
  const own = podIPs.flatMap(({ ip }) => (ip === undefined || taken.has(canonical(ip)) ? [] : ip));
  const addresses = pod.spec?.hostNetwork === true ? ofMachine : own;
  return { ...pod, status: { ...status, podIPs: addresses.map((ip) => ({ ip })) } };
}

function internalAddresses(machine: CloudMachine | undefined, isIpv6Only: boolean): readonly string[] {
  if (machine === undefined) return [];
  const v6 = machine.externalAddresses.filter((one) => one.includes(':'));
  return isIpv6Only ? v6 : [machine.address, ...v6];
}

/** One notation for each address. Kubernetes takes IPv4 addresses with leading zeros, and IPv4 within IPv6. */
function canonical(address: string): string {
  const dotted = (text: string): string => text.split('.').map(Number).join('.');
  if (!address.includes(':')) return dotted(address);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonicalValue('AAAA', address));
  if (mapped === null) return canonicalValue('AAAA', address);
  const [high, low] = [parseInt(mapped[1] ?? '', 16), parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
