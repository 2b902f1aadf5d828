import type { AddonObject } from './addon-object.ts';
import { admissionPolicy, hasPolicies, OF_KUBELETS } from './admission-policy.ts';

const network = (object: string): string => `${object}.spec.?podCIDR.orValue('')`;

/**
 * Keeps kubelets from giving their Nodes a pod network, which Kubernetes lets them do until one is assigned: a stolen
 * machine could thereby attract packets for the pods of another machine.
 */
export function podNetworkPolicy(kubernetesVersion: string): readonly AddonObject[] {
  if (!hasPolicies(kubernetesVersion)) return [];
  return admissionPolicy({
    name: 'kubelets-assign-no-pod-network',
    operations: ['CREATE', 'UPDATE'],
    resources: ['nodes', 'nodes/status'],
    condition: OF_KUBELETS,
    validations: [
      {
        expression: `${network('object')} == (request.operation == 'CREATE' ? '' : ${network('oldObject')})`,
        message: 'pod networks of Nodes are assigned by control planes alone',
      },
    ],
  });
}
