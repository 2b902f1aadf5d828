import type { ClusterFacts } from '../../cluster-facts.ts';
import type { AddonObject } from '../addon-object.ts';
import { byKubernetes, type ByKubernetes } from '../by-kubernetes.ts';
import { variables } from '../pod-parts.ts';
import { ciliumAccess } from './cilium-access.ts';
import { ciliumAgent } from './cilium-agent.ts';
import { ciliumOperator } from './cilium-operator.ts';
import { imageOf } from './cilium-parts.ts';
import { CILIUM_CONFIG, ciliumSettings } from './cilium-settings.ts';
import { hubbleObjects, usesHubble } from './hubble.ts';

/** What Cilium's releases were tested with (docs.cilium.io, "Kubernetes Compatibility"). */
const RELEASES: ByKubernetes<string> = [
  { since: '1.20.0', use: 'v1.14.5' },
  { since: '1.27.0', use: 'v1.16.5' },
  { since: '1.32.0', use: 'v1.17.4' },
];

/** Cilium: networks, policies and, where asked for, Services in the kernel (kops addon networking.cilium.io). */
export function ciliumObjects(facts: ClusterFacts): readonly AddonObject[] {
  const wished = facts.spec.networking?.cilium ?? {};
  const version = wished.version ?? byKubernetes(RELEASES, facts.kubernetesVersion);
  // Where it does kube-proxy's work, nothing leads to the API's Service before it runs.
  const apiEndpoint = variables({ KUBERNETES_SERVICE_HOST: facts.apiInternalName, KUBERNETES_SERVICE_PORT: 443 });
  const cilium = { facts, wished, version, apiEndpoint };
  return [
    ...ciliumAccess(),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CILIUM_CONFIG, namespace: 'kube-system' },
      data: ciliumSettings(facts, wished),
    },
    ciliumAgent(cilium),
    ...ciliumOperator(cilium),
    ...(usesHubble(wished) ? hubbleObjects(facts, wished, imageOf(cilium, 'hubble-relay')) : []),
  ];
}
