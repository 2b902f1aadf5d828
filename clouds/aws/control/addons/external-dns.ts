import { regionOf } from '../region.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { accountWith } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { variables } from '@kopsctl/model/addons/pod-parts.ts';
import { callingAws } from './aws-identity.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

const NAME = 'external-dns';
const IMAGE = 'registry.k8s.io/external-dns/external-dns:v0.15.0';
const LABELS = { 'k8s-app': NAME };
const READ = ['get', 'list', 'watch'];

export const usesExternalDns = ({ spec }: Pick<ClusterFacts, 'spec'>): boolean =>
  spec.externalDns?.provider === 'external-dns' && spec.externalDns.disable !== true;

/** Publishes names in the cluster's zone for Services, pods and Ingresses (kops addon external-dns.addons.k8s.io). */
export function externalDnsObjects(facts: ClusterFacts): readonly AddonObject[] {
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
    deployment(facts),
  ];
}

function deployment(facts: ClusterFacts): AddonObject {
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
        spec: callingAws(facts, NAME, {
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
                '--provider=aws',
                '--events',
                ...(watchIngress === true ? ['--source=ingress'] : []),
                '--source=pod',
                '--source=service',
                // It also reads the annotations of kops's dns-controller.
                '--compatibility=kops-dns-controller',
                '--registry=txt',
                `--txt-owner-id=kops-${facts.clusterName}`,
                ...zoneFilter(facts.spec.dnsZone),
                ...(watchNamespace === undefined || watchNamespace === '' ? [] : [`--namespace=${watchNamespace}`]),
              ],
              env: variables({
                AWS_REGION: regionOf(facts.clusterName, facts.spec),
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

/** The zone is given by id or by domain. */
function zoneFilter(zone: string | undefined): readonly string[] {
  if (zone === undefined || zone === '') return [];
  return zone.includes('.') ? [`--domain-filter=${zone.replace(/\.$/, '')}`] : [`--zone-id-filter=${zone}`];
}
