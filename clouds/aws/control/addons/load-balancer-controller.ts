import { cloudLabels } from '@kopsctl/model/addons/cloud-labels.ts';
import semver from 'semver';
import type { Json } from '@kopsctl/tasks/task.ts';
import { regionOf } from '../region.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { accountWith, roleIn, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { certificate, certificateAuthority } from '@kopsctl/model/addons/certificate-authority.ts';
import { customKind } from '@kopsctl/model/addons/custom-kind.ts';
import { disruptionBudget } from '@kopsctl/model/addons/disruption-budget.ts';
import { spread } from '@kopsctl/model/addons/pod-parts.ts';
import { callingAws } from './aws-identity.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

const NAME = 'aws-load-balancer-controller';
const SERVICE = 'aws-load-balancer-webhook-service';
const CERTIFICATE = 'aws-load-balancer-serving-cert';
const SECRET = 'aws-load-balancer-webhook-tls';
const WEBHOOKS = 'aws-load-balancer-webhook';
const GROUP = 'elbv2.k8s.aws';
const LEADER = 'aws-load-balancer-controller-leader';
const READ = ['get', 'list', 'watch'];
const WRITE = [...READ, 'patch', 'update'];

const RULES: readonly Rule[] = [
  { group: '', resources: ['endpoints', 'namespaces', 'nodes', 'pods'], verbs: READ },
  { group: '', resources: ['secrets'], verbs: READ },
  { group: '', resources: ['services'], verbs: WRITE },
  { group: '', resources: ['pods/status', 'services/status'], verbs: ['patch', 'update'] },
  { group: '', resources: ['events'], verbs: ['create', 'patch'] },
  { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: READ },
  { group: GROUP, resources: ['ingressclassparams'], verbs: READ },
  { group: GROUP, resources: ['targetgroupbindings'], verbs: [...WRITE, 'create', 'delete'] },
  { group: GROUP, resources: ['targetgroupbindings/status'], verbs: ['patch', 'update'] },
  { group: 'networking.k8s.io', resources: ['ingressclasses'], verbs: READ },
  { group: 'networking.k8s.io', resources: ['ingresses'], verbs: WRITE },
  { group: 'networking.k8s.io', resources: ['ingresses/status'], verbs: ['patch', 'update'] },
];

/** AWS load balancers for Ingresses and Services (kops addon aws-load-balancer-controller.addons.k8s.io). */
export function loadBalancerControllerObjects(facts: ClusterFacts): readonly AddonObject[] {
  const labels = { 'app.kubernetes.io/component': 'controller', 'app.kubernetes.io/name': NAME };
  return [
    customKind({ group: GROUP, kind: 'IngressClassParams', plural: 'ingressclassparams', version: 'v1beta1' }),
    customKind({ group: GROUP, kind: 'TargetGroupBinding', version: 'v1beta1', scope: 'Namespaced', hasStatus: true }),
    ...accountWith(NAME, `${NAME}-role`, RULES),
    ...roleIn(`${NAME}-leader-election-role`, NAME, [
      { group: '', resources: ['configmaps'], verbs: ['create'] },
      { group: '', resources: ['configmaps'], names: [LEADER], verbs: ['get', 'patch', 'update'] },
      { group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create'] },
      { group: 'coordination.k8s.io', resources: ['leases'], names: [LEADER], verbs: ['get', 'patch', 'update'] },
    ]),
    ...certificateAuthority(NAME),
    certificate({
      name: CERTIFICATE,
      issuer: NAME,
      secretName: SECRET,
      dnsNames: [`${SERVICE}.kube-system.svc`, `${SERVICE}.kube-system.svc.${facts.clusterDomain}`],
    }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: SERVICE, namespace: 'kube-system' },
      spec: { selector: labels, ports: [{ port: 443, protocol: 'TCP', targetPort: 9443 }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'alb' },
      spec: { controller: 'ingress.k8s.aws/alb' },
    },
    ...webhooks(),
    disruptionBudget(facts.kubernetes, NAME, labels),
    controller(facts, labels),
  ];
}

/** From this release on it expects the CRDs of the Gateway API, which this addon does not contain. */
const KNOWS_GATEWAYS = '3.0.0';

const withoutGateways = (version = ''): readonly string[] =>
  semver.gte(semver.coerce(version) ?? KNOWS_GATEWAYS, KNOWS_GATEWAYS)
    ? ['--feature-gates=ALBGatewayAPI=false,NLBGatewayAPI=false']
    : [];

function controller(facts: ClusterFacts, labels: Readonly<Record<string, string>>): AddonObject {
  const wished = facts.spec.awsLoadBalancerController ?? {};
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      // Two replicas on one machine would compete for its ports.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: {
        metadata: { labels },
        spec: callingAws(facts, NAME, {
          priorityClassName: 'system-cluster-critical',
          securityContext: { ...DEFAULT_SYSTEM_CALLS, fsGroup: 1337 },
          terminationGracePeriodSeconds: 10,
          topologySpreadConstraints: spread(labels),
          containers: [
            {
              name: 'controller',
              image: `public.ecr.aws/eks/${NAME}:${wished.version}`,
              args: [
                '--metrics-bind-addr=:9442',
                `--cluster-name=${facts.clusterName}`,
                `--enable-waf=${wished.enableWAF}`,
                `--enable-wafv2=${wished.enableWAFv2}`,
                `--enable-shield=${wished.enableShield}`,
                '--ingress-class=alb',
                ...withoutGateways(wished.version),
                `--default-tags=${cloudLabels(facts)}`,
                `--aws-region=${regionOf(facts.clusterName, facts.spec)}`,
              ],
              livenessProbe: {
                httpGet: { path: '/healthz', port: 61779, scheme: 'HTTP' },
                failureThreshold: 2,
                initialDelaySeconds: 30,
                timeoutSeconds: 10,
              },
              ports: [{ containerPort: 9443, name: 'webhook-server', protocol: 'TCP' }],
              resources: {
                limits: { cpu: String(wished.cpuLimit), memory: String(wished.memoryLimit) },
                requests: { cpu: String(wished.cpuRequest), memory: String(wished.memoryRequest) },
              },
              securityContext: { ...UNPRIVILEGED, runAsNonRoot: true },
              volumeMounts: [{ mountPath: '/tmp/k8s-webhook-server/serving-certs', name: 'cert', readOnly: true }],
            },
          ],
          volumes: [{ name: 'cert', secret: { secretName: SECRET } }],
        }),
      },
    },
  };
}

