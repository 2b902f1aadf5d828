import type { ClusterFacts } from '../../cluster-facts.ts';
import { completedValue } from '../../completed-value.ts';
import type { AddonObject } from '../addon-object.ts';
import { variables } from '../pod-parts.ts';
import { ciliumAccess } from './cilium-access.ts';
import { ciliumAgent } from './cilium-agent.ts';
import { etcdClient, usesEtcd } from './cilium-etcd.ts';
import { ingressObjects, usesIngress } from './cilium-ingress.ts';
import { ciliumOperator } from './cilium-operator.ts';
import { imageOf } from './cilium-parts.ts';
import { ciliumPolicies } from './cilium-policies.ts';
import { CILIUM_CONFIG, ciliumSettings } from './cilium-settings.ts';
import { hubbleObjects, usesHubble } from './hubble.ts';
import { ipsecKeys, usesIpsec } from './ipsec.ts';

/** Cilium: pod network and policies by eBPF and, if the spec asks for it, Services too (kops addon networking.cilium.io). */
export function ciliumObjects(facts: ClusterFacts): readonly AddonObject[] {
  const wished = facts.spec.networking?.cilium ?? {};
  const version = completedValue('spec.networking.cilium.version', wished.version);
  // If it replaces kube-proxy, the Service of the API is not reachable before it runs.
  const apiEndpoint = variables({ KUBERNETES_SERVICE_HOST: facts.apiInternalName, KUBERNETES_SERVICE_PORT: 443 });
  const cilium = { facts, wished, version, apiEndpoint };
  return [
    ...ciliumAccess(wished),
    ...ciliumPolicies(facts.kubernetesVersion),
    ...(usesIpsec(facts) ? [ipsecKeys(facts)] : []),
    ...(usesEtcd(wished) ? [etcdClient()] : []),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CILIUM_CONFIG, namespace: 'kube-system' },
      data: ciliumSettings(facts, wished),
    },
    ciliumAgent(cilium),
    ...ciliumOperator(cilium),
    ...(usesIngress(wished) ? ingressObjects(facts.kubernetesVersion, wished) : []),
    ...(usesHubble(wished) ? hubbleObjects(facts, wished, imageOf(cilium, 'hubble-relay')) : []),
  ];
}
