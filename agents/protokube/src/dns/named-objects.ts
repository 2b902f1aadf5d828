import {
  EXTERNAL_ANNOTATION,
  INTERNAL_ANNOTATION,
  type AnnotatedNode,
  type AnnotatedObjects,
  type AnnotatedPod,
  type AnnotatedService,
  type NamedIngress,
} from '@kopsctl/dns/annotated-records.ts';
import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Wake } from '@kopsctl/agent/wake.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { MIRROR_ANNOTATION } from './trusted-objects.ts';
import { Followed } from '@kopsctl/kube/followed.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';

/** The objects of a cluster that have names in DNS, kept up to date by a watch of each kind. */
export class NamedObjects {
  readonly #nodes: Followed<AnnotatedNode>;
  readonly #pods: Followed<AnnotatedPod>;
  readonly #services: Followed<AnnotatedService>;
  readonly #ingresses: Followed<NamedIngress> | undefined;

  constructor({ namespace, ingresses }: NonNullable<ZoneConfig['objects']>) {
    const within = (api: string, resource: string) =>
      namespace === undefined ? `${api}/${resource}` : `${api}/namespaces/${namespace}/${resource}`;
    this.#nodes = new Followed('/api/v1/nodes', parseNode);
    this.#pods = new Followed(within('/api/v1', 'pods'), parsePod);
    this.#services = new Followed(within('/api/v1', 'services'), parseService);
    this.#ingresses = ingresses
      ? new Followed(within('/apis/networking.k8s.io/v1', 'ingresses'), parseIngress)
      : undefined;
  }

  /** Undefined until each kind has been listed once. */
  get all(): AnnotatedObjects | undefined {
    const [nodes, pods, services] = [this.#nodes.items, this.#pods.items, this.#services.items];
    const ingresses = this.#ingresses === undefined ? [] : this.#ingresses.items;
    if (nodes === undefined || pods === undefined || services === undefined || ingresses === undefined)
      return undefined;
    return { nodes, pods, services, ingresses };
  }

  /** Follows until the signal aborts; throws when the API server does not answer. */
  async follow(kube: KubeClient, wake: Wake, signal: AbortSignal): Promise<void> {
    const kinds = [
      this.#nodes,
      this.#pods,
      this.#services,
      ...(this.#ingresses === undefined ? [] : [this.#ingresses]),
    ];
    await Promise.all(kinds.map((kind) => kind.follow(kube, wake, signal)));
  }
}

/** The keys of names. A kubelet can write them as annotations, but not as labels (see trusted-objects.ts). */
const NAME_KEYS = [INTERNAL_ANNOTATION, EXTERNAL_ANNOTATION];

/** Nodes without a name are kept too: names of pods and Services resolve to their addresses. */
function parseNode(object: unknown): AnnotatedNode {
  const { metadata, status } = asRecord(object);
  const addresses = asArray(asRecord(status)['addresses']).flatMap((one) => {
    const { type, address } = asRecord(one);
    return typeof type === 'string' && typeof address === 'string' ? [{ type, address }] : [];
  });
  return { metadata: { ...namesIn(metadata), labels: texts(asRecord(metadata)['labels']) }, status: { addresses } };
}

function parsePod(object: unknown): AnnotatedPod | undefined {
  const { metadata, spec, status } = asRecord(object);
  const names = namesIn(metadata);
  const labels = texts(asRecord(metadata)['labels']);
  const nameLabels = Object.fromEntries(Object.entries(labels).filter(([key]) => NAME_KEYS.includes(key)));
  if (NAME_KEYS.every((key) => names.annotations?.[key] === undefined && nameLabels[key] === undefined))
    return undefined;
  const { hostNetwork, nodeName } = asRecord(spec);
  const { phase, podIP, podIPs } = asRecord(status);
  return {
    metadata: { ...names, labels: nameLabels },
    spec: { hostNetwork: hostNetwork === true, nodeName: asString(nodeName) ?? '' },
    status: {
      ...(typeof phase === 'string' && { phase }),
      ...(typeof podIP === 'string' && { podIP }),
      ...(Array.isArray(podIPs) && { podIPs: podIPs.map((one) => ({ ip: asString(asRecord(one)['ip']) ?? '' })) }),
    },
  };
}

function parseService(object: unknown): AnnotatedService | undefined {
  const { metadata, spec, status } = asRecord(object);
  const names = namesIn(metadata);
  if (names.annotations === undefined) return undefined;
  return { metadata: names, spec: { type: asString(asRecord(spec)['type']) ?? '' }, status: balancerOf(status) };
}

function parseIngress(object: unknown): NamedIngress | undefined {
  const { spec, status } = asRecord(object);
  const rules = asArray(asRecord(spec)['rules']).map((rule) => ({ host: asString(asRecord(rule)['host']) ?? '' }));
  return { spec: { rules }, status: balancerOf(status) };
}

function balancerOf(status: unknown): NonNullable<AnnotatedService['status']> {
  const ingress = asArray(asRecord(asRecord(status)['loadBalancer'])['ingress']).map((one) => {
    const { ip, hostname } = asRecord(one);
    return { ip: asString(ip) ?? '', hostname: asString(hostname) ?? '' };
  });
  return { loadBalancer: { ingress } };
}

/** Keeps only the annotations that are used: a cluster has many pods, and annotations are large. */
function namesIn(metadata: unknown): {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
} {
  const { name, annotations } = asRecord(metadata);
  const wanted = Object.entries(texts(annotations)).filter(
    ([key]) => NAME_KEYS.includes(key) || key === MIRROR_ANNOTATION,
  );
  return { name: asString(name) ?? '', ...(wanted.length > 0 && { annotations: Object.fromEntries(wanted) }) };
}

const texts = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asRecord(value)).flatMap(([key, one]) => (typeof one === 'string' ? [[key, one]] : [])),
  );
