import type { ClusterFacts } from '../cluster-facts.ts';
import { completedValue } from '../completed-value.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '../pod-security.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { accountWith } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { variables } from './pod-parts.ts';

const NAME = 'external-dns';
const IMAGE = 'registry.k8s.io/external-dns/external-dns:v0.14.1';
const LABELS = { 'k8s-app': NAME };
const READ = ['get', 'list', 'watch'];

/** What external-dns is told about a cloud. */
export interface ExternalDnsCloud {
  /** Flags that say which provider has the zones, and where. */
  readonly flags: readonly string[];
  /** The only zone that it manages, by id or by domain. Undefined for all that it finds. */
  readonly zone: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Places a pod of this service account where it may call the cloud. */
  readonly callingCloud: (account: string, pod: JsonObject) => JsonObject;
}

/** Publishes names in the cluster's zone for Services, pods and Ingresses (kops addon external-dns.addons.k8s.io). */
export function externalDnsObjects(facts: ClusterFacts, cloud: ExternalDnsCloud): readonly AddonObject[] {
  return [
    ...accountWith(NAME, 'kops:external-dns', [
      { group: '', resources: ['endpoints', 'nodes', 'pods', 'services'], verbs: READ },
      { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: READ },
      { group: 'networking.k8s.io', resources: ['ingresses'], verbs: READ },
    ]),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
      spec: { selector: LABELS, ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }] },
    },
    deployment(facts, cloud),
  ];
}

function deployment(facts: ClusterFacts, cloud: ExternalDnsCloud): AddonObject {
  const { watchIngress, watchNamespace, priorityClassName } = facts.spec.externalDns ?? {};
  const probe = { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
    spec: {
      replicas: 1,
      selector: { matchLabels: LABELS },
      // Two replicas would overwrite the records of each other.
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels: LABELS },
        spec: cloud.callingCloud(NAME, {
          // It may publish names that the cluster's own DNS depends on.
          dnsPolicy: 'Default',
          priorityClassName: completedValue('spec.externalDns.priorityClassName', priorityClassName),
          securityContext: runAs(NOBODY),
          containers: [
            {
              name: NAME,
              image: IMAGE,
              imagePullPolicy: 'IfNotPresent',
              args: [
                ...cloud.flags,
                '--events',
                // kops: unlike its dns-controller, external-dns watches them unless the spec says no. What it stops watching, it
                // takes out of the zone.
                ...(watchIngress === false ? [] : ['--source=ingress']),
                '--source=pod',
                '--source=service',
                // It also reads the annotations of kops's dns-controller.
                '--compatibility=kops-dns-controller',
                '--registry=txt',
                `--txt-owner-id=kops-${facts.clusterName}`,
                ...zoneFilter(cloud.zone),
                ...(watchNamespace === undefined || watchNamespace === '' ? [] : [`--namespace=${watchNamespace}`]),
              ],
              env: variables({
                ...cloud.env,
                // The cluster IPs of Services are not reachable before the network runs, and the network may need a
                // name.
                KUBERNETES_SERVICE_HOST: '127.0.0.1',
                KUBERNETES_SERVICE_PORT: 443,
              }),
              livenessProbe: { ...probe, initialDelaySeconds: 10, failureThreshold: 2 },
              readinessProbe: { ...probe, initialDelaySeconds: 5, failureThreshold: 6 },
              ports: [{ containerPort: 7979, name: 'http', protocol: 'TCP' }],
              resources: { requests: { cpu: '50m', memory: '50Mi' } },
              securityContext: UNPRIVILEGED,
            },
          ],
        }),
      },
    },
  };
}

function zoneFilter(zone: string | undefined): readonly string[] {
  if (zone === undefined || zone === '') return [];
  return zone.includes('.') ? [`--domain-filter=${zone.replace(/\.$/, '')}`] : [`--zone-id-filter=${zone}`];
}
