import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { completedValue } from '../../completed-value.ts';
import type { AddonObject } from '../addon-object.ts';
import { byKubernetes, type ByKubernetes } from '../by-kubernetes.ts';
import { certificate, certificateAuthority } from '../certificate-authority.ts';
import { spread } from '../pod-parts.ts';
import { runAs, WITHOUT_CAPABILITIES } from '../../pod-security.ts';

const RELAY = 'hubble-relay';
const RELAY_CONFIG = 'hubble-relay-config';
const LABELS = { 'k8s-app': RELAY };
/** kops's name of the issuer. */
const ISSUER = 'networking.cilium.io';
const PEERS = 'hubble-peer';

/** Each relay asks the agent on its own machine for the list of peers. Before 1.22 it asks any agent, which gives the same list. */
const PEER_TRAFFIC: ByKubernetes<JsonObject> = [
  { since: '1.20.0', use: {} },
  { since: '1.22.0', use: { internalTrafficPolicy: 'Local' } },
];

export const usesHubble = ({ hubble }: CiliumNetworking): boolean => hubble?.enabled === true;

/** Hubble's relay, which collects the flows of all of Cilium's agents. cert-manager issues the certificates of both sides. */
export function hubbleObjects(facts: ClusterFacts, wished: CiliumNetworking, image: string): readonly AddonObject[] {
  const clusterName = completedValue('spec.networking.cilium.clusterName', wished.clusterName).replaceAll('.', '-');
  const service = (name: string, spec: JsonObject): AddonObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'kube-system', labels: { 'app.kubernetes.io/part-of': 'cilium' } },
    spec,
  });
  const config = {
    'cluster-name': wished.clusterName,
    'peer-service': `${PEERS}.kube-system.svc.${facts.clusterDomain}:443`,
    'listen-address': ':4245',
    'disable-server-tls': true,
    'tls-client-cert-file': '/var/lib/hubble-relay/tls/tls.crt',
    'tls-client-key-file': '/var/lib/hubble-relay/tls/tls.key',
    'tls-hubble-server-ca-files': '/var/lib/hubble-relay/tls/ca.crt',
  };
  return [
    ...certificateAuthority(ISSUER),
    certificate({
      name: 'hubble-server-certs',
      issuer: ISSUER,
      secretName: 'hubble-server-certs',
      dnsNames: [`*.${clusterName}.hubble-grpc.cilium.io`],
    }),
    certificate({
      name: 'hubble-relay-client-certs',
      issuer: ISSUER,
      secretName: 'hubble-relay-client-certs',
      dnsNames: ['hubble-relay-client'],
      usages: ['client auth'],
    }),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: RELAY, namespace: 'kube-system' } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: RELAY_CONFIG, namespace: 'kube-system' },
      // JSON is YAML.
      data: { 'config.yaml': JSON.stringify(config, null, 2) },
    },
    service(PEERS, {
      selector: { 'k8s-app': 'cilium' },
      ports: [{ name: 'peer-service', port: 443, protocol: 'TCP', targetPort: 4244 }],
      ...byKubernetes(PEER_TRAFFIC, facts.kubernetesVersion),
    }),
    service(RELAY, { type: 'ClusterIP', selector: LABELS, ports: [{ port: 80, protocol: 'TCP', targetPort: 4245 }] }),
    ...((wished.hubble?.metrics ?? []).length === 0
      ? []
      : [
          service('hubble-metrics', {
            clusterIP: 'None',
            selector: { 'k8s-app': 'cilium' },
            ports: [{ name: 'hubble-metrics', port: 9965, protocol: 'TCP', targetPort: 'hubble-metrics' }],
          }),
        ]),
    relay(image, wished.debug === true),
  ];
}

const relay = (image: string, debug: boolean): AddonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: RELAY, namespace: 'kube-system', labels: LABELS },
  spec: {
    replicas: 2,
    selector: { matchLabels: LABELS },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    template: {
      metadata: { labels: LABELS },
      spec: {
        // The user of its image.
        securityContext: runAs(65_532),
        serviceAccountName: RELAY,
        terminationGracePeriodSeconds: 0,
        topologySpreadConstraints: spread(LABELS),
        containers: [
          {
            name: RELAY,
            image,
            imagePullPolicy: 'IfNotPresent',
            command: [RELAY],
            args: ['serve', ...(debug ? ['--debug'] : [])],
            ports: [{ containerPort: 4245, name: 'grpc', protocol: 'TCP' }],
            readinessProbe: { tcpSocket: { port: 'grpc' } },
            livenessProbe: { tcpSocket: { port: 'grpc' } },
            securityContext: WITHOUT_CAPABILITIES,
            terminationMessagePolicy: 'FallbackToLogsOnError',
            volumeMounts: [
              { mountPath: '/etc/hubble-relay', name: 'config', readOnly: true },
              { mountPath: '/var/lib/hubble-relay/tls', name: 'tls', readOnly: true },
            ],
          },
        ],
        volumes: [
          { name: 'config', configMap: { name: RELAY_CONFIG } },
          { name: 'tls', secret: { secretName: 'hubble-relay-client-certs' } },
        ],
      },
    },
  },
});
