import type { AddonObject } from './addon-object.ts';
import { admissionPolicy, hasPolicies, OF_KUBELETS } from './admission-policy.ts';

/**
 * Where a Node is: zones and regions, under their old names too, and what storage drivers say about it. kubelet itself adds what
 * its drivers say but changes none of it.
 */
const PLACES = `^(topology[.]|failure-domain[.]beta[.]kubernetes[.]io/)`;

const VARIABLES = {
  before: `request.operation == 'CREATE' ? {} : oldObject.metadata.?labels.orValue({})`,
  after: `object.metadata.?labels.orValue({})`,
  hostBefore: `variables.before[?'kubernetes.io/hostname'].orValue('')`,
  hostAfter: `variables.after[?'kubernetes.io/hostname'].orValue('')`,
};

/** kubelet is given the name of its Node as its hostname, and sets the label again each time it starts. */
const HOSTNAME = {
  expression: 'variables.hostAfter == object.metadata.name || variables.hostAfter == variables.hostBefore',
  message: 'the label kubernetes.io/hostname of a Node is its name',
};
const PLACE = {
  expression: `variables.before.all(k, !k.matches('${PLACES}') || variables.after[?k].orValue('') == variables.before[k])`,
  message: 'the zone and the region of a Node are changed by control planes alone',
};

/**
 * Keeps kubelets from saying that their Node is another machine, or elsewhere: the scheduler would bind pods to it that are
 * meant for that machine or zone, and hand over their Secrets. Kubernetes leaves these labels to kubelets.
 */
export function nodePlacePolicy(kubernetesVersion: string): readonly AddonObject[] {
  if (!hasPolicies(kubernetesVersion)) return [];
  return admissionPolicy({
    name: 'kubelets-stay-in-their-place',
    operations: ['CREATE', 'UPDATE'],
    resources: ['nodes', 'nodes/status'],
    condition: OF_KUBELETS,
    variables: VARIABLES,
    validations: [HOSTNAME, PLACE],
  });
}
