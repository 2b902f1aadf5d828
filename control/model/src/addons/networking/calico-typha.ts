import type { CalicoNetworking } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import type { AddonObject } from '../addon-object.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import { spread, variables } from '../pod-parts.ts';
import { API_ENDPOINT } from './calico-config.ts';
import { calicoImage } from './calico-release.ts';
import { DEFAULT_SYSTEM_CALLS, WITHOUT_CAPABILITIES } from '../../pod-security.ts';

/** Typha, which shares its watches of the API server with many calico-nodes; only if the spec asks for it. */
export function calicoTypha(facts: ClusterFacts, calico: CalicoNetworking): readonly AddonObject[] {
  const name = 'calico-typha';
  const labels = { 'k8s-app': name };
  const metrics = calico.typhaPrometheusMetricsEnabled === true;
  const metricsPort = calico.typhaPrometheusMetricsPort;
  const probe = (path: string) => ({ httpGet: { host: 'localhost', path, port: 9098 } });
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'kube-system', labels },
      spec: { ports: [{ name, port: 5473, protocol: 'TCP', targetPort: name }], selector: labels },
    },
    disruptionBudget(facts.kubernetes, name, labels),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'kube-system', labels },
      spec: {
        replicas: calico.typhaReplicas,
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels,
            annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
          },
          spec: {
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            hostNetwork: true,
            priorityClassName: 'system-cluster-critical',
            securityContext: DEFAULT_SYSTEM_CALLS,
            // It watches the API on behalf of calico-node, so it has the same permissions.
            serviceAccountName: 'calico-node',
            // The pod network waits for it, even where there is no worker yet or all workers are tainted.
            tolerations: [
              { key: 'CriticalAddonsOnly', operator: 'Exists' },
              { effect: 'NoExecute', operator: 'Exists' },
              { effect: 'NoSchedule', operator: 'Exists' },
            ],
            topologySpreadConstraints: spread(labels),
            containers: [
              {
                name,
                image: calicoImage(calico, 'typha'),
                imagePullPolicy: 'IfNotPresent',
                envFrom: API_ENDPOINT,
                env: variables({
                  TYPHA_CONNECTIONREBALANCINGMODE: 'kubernetes',
                  TYPHA_DATASTORETYPE: 'kubernetes',
                  TYPHA_HEALTHENABLED: true,
                  TYPHA_LOGFILEPATH: 'none',
                  TYPHA_LOGSEVERITYSCREEN: 'info',
                  TYPHA_LOGSEVERITYSYS: 'none',
                  TYPHA_PROMETHEUSMETRICSENABLED: metrics,
                  TYPHA_PROMETHEUSMETRICSPORT: metricsPort,
                }),
                ports: [
                  { containerPort: 5473, name, protocol: 'TCP' },
                  ...(metrics ? [{ containerPort: metricsPort, name: 'metrics', protocol: 'TCP' }] : []),
                ],
                livenessProbe: { ...probe('/liveness'), periodSeconds: 30, initialDelaySeconds: 30 },
                readinessProbe: { ...probe('/readiness'), periodSeconds: 10 },
                securityContext: { ...WITHOUT_CAPABILITIES, runAsNonRoot: true },
              },
            ],
          },
        },
      },
    },
  ];
}
