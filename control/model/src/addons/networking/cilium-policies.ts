import type { AddonObject } from '../addon-object.ts';
import { admissionPolicy } from '../admission-policy.ts';
import { NAMED_LIKE_NODE, NODE_OF_TOKEN, ofAccount, tokensKnowNode } from '../own-node-only.ts';

const group = { name: 'cilium.io', version: 'v2' };
const condition = ofAccount('kube-system', 'cilium');

/** Agents remove the operator's mark from an identity that is in use again, and change nothing else in it. */
const SAME_MEANING = [
  `object['security-labels'] == oldObject['security-labels']`,
  'object.metadata.?labels.orValue({}) == oldObject.metadata.?labels.orValue({})',
];

/**
 * Keeps the agent of a machine from saying where other machines are and which pods and keys they have, and from giving an
 * identity other labels: all agents route and judge packets by these objects. RBAC cannot express such a limit.
 */
export function ciliumPolicies(kubernetesVersion: string): readonly AddonObject[] {
  if (!tokensKnowNode(kubernetesVersion)) return [];
  return [
    ...admissionPolicy({
      name: 'cilium-own-node',
      operations: ['CREATE', 'UPDATE'],
      group,
      resources: ['ciliumnodes', 'ciliumnodes/status'],
      condition,
      variables: { node: NODE_OF_TOKEN },
      validations: [{ expression: NAMED_LIKE_NODE, message: 'this is the CiliumNode of another machine' }],
    }),
    ...admissionPolicy({
      name: 'cilium-identities-keep-labels',
      operations: ['UPDATE'],
      group,
      resources: ['ciliumidentities'],
      condition,
      validations: [
        { expression: SAME_MEANING.join(' && '), message: 'the labels of an identity are those of its creation' },
      ],
    }),
  ];
}
