import type { AddonObject } from '../addon-object.ts';
import { CONTROL_PLANE_ONLY } from '../control-plane-only.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import { spread } from '../pod-parts.ts';
import { ETCD_MOUNTS, etcdVolumes, usesEtcd } from './cilium-etcd.ts';
import { type Cilium, fromConfig, imageOf, loopback, PLACE, resources } from './cilium-parts.ts';
import { CILIUM_CONFIG, OPERATOR_HEALTH_PORT } from './cilium-settings.ts';
import { DEFAULT_SYSTEM_CALLS, WITHOUT_CAPABILITIES } from '../../pod-security.ts';

const LABELS = { 'io.cilium/app': 'operator', name: 'cilium-operator' };

/** The operator: tasks of the whole cluster, such as IPAM, identities and CustomResourceDefinitions. */
export const ciliumOperator = (cilium: Cilium): readonly AddonObject[] => [
  deployment(cilium),
  disruptionBudget(cilium.facts.kubernetes, 'cilium-operator', LABELS),
];

function deployment(cilium: Cilium): AddonObject {
  const { wished } = cilium;
  const name = 'cilium-operator';
  const labels = { ...LABELS, 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'cilium' };
  const annotations = wished.operatorPodAnnotations;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: LABELS },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: {
        metadata: { labels, ...(annotations === undefined ? {} : { annotations }) },
        spec: {
          affinity: CONTROL_PLANE_ONLY,
          hostNetwork: true,
          priorityClassName: 'system-cluster-critical',
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: name,
          tolerations: [{ operator: 'Exists' }],
          topologySpreadConstraints: spread(LABELS),
          containers: [
            {
              name,
              image: imageOf(cilium, 'operator'),
              imagePullPolicy: 'IfNotPresent',
              command: [name],
              args: ['--config-dir=/tmp/cilium/config-map', '--debug=$(CILIUM_DEBUG)'],
              env: [...PLACE, fromConfig('CILIUM_DEBUG', 'debug'), ...cilium.apiEndpoint],
              livenessProbe: {
                httpGet: { host: loopback(cilium), path: '/healthz', port: OPERATOR_HEALTH_PORT, scheme: 'HTTP' },
                initialDelaySeconds: 60,
                periodSeconds: 10,
                timeoutSeconds: 3,
              },
              ...(wished.enablePrometheusMetrics === true
                ? { ports: [{ containerPort: 9963, hostPort: 9963, name: 'prometheus', protocol: 'TCP' }] }
                : {}),
              resources: resources(cilium),
              securityContext: WITHOUT_CAPABILITIES,
              terminationMessagePolicy: 'FallbackToLogsOnError',
              volumeMounts: [
                { mountPath: '/tmp/cilium/config-map', name: 'cilium-config-path', readOnly: true },
                ...(usesEtcd(wished) ? ETCD_MOUNTS : []),
              ],
            },
          ],
          volumes: [
            { name: 'cilium-config-path', configMap: { name: CILIUM_CONFIG } },
            ...(usesEtcd(wished) ? etcdVolumes(CILIUM_CONFIG) : []),
          ],
        },
      },
    },
  };
}
