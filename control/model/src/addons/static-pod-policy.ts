import type { AddonObject } from './addon-object.ts';
import { admissionPolicy, hasPolicies, OF_KUBELETS } from './admission-policy.ts';

const PROXY = 'kube-proxy';

/**
 * The static pods of control planes, by their label `k8s-app`, which is their name too. Managers of etcd and channels are those of kops, on
 * machines that kopsctl has not yet replaced, or of a cluster that is given back.
 */
const OF_CONTROL_PLANES = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'etcd-manager-main',
  'etcd-manager-events',
  'etcd-manager-cilium',
  'etcd-manager-leases',
  'kops-channels',
];

/** Kubernetes 1.35 and later gives pods these labels of their Node, before policies judge them. */
const LABELS_OF_NODE = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

const list = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`;

const VARIABLES = {
  labels: 'object.metadata.?labels.orValue({})',
  app: `object.metadata.?labels[?'k8s-app'].orValue('')`,
};

const PLACE = {
  expression: `request.namespace == 'kube-system' && object.spec.?hostNetwork.orValue(false)`,
  message: 'a kubelet shows static pods in kube-system and on the network of their machine alone',
};
const NAME = {
  expression: `variables.app == '' || object.metadata.name == variables.app + '-' + object.spec.nodeName`,
  message: 'the name of this static pod is not that of its component and its Node',
};
const IS_KNOWN = [
  `(k == 'k8s-app' && variables.app in ${list([PROXY, ...OF_CONTROL_PLANES])})`,
  `(k == 'tier' && variables.labels[k] == 'node' && variables.app == '${PROXY}')`,
  // kops's kube-proxy has it.
  `(k == 'kubernetes.io/managed-by' && variables.labels[k] == 'nodeup')`,
  `k in ${list(LABELS_OF_NODE)}`,
];
const LABELS = {
  expression: `variables.labels.all(k, ${IS_KNOWN.join(' || ')})`,
  message: 'a kubelet shows static pods with the labels of a component of Kubernetes, or with none',
};

/**
 * Keeps kubelets from showing pods that they do not run. NodeRestriction only requires that a pod that a kubelet creates mirrors
 * a static pod of its own: with labels and a namespace of the kubelet's choice, the pod would be an endpoint of any Service, for
 * example of the cluster's DNS, and a peer that network policies let in.
 */
export function staticPodPolicy(kubernetesVersion: string): readonly AddonObject[] {
  if (!hasPolicies(kubernetesVersion)) return [];
  return admissionPolicy({
    name: 'kubelets-show-own-static-pods',
    operations: ['CREATE'],
    resources: ['pods'],
    condition: OF_KUBELETS,
    variables: VARIABLES,
    validations: [PLACE, NAME, LABELS],
  });
}
