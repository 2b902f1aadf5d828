import { regionOf } from '../region.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { accountWith, roleIn } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { byKubernetes, type ByKubernetes } from '@kopsctl/model/addons/by-kubernetes.ts';
import { certificate, certificateAuthority } from '@kopsctl/model/addons/certificate-authority.ts';
import { ON_CONTROL_PLANES } from '@kopsctl/model/addons/control-plane-only.ts';
import { disruptionBudget } from '@kopsctl/model/addons/disruption-budget.ts';
import { spread } from '@kopsctl/model/addons/pod-parts.ts';
import { roleArn } from './aws-identity.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

const NAME = 'pod-identity-webhook';
const SECRET = 'pod-identity-webhook-cert';
const IMAGE = 'docker.io/amazon/amazon-eks-pod-identity-webhook:v0.5.7';
const READ = ['get', 'list', 'watch'];
const TOKEN_SECONDS = 86_400;

/**
 * A pod that starts without its role fails in ways that are hard to trace back to this webhook. From 1.21 on namespaces
 * are labelled with their name; before, pods of kube-system, which the webhook itself needs, cannot be told apart from
 * others.
 */
const WITHOUT_ANSWER: ByKubernetes<string> = [
  { since: '1.20.0', use: 'Ignore' },
  { since: '1.21.0', use: 'Fail' },
];

/**
 * Gives pods the role of their service account; a service account in spec.iam needs no annotation (kops addon
 * eks-pod-identity-webhook.addons.k8s.io).
 */
export function podIdentityWebhookObjects(facts: ClusterFacts): readonly AddonObject[] {
  const labels = { app: NAME };
  return [
    ...accountWith(NAME, NAME, [{ group: '', resources: ['serviceaccounts'], verbs: READ }]),
    ...roleIn(NAME, NAME, [{ group: '', resources: ['configmaps'], verbs: READ }]),
    ...certificateAuthority('eks-pod-identity-webhook.addons.k8s.io'),
    certificate({
      name: NAME,
      issuer: 'eks-pod-identity-webhook.addons.k8s.io',
      secretName: SECRET,
      dnsNames: [NAME, `${NAME}.kube-system`, `${NAME}.kube-system.svc`],
    }),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: NAME, namespace: 'kube-system' },
      data: { config: JSON.stringify(rolesOf(facts)) },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: NAME, namespace: 'kube-system' },
      spec: { selector: labels, ports: [{ port: 443, protocol: 'TCP', targetPort: 443 }] },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: NAME, annotations: { 'cert-manager.io/inject-ca-from': `kube-system/${NAME}` } },
      webhooks: [
        webhook(
          'pod-identity-webhook.amazonaws.com',
          { operator: 'NotIn', values: ['kube-system', 'kube-flannel'] },
          byKubernetes(WITHOUT_ANSWER, facts.kubernetesVersion),
        ),
        // Pods of kube-system may start before this webhook, and must not wait for it: it needs some of them itself.
        webhook(
          'kube-system.pod-identity-webhook.amazonaws.com',
          { operator: 'In', values: ['kube-system'] },
          'Ignore',
        ),
      ],
    },
    disruptionBudget(facts.kubernetes, NAME, labels, '50%'),
    deployment(facts, labels),
  ];
}

const webhook = (name: string, namespaces: { operator: string; values: readonly string[] }, failurePolicy: string) => ({
  name,
  admissionReviewVersions: ['v1beta1'],
  clientConfig: { service: { name: NAME, namespace: 'kube-system', path: '/mutate' } },
  failurePolicy,
  namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', ...namespaces }] },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  sideEffects: 'None',
});

/**
 * Roles of the service accounts in the spec. A role for several namespaces has to be named by an annotation of the
 * account.
 */
function rolesOf(facts: ClusterFacts) {
  const accounts = facts.spec.iam?.serviceAccountExternalPermissions ?? [];
  return Object.fromEntries(
    accounts.flatMap(({ name = '', namespace = '' }) =>
      namespace.includes('*')
        ? []
        : [
            [
              `${namespace}/${name}`,
              {
                RoleARN: roleArn(facts, { name, namespace }),
                Audience: 'amazonaws.com',
                UseRegionalSTS: true,
                TokenExpiration: TOKEN_SECONDS,
              },
            ],
          ],
    ),
  );
}

const deployment = (facts: ClusterFacts, labels: Readonly<Record<string, string>>): AddonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: NAME, namespace: 'kube-system', labels },
  spec: {
    replicas: completedValue('spec.podIdentityWebhook.replicas', facts.spec.podIdentityWebhook?.replicas),
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        priorityClassName: 'system-cluster-critical',
        securityContext: DEFAULT_SYSTEM_CALLS,
        serviceAccountName: NAME,
        // Every pod that is created passes through it, and it may change each.
        ...ON_CONTROL_PLANES,
        topologySpreadConstraints: spread(labels),
        containers: [
          {
            name: NAME,
            image: IMAGE,
            imagePullPolicy: 'IfNotPresent',
            command: [
              '/webhook',
              '--in-cluster=false',
              '--namespace=kube-system',
              `--service-name=${NAME}`,
              '--annotation-prefix=eks.amazonaws.com',
              '--token-audience=amazonaws.com',
              '--logtostderr',
              '--watch-config-map',
              '--sts-regional-endpoint',
              `--aws-default-region=${regionOf(facts.clusterName, facts.spec)}`,
              '--v=5',
            ],
            readinessProbe: { httpGet: { path: '/healthz', port: 9999, scheme: 'HTTP' }, periodSeconds: 5 },
            // It serves port 443.
            securityContext: { ...UNPRIVILEGED, capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } },
            volumeMounts: [{ mountPath: '/etc/webhook/certs', name: 'cert', readOnly: true }],
          },
        ],
        volumes: [{ name: 'cert', secret: { secretName: SECRET } }],
      },
    },
  },
});
