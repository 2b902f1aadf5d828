import { flagNameOf } from '../flag-name.ts';
import type { Kind } from '../kinds.ts';
import { whyUnread } from '../unread/unread-fields.ts';
import { CLUSTER_TEXTS } from './cluster-texts.ts';
import { CLOUD_TEXTS } from './cloud-texts.ts';
import { COMMON_TEXTS } from './common-texts.ts';
import { INSTANCE_GROUP_TEXTS } from './instance-group-texts.ts';
import { NETWORK_TEXTS } from './network-texts.ts';
import { HOST_TEXTS, KEYSET_TEXTS, SSH_CREDENTIAL_TEXTS } from './other-kinds-texts.ts';
import { SOFTWARE_TEXTS } from './software-texts.ts';

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

const TEXTS: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  Cluster: CLUSTER_TEXTS,
  InstanceGroup: INSTANCE_GROUP_TEXTS,
  Keyset: KEYSET_TEXTS,
  SSHCredential: SSH_CREDENTIAL_TEXTS,
  Host: HOST_TEXTS,
};

/** By the last two names of a path, or by the last one. */
const BY_NAME: Readonly<Record<string, string>> = { ...SOFTWARE_TEXTS, ...CLOUD_TEXTS, ...NETWORK_TEXTS };

/**
 * What a field of v1alpha2 is for, in a sentence. The sentences are this project's own. Every field has one; undefined is for paths
 * that are not fields.
 *
 * @param names the names on the way to it, without positions in lists: `['spec', 'subnets', 'zone']`
 */
export function describeField(kind: Kind, names: readonly string[]): string | undefined {
  // Cilium within GCE's own network has the fields of Cilium.
  const path = names.join('.').replace(/^spec\.networking\.gce\.cilium/, 'spec.networking.cilium');
  const [first, ...below] = path.split('.');
  const own = first === 'spec' ? TEXTS[kind][below.join('.')] : undefined;
  const field = names.at(-1) ?? '';
  return (
    own ??
    textOf(COMMON_TEXTS, field) ??
    flagText(below) ??
    textOf(BY_NAME, names.slice(-2).join('.')) ??
    textOf(BY_NAME, field) ??
    unreadText(kind, path)
  );
}

const textOf = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

/** For a field that does nothing, the text says why. */
function unreadText(kind: Kind, path: string): string | undefined {
  if (kind !== 'Cluster' && kind !== 'InstanceGroup') return undefined;
  const why = whyUnread(kind, path);
  return why === undefined ? undefined : `Not used: ${why.replace(/^it is not read: /, '')}.`;
}

/** A setting of a component is one of its flags, which the component documents. */
function flagText([component = '', field, ...deeper]: readonly string[]): string | undefined {
  const program = COMPONENTS[component];
  if (program === undefined || field === undefined || deeper.length > 0) return undefined;
  return `Sets --${flagNameOf(field)} of ${program}.`;
}
