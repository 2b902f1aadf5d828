import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import type { AddonObject } from './addon-object.ts';
import { admissionPolicy } from './admission-policy.ts';

export const tokensKnowNode = (kubernetesVersion: string): boolean =>
  kubernetesFacts(kubernetesVersion)?.tokensNameNodes === true;

/** In CEL: the node that the token of the request names; empty where it names none. */
export const NODE_OF_TOKEN = `request.userInfo.?extra[?'authentication.kubernetes.io/node-name'][0].orValue('')`;

/** The user whose requests are judged: a service account. */
export const ofAccount = (namespace: string, name: string) => ({
  name: 'account',
  expression: `request.userInfo.username == 'system:serviceaccount:${namespace}:${name}'`,
});

/** In CEL: the object has the name of the node. */
export const NAMED_LIKE_NODE = 'object.metadata.name == variables.node';

const RESERVED = `k.matches('(^|[.])(kubernetes|k8s)[.]io/') && !k.matches('^(node|kubelet)[.]kubernetes[.]io/')`;

const VARIABLES = {
  node: NODE_OF_TOKEN,
  before: `oldObject.metadata.?labels.orValue({})`,
  after: `object.metadata.?labels.orValue({})`,
};

const ITS_OWN = {
  expression: NAMED_LIKE_NODE,
  message: 'this is the Node of another machine',
};
/** The labels that NodeRestriction keeps from kubelets: they determine where control planes' pods run, and routes and names. */
const LABELS = {
  expression: [
    `variables.after.all(k, !(${RESERVED}) || (k in variables.before && variables.before[k] == variables.after[k]))`,
    `variables.before.all(k, !(${RESERVED}) || k in variables.after)`,
  ].join(' && '),
  message: 'labels of kubernetes.io and k8s.io are changed by control planes alone',
};
const SPEC = { expression: 'object.spec == oldObject.spec', message: 'taints are changed by control planes alone' };

interface Account {
  readonly name: string;
  readonly namespace?: string;
  /** Whether it sets taints of its Node. */
  readonly changesSpec?: boolean;
}

/**
 * Lets a service account of pods on every machine change only the Node of its own machine, and no more of that Node than a
 * kubelet may. RBAC cannot express such a limit: without this, a token from one worker can label every Node of the cluster.
 */
export function ownNodeOnly(
  kubernetesVersion: string,
  { name, namespace = 'kube-system', changesSpec = false }: Account,
): readonly AddonObject[] {
  if (!tokensKnowNode(kubernetesVersion)) return [];
  return admissionPolicy({
    name: `${name}-own-node`,
    operations: ['UPDATE'],
    resources: ['nodes', 'nodes/status'],
    condition: ofAccount(namespace, name),
    variables: VARIABLES,
    validations: [ITS_OWN, LABELS, ...(changesSpec ? [] : [SPEC])],
  });
}
