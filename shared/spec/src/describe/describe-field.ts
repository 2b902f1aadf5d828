import { flagNameOf } from '../flag-name.ts';
import type { Kind } from '../kinds.ts';
import { CLUSTER_TEXTS } from './cluster-texts.ts';
import { COMMON_TEXTS } from './common-texts.ts';
import { INSTANCE_GROUP_TEXTS } from './instance-group-texts.ts';

/** Components whose settings are their flags. */
const COMPONENTS: Readonly<Record<string, string>> = {
  kubeAPIServer: 'kube-apiserver',
  kubeControllerManager: 'kube-controller-manager',
  kubeProxy: 'kube-proxy',
  kubeScheduler: 'kube-scheduler',
  cloudControllerManager: 'the cloud-controller-manager',
  kubelet: 'the kubelet',
  masterKubelet: 'the kubelet of control planes',
};

const TEXTS: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
  Cluster: CLUSTER_TEXTS,
  InstanceGroup: INSTANCE_GROUP_TEXTS,
};

/**
 * What a field is for, in a sentence. The sentences are this project's own. Undefined for fields whose name says all that
 * is to be said.
 *
 * @param names the names on the way to it, without positions in lists: `['spec', 'subnets', 'zone']`
 */
export function describeField(kind: Kind, names: readonly string[]): string | undefined {
  const [first, ...below] = names;
  const field = names.at(-1) ?? '';
  const own = first === 'spec' ? TEXTS[kind]?.[below.join('.')] : undefined;
  return own ?? (Object.hasOwn(COMMON_TEXTS, field) ? COMMON_TEXTS[field] : flagText(below));
}

/** A setting of a component is one of its flags, which the component documents. */
function flagText([component = '', field, ...deeper]: readonly string[]): string | undefined {
  const program = COMPONENTS[component];
  if (program === undefined || field === undefined || deeper.length > 0) return undefined;
  return `Sets --${flagNameOf(field)} of ${program}.`;
}
