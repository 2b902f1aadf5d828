import type { AddonObject } from './addon-object.ts';
import { admissionPolicy } from './admission-policy.ts';
import { byKubernetes, type ByKubernetes } from './by-kubernetes.ts';

/** Policies are stable from 1.30 on. */
const HAS_POLICIES: ByKubernetes<boolean> = [
  { since: '1.20.0', use: false },
  { since: '1.30.0', use: true },
];

const network = (object: string): string => `${object}.spec.?podCIDR.orValue('')`;

/**
 * Keeps kubelets from giving their Nodes a pod network, which Kubernetes lets them do until one is assigned: a stolen
 * machine could so draw packets for the pods of another to itself.
 */
export function podNetworkPolicy(kubernetesVersion: string): readonly AddonObject[] {
  if (!byKubernetes(HAS_POLICIES, kubernetesVersion)) return [];
  return admissionPolicy({
    name: 'kubelets-assign-no-pod-network',
    operations: ['CREATE', 'UPDATE'],
    resources: ['nodes', 'nodes/status'],
    condition: { name: 'kubelet', expression: `'system:nodes' in request.userInfo.groups` },
    validations: [
      {
        expression: `${network('object')} == (request.operation == 'CREATE' ? '' : ${network('oldObject')})`,
        message: 'pod networks of Nodes are assigned by control planes alone',
      },
    ],
  });
}
