import type { CalicoNetworking } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { completedValue } from '../../completed-value.ts';
import type { AddonObject } from '../addon-object.ts';
import { CONTROL_PLANE_ONLY } from '../control-plane-only.ts';
import { ownNodeOnly } from '../own-node-only.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import { variables } from '../pod-parts.ts';
import { calicoAccess } from './calico-access.ts';
import { CALICO_CONFIG, cniConfig, ENDPOINT, isIpv6, tunnelsOf } from './calico-config.ts';
import { calicoKinds } from './calico-kinds.ts';
import { calicoNode } from './calico-node.ts';
import { calicoImage } from './calico-release.ts';
import { calicoTypha } from './calico-typha.ts';
import { DEFAULT_SYSTEM_CALLS, WITHOUT_CAPABILITIES } from '../../pod-security.ts';

/** Calico: it assigns pod addresses itself, and routes them between machines by BGP or tunnels (kops addon networking.projectcalico.org). */
export function calicoObjects(facts: ClusterFacts): readonly AddonObject[] {
  const { spec, apiInternalName, kubernetes, kubernetesVersion } = facts;
  const calico = spec.networking?.calico ?? {};
  const usesTypha = completedValue('spec.networking.calico.typhaReplicas', calico.typhaReplicas) > 0;
  return [
    ...calicoKinds(),
    ...calicoAccess(),
    ...(calico.bpfEnabled === true
      ? [configMap(ENDPOINT, { KUBERNETES_SERVICE_HOST: apiInternalName, KUBERNETES_SERVICE_PORT: '443' })]
      : []),
    configMap(CALICO_CONFIG, {
      typha_service_name: usesTypha ? 'calico-typha' : 'none',
      calico_backend: tunnelsOf(calico).backend,
      veth_mtu: String(completedValue('spec.networking.calico.mtu', calico.mtu)),
      cni_network_config: cniConfig(calico, isIpv6(facts)),
    }),
    calicoNode(facts, calico, usesTypha),
    controllers(calico),
    disruptionBudget(kubernetes, 'calico-kube-controllers', { 'k8s-app': 'calico-kube-controllers' }),
    ...(usesTypha ? calicoTypha(facts, calico) : []),
    ...ownNodeOnly(kubernetesVersion, { name: 'calico-node' }),
  ];
}

const configMap = (name: string, data: Readonly<Record<string, string>>): AddonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
  data: { ...data },
});

/** Garbage collection for deleted nodes. */
function controllers(calico: CalicoNetworking): AddonObject {
  const name = 'calico-kube-controllers';
  const labels = { 'k8s-app': name };
  const probe = (what: string) => ({ exec: { command: ['/usr/bin/check-status', what] }, periodSeconds: 10 });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      // Two replicas would undo each other's work.
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          affinity: CONTROL_PLANE_ONLY,
          priorityClassName: 'system-cluster-critical',
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: name,
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name,
              image: calicoImage(calico, 'kube-controllers'),
              imagePullPolicy: 'IfNotPresent',
              env: variables({ ENABLED_CONTROLLERS: 'node', DATASTORE_TYPE: 'kubernetes' }),
              livenessProbe: { ...probe('-l'), initialDelaySeconds: 10, failureThreshold: 6, timeoutSeconds: 10 },
              readinessProbe: probe('-r'),
              // This user owns the files in its image to which it writes its state.
              securityContext: { ...WITHOUT_CAPABILITIES, runAsNonRoot: true, runAsUser: 999 },
            },
          ],
        },
      },
    },
  };
}
