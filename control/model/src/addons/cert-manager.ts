import type { CertManagerSpec } from '@kopsctl/spec/cluster.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { completedValue } from '../completed-value.ts';
import type { AddonObject } from './addon-object.ts';
import { certManagerAccess, certManagerKinds } from './cert-manager-access.ts';
import { ON_CONTROL_PLANES } from './control-plane-only.ts';
import { fieldVariable } from './pod-parts.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '../pod-security.ts';

const WEBHOOK = 'cert-manager-webhook';
const WEBHOOK_SECRET = 'cert-manager-webhook-ca';
interface Part {
  /** What follows cert-manager- in names; empty for the controller. */
  readonly suffix: '' | '-cainjector' | '-webhook';
  readonly component: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly rest?: JsonObject;
}

/** Whether this suite installs it. Users who install it themselves set managed: false. */
export const managesCertManager = ({ certManager }: { readonly certManager?: CertManagerSpec }): boolean =>
  certManager?.enabled === true && certManager.managed === true;

/** The image of one of its parts, e.g. `webhook`. */
export const certManagerImage = ({ kubernetes }: Pick<ClusterFacts, 'kubernetes'>, name: string): string =>
  `quay.io/jetstack/cert-manager-${name}:${kubernetes.certManagerVersion}`;

/** The image of the pods that answer ACME challenges. */
export const acmeSolverImage = (facts: ClusterFacts): string => certManagerImage(facts, 'acmesolver');

/** cert-manager, which issues and renews certificates (kops addon certmanager.io). */
export function certManagerObjects(facts: ClusterFacts): readonly AddonObject[] {
  const wished = facts.spec.certManager ?? {};
  const gates = Object.entries(wished.featureGates ?? {}).map(([gate, isOn]) => `${gate}=${isOn}`);
  const featureGates = gates.length === 0 ? [] : [`--feature-gates=${gates.join(',')}`];
  return [
    ...certManagerKinds(),
    ...certManagerAccess(),
    service('cert-manager', 'controller', { name: 'tcp-prometheus-servicemonitor', port: 9402, targetPort: 9402 }),
    service(WEBHOOK, 'webhook', { name: 'https', port: 443, targetPort: 'https' }),
    webhooks('MutatingWebhookConfiguration', 'mutate', ['certificaterequests']),
    webhooks('ValidatingWebhookConfiguration', 'validate', ['*/*']),
    deployment(facts, {
      suffix: '',
      component: 'controller',
      image: completedValue('spec.certManager.image', wished.image),
      args: [
        '--v=2',
        '--cluster-resource-namespace=$(POD_NAMESPACE)',
        '--leader-election-namespace=kube-system',
        `--acme-http01-solver-image=${acmeSolverImage(facts)}`,
        '--max-concurrent-challenges=60',
        '--enable-certificate-owner-ref=true',
        ...((wished.nameservers ?? []).length === 0
          ? []
          : [`--dns01-recursive-nameservers=${wished.nameservers?.join(',')}`, '--dns01-recursive-nameservers-only']),
        ...(wished.defaultIssuer === undefined || wished.defaultIssuer === ''
          ? []
          : [`--default-issuer-name=${wished.defaultIssuer}`, '--default-issuer-kind=ClusterIssuer']),
        ...featureGates,
      ],
      rest: { ports: [{ containerPort: 9402, name: 'http-metrics', protocol: 'TCP' }] },
    }),
    deployment(facts, {
      suffix: '-cainjector',
      component: 'cainjector',
      image: certManagerImage(facts, 'cainjector'),
      args: ['--v=2', '--leader-election-namespace=kube-system'],
    }),
    deployment(facts, {
      suffix: '-webhook',
      component: 'webhook',
      image: certManagerImage(facts, 'webhook'),
      args: [
        '--v=2',
        '--secure-port=10250',
        '--dynamic-serving-ca-secret-namespace=$(POD_NAMESPACE)',
        `--dynamic-serving-ca-secret-name=${WEBHOOK_SECRET}`,
        `--dynamic-serving-dns-names=${WEBHOOK},${WEBHOOK}.$(POD_NAMESPACE),${WEBHOOK}.$(POD_NAMESPACE).svc`,
        // Feature gates that add fields to certificates have to be set in the webhook too.
        ...featureGates.filter((flag) => flag.includes('AdditionalCertificateOutputFormats')),
      ],
      rest: {
        livenessProbe: { httpGet: { path: '/livez', port: 6080, scheme: 'HTTP' }, initialDelaySeconds: 60 },
        readinessProbe: { httpGet: { path: '/healthz', port: 6080, scheme: 'HTTP' }, initialDelaySeconds: 5 },
        ports: [
          { containerPort: 10250, name: 'https', protocol: 'TCP' },
          { containerPort: 6080, name: 'healthcheck', protocol: 'TCP' },
        ],
      },
    }),
  ];
}

const labelsOf = (component: string): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/instance': 'cert-manager',
  'app.kubernetes.io/name': component === 'controller' ? 'cert-manager' : component,
});

function deployment(facts: ClusterFacts, { suffix, component, image, args, rest = {} }: Part): AddonObject {
  const name = `cert-manager${suffix}`;
  const labels = labelsOf(component);
  const pod = podOf(name, { image, args, rest });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: facts.cloud.addons.withRole?.(facts, name, pod) ?? pod,
      },
    },
  };
}

const podOf = (name: string, { image, args, rest = {} }: Pick<Part, 'image' | 'args' | 'rest'>): JsonObject => ({
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  // Other addons wait for their certificates.
  priorityClassName: 'system-cluster-critical',
  securityContext: { ...DEFAULT_SYSTEM_CALLS, runAsNonRoot: true },
  serviceAccountName: name,
  // It reads all Secrets and makes pods, the injector changes webhooks, and the webhook answers the API server.
  ...ON_CONTROL_PLANES,
  containers: [
    {
      name,
      image,
      imagePullPolicy: 'IfNotPresent',
      args,
      env: [fieldVariable('POD_NAMESPACE', 'metadata.namespace')],
      securityContext: UNPRIVILEGED,
      ...rest,
    },
  ],
});

const service = (name: string, component: string, port: JsonObject): AddonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'kube-system', labels: labelsOf(component) },
  spec: { selector: labelsOf(component), ports: [{ protocol: 'TCP', ...port }] },
});

/** cert-manager's webhook validates its objects and sets defaults. */
const webhooks = (kind: string, path: string, resources: readonly string[]): AddonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: {
    name: WEBHOOK,
    annotations: { 'cert-manager.io/inject-ca-from-secret': `kube-system/${WEBHOOK_SECRET}` },
  },
  webhooks: [
    {
      name: 'webhook.cert-manager.io',
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { name: WEBHOOK, namespace: 'kube-system', path: `/${path}` } },
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      rules: [
        {
          apiGroups: path === 'mutate' ? ['cert-manager.io'] : ['cert-manager.io', 'acme.cert-manager.io'],
          apiVersions: ['v1'],
          operations: path === 'mutate' ? ['CREATE'] : ['CREATE', 'UPDATE'],
          resources,
        },
      ],
      sideEffects: 'None',
      timeoutSeconds: 30,
    },
  ],
});
