import { KUBELET_SERVER } from '@kopsctl/spec/node-paths.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { accountWith, bindClusterRole, bindSystemRole } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { certificate, certificateAuthority } from './certificate-authority.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { spread } from './pod-parts.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '../pod-security.ts';

const NAME = 'metrics-server';
const SECRET = 'metrics-server-tls';
const ISSUER = 'metrics-server.addons.k8s.io';
const READ = ['get', 'list', 'watch'];
/** The certificates by which clients of kubelets recognise them. */
const KUBELET_AUTHORITIES = 'kubelet-serving-ca';
const KUBELET_AUTHORITIES_DIR = '/etc/kubelet-serving-ca';

/**
 * Placeholder for these certificates, in base64. protokube's leader fills it in: when this is rendered, the CA may not be there
 * yet.
 */
const KUBELET_AUTHORITIES_FACT = '@{kubeletServingCa}';

/** Resource metrics of pods and nodes, for `kubectl top` and autoscaling (kops addon metrics-server.addons.k8s.io). */
export function metricsServerObjects(facts: ClusterFacts): readonly AddonObject[] {
  const insecure = facts.spec.metricsServer?.insecure === true;
  const labels = { 'k8s-app': NAME };
  return [
    ...(knowsKubelets(facts) ? [kubeletAuthorities()] : []),
    ...accountWith(NAME, 'system:metrics-server', [
      { group: '', resources: ['nodes/metrics'], verbs: ['get'] },
      { group: '', resources: ['configmaps', 'namespaces', 'nodes', 'pods'], verbs: READ },
    ]),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: {
        name: 'system:aggregated-metrics-reader',
        labels: Object.fromEntries(
          ['admin', 'edit', 'view'].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']),
        ),
      },
      rules: [{ apiGroups: ['metrics.k8s.io'], resources: ['nodes', 'pods'], verbs: READ }],
    },
    bindSystemRole('metrics-server-auth-reader', 'extension-apiserver-authentication-reader', NAME),
    bindClusterRole('metrics-server:system:auth-delegator', 'system:auth-delegator', NAME),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: NAME, namespace: 'kube-system', labels },
      spec: { selector: labels, ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 'https' }] },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: {
        name: 'v1beta1.metrics.k8s.io',
        ...(insecure ? {} : { annotations: { 'cert-manager.io/inject-ca-from': `kube-system/${NAME}` } }),
      },
      spec: {
        group: 'metrics.k8s.io',
        groupPriorityMinimum: 100,
        ...(insecure ? { insecureSkipTLSVerify: true } : {}),
        service: { name: NAME, namespace: 'kube-system' },
        version: 'v1beta1',
        versionPriority: 100,
      },
    },
    ...(insecure
      ? []
      : [
          ...certificateAuthority(ISSUER),
          certificate({
            name: NAME,
            issuer: ISSUER,
            secretName: SECRET,
            dnsNames: [`${NAME}.kube-system.svc`],
            usages: ['server auth'],
          }),
        ]),
    disruptionBudget(facts.kubernetes, NAME, labels),
    deployment(facts, insecure),
  ];
}

/** Certificates that a person brings for kubelets may be signed by anybody. */
const knowsKubelets = ({ spec }: ClusterFacts): boolean => spec.kubelet?.tlsCertFile === `${KUBELET_SERVER}.crt`;

const kubeletAuthorities = (): AddonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: KUBELET_AUTHORITIES, namespace: 'kube-system' },
  binaryData: { 'ca.crt': KUBELET_AUTHORITIES_FACT },
});

function deployment(facts: ClusterFacts, insecure: boolean): AddonObject {
  const { spec } = facts;
  const labels = { 'k8s-app': NAME };
  const probe = (path: string) => ({
    httpGet: { path, port: 'https', scheme: 'HTTPS' },
    failureThreshold: 3,
    periodSeconds: 10,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system', labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-cluster-critical',
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: NAME,
          topologySpreadConstraints: spread(labels),
          containers: [
            {
              name: NAME,
              image: spec.metricsServer?.image,
              imagePullPolicy: 'IfNotPresent',
              args: [
                '--secure-port=4443',
                '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
                '--kubelet-use-node-status-port',
                '--metric-resolution=15s',
                ...(insecure
                  ? ['--cert-dir=/tmp']
                  : ['--tls-cert-file=/srv/tls.crt', '--tls-private-key-file=/srv/tls.key']),
                knowsKubelets(facts)
                  ? `--kubelet-certificate-authority=${KUBELET_AUTHORITIES_DIR}/ca.crt`
                  : '--kubelet-insecure-tls',
              ],
              livenessProbe: probe('/livez'),
              readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 20 },
              ports: [{ containerPort: 4443, name: 'https', protocol: 'TCP' }],
              resources: { requests: { cpu: '50m', memory: '128Mi' } },
              securityContext: { ...UNPRIVILEGED, runAsNonRoot: true, runAsUser: 1000 },
              volumeMounts: [
                { mountPath: '/tmp', name: 'tmp-dir' },
                ...(knowsKubelets(facts)
                  ? [{ mountPath: KUBELET_AUTHORITIES_DIR, name: KUBELET_AUTHORITIES, readOnly: true }]
                  : []),
                ...(insecure ? [] : [{ mountPath: '/srv', name: 'certs', readOnly: true }]),
              ],
            },
          ],
          volumes: [
            { name: 'tmp-dir', emptyDir: {} },
            ...(knowsKubelets(facts) ? [{ name: KUBELET_AUTHORITIES, configMap: { name: KUBELET_AUTHORITIES } }] : []),
            ...(insecure ? [] : [{ name: 'certs', secret: { secretName: SECRET } }]),
          ],
        },
      },
    },
  };
}
