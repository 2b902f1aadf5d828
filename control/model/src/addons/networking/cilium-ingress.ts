import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import { ingressServiceOf } from '@kopsctl/spec/ingress-service.ts';
import type { Rule } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { byKubernetes, type ByKubernetes } from '../by-kubernetes.ts';
import { ENVOY_SECRETS } from './cilium-secrets.ts';

const READ = ['get', 'list', 'watch'];

export const usesIngress = ({ ingress }: CiliumNetworking): boolean => ingress?.enabled === true;

/** Settings of the Ingress controller. What the spec leaves open is Cilium's default: HTTPS, and a load balancer for each Ingress. */
export function ingressSettings(wished: CiliumNetworking) {
  const { ingress = {} } = wished;
  return {
    'enable-ingress-controller': true,
    'enable-ingress-secrets-sync': ingress.enableSecretsSync,
    'enforce-ingress-https': ingress.enforceHttps,
    'ingress-default-lb-mode': ingress.defaultLoadBalancerMode,
    'ingress-lb-annotation-prefixes': ingress.loadBalancerAnnotationPrefixes,
    'ingress-secrets-namespace': ENVOY_SECRETS,
    'ingress-shared-lb-service-name': ingressServiceOf(wished),
  };
}

/** What the operator needs for Ingresses. */
export const INGRESS_RULES: readonly Rule[] = [
  { group: 'networking.k8s.io', resources: ['ingresses', 'ingressclasses'], verbs: READ },
  { group: 'networking.k8s.io', resources: ['ingresses/status'], verbs: ['update'] },
];

/** The class of Ingresses that Cilium serves, and the load balancer that they share, where they share one. */
export const ingressObjects = (kubernetesVersion: string, wished: CiliumNetworking): readonly AddonObject[] => [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'cilium' },
    spec: { controller: 'cilium.io/ingress-controller' },
  },
  ...(wished.ingress?.defaultLoadBalancerMode === 'shared'
    ? sharedService(kubernetesVersion, ingressServiceOf(wished))
    : []),
];

/**
 * Agents send what arrives for this Service to Envoy, and never to its endpoint. Without one, clouds and agents would leave the
 * Service out. The address is the one in Cilium's own chart.
 */
function sharedService(kubernetesVersion: string, name: string): readonly AddonObject[] {
  const metadata = { name, namespace: 'kube-system', labels: { 'app.kubernetes.io/part-of': 'cilium' } };
  const port = (title: string, number: number) => ({ name: title, port: number, protocol: 'TCP' });
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels: { ...metadata.labels, 'cilium.io/ingress': 'true' } },
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Cluster',
        ports: [port('http', 80), port('https', 443)],
      },
    },
    byKubernetes(ENDPOINT, kubernetesVersion)(metadata),
  ];
}

interface Named {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

const NOWHERE = '192.192.192.192';
const PORT = 9999;

/** Kubernetes has EndpointSlices in v1 since 1.21, and warns of Endpoints since 1.33. */
const ENDPOINT: ByKubernetes<(named: Named) => AddonObject> = [
  {
    since: '1.20.0',
    use: (metadata) => ({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...metadata },
      subsets: [{ addresses: [{ ip: NOWHERE }], ports: [{ port: PORT }] }],
    }),
  },
  {
    since: '1.21.0',
    use: ({ name, namespace, labels }) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace, labels: { ...labels, 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [NOWHERE] }],
      ports: [{ port: PORT }],
    }),
  },
];
