import type { SshPublicKey } from '@kopsctl/model/model-input.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { architectureOf } from '../machine-types.ts';
import type { GceContext } from './gce-context.ts';

/** What machines of a group, and Google's own programs on them, read in the metadata server. */
export function groupMetadata(
  { facts }: GceContext,
  group: InstanceGroup,
  keys: readonly SshPublicKey[],
  image: string,
): Readonly<Record<string, string>> {
  // The account that the publisher of the image expects people to log in to.
  const user = image.startsWith('ubuntu') ? 'ubuntu' : 'admin';
  return {
    'cluster-name': facts.clusterName,
    'kops-k8s-io-instance-group-name': group.metadata.name,
    ...(keys.length > 0 && { 'ssh-keys': keys.map(({ text }) => `${user}: ${text.trim()}`).join('\n') }),
    ...(roleOf(group) === 'Node' && { 'kube-env': autoscalerEnv(group, image) }),
  };
}

/** What the cluster autoscaler must know of a node that does not exist yet (its gce provider, templates.go). */
function autoscalerEnv({ spec }: InstanceGroup, image: string): string {
  const nodeLabels = Object.entries(spec.nodeLabels ?? {})
    .map(([label, value]) => `${label}=${value}`)
    .toSorted();
  const parts = [
    `os_distribution=${image.startsWith('cos') ? 'cos' : 'ubuntu'}`,
    `arch=${architectureOf(spec.machineType ?? '')}`,
    'os=linux',
    ...(nodeLabels.length > 0 ? [`node_labels=${nodeLabels.join(',')}`] : []),
    ...(spec.taints?.length ? [`node_taints=${spec.taints.join(',')}`] : []),
  ];
  return `AUTOSCALER_ENV_VARS: ${parts.join(';')}`;
}