interface Hook {
  readonly name: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly operations: readonly string[];
  /** The webhook sees only objects in namespaces with this label. */
  readonly namespaceLabel?: string;
}

const MUTATING: readonly Hook[] = [
  {
    name: 'mpod.elbv2.k8s.aws',
    path: '/mutate-v1-pod',
    group: '',
    version: 'v1',
    resource: 'pods',
    operations: ['CREATE'],
    // Pods get a readiness gate for their load balancer only in namespaces with this label.
    namespaceLabel: 'elbv2.k8s.aws/pod-readiness-gate-inject',
  },
  {
    name: 'mtargetgroupbinding.elbv2.k8s.aws',
    path: '/mutate-elbv2-k8s-aws-v1beta1-targetgroupbinding',
    group: GROUP,
    version: 'v1beta1',
    resource: 'targetgroupbindings',
    operations: ['CREATE', 'UPDATE'],
  },
];
const VALIDATING: readonly Hook[] = [
  {
    name: 'vtargetgroupbinding.elbv2.k8s.aws',
    path: '/validate-elbv2-k8s-aws-v1beta1-targetgroupbinding',
    group: GROUP,
    version: 'v1beta1',
    resource: 'targetgroupbindings',
    operations: ['CREATE', 'UPDATE'],
  },
  {
    name: 'vingress.elbv2.k8s.aws',
    path: '/validate-networking-v1-ingress',
    group: 'networking.k8s.io',
    version: 'v1',
    resource: 'ingresses',
    operations: ['CREATE', 'UPDATE'],
  },
];

const webhooks = (): readonly AddonObject[] =>
  [
    { kind: 'MutatingWebhookConfiguration', hooks: MUTATING },
    { kind: 'ValidatingWebhookConfiguration', hooks: VALIDATING },
  ].map(({ kind, hooks }) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: {
      name: WEBHOOKS,
      annotations: { 'cert-manager.io/inject-ca-from': `kube-system/${CERTIFICATE}` },
    },
    webhooks: hooks.map(webhook),
  }));

const webhook = ({ name, path, group, version, resource, operations, namespaceLabel }: Hook): Json => ({
  name,
  admissionReviewVersions: ['v1beta1'],
  clientConfig: { service: { name: SERVICE, namespace: 'kube-system', path } },
  failurePolicy: 'Fail',
  ...(namespaceLabel === undefined
    ? {}
    : { namespaceSelector: { matchExpressions: [{ key: namespaceLabel, operator: 'In', values: ['enabled'] }] } }),
  rules: [{ apiGroups: [group], apiVersions: [version], operations, resources: [resource] }],
  sideEffects: 'None',
});
