import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { hasKarpenter, ONLY_SPOT, WITHOUT_KARPENTER } from './karpenter-groups.ts';
import { karpenterLifetime } from './karpenter-lifetime.ts';
import { rootDeviceOf } from './root-device.ts';
import { isOwn } from './subnet-kinds.ts';

/** What Karpenter does not do of what the spec says, and the groups whose machines nothing makes. */
export function* karpenterLeftOut({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const { logEncoding = 'console' } = spec.karpenter ?? {};
  if (hasKarpenter(spec) && logEncoding !== 'console') {
    yield fault('spec.karpenter.logEncoding', 'Karpenter 1 has one form of its log', 'remove it');
  }
  for (const group of groups.filter((one) => one.spec.manager === 'Karpenter')) {
    for (const one of ofGroup(spec, group)) yield { ...one, instanceGroup: group.metadata.name };
  }
}

function* ofGroup(spec: ClusterSpec, { spec: group }: InstanceGroup): Iterable<Fault> {
  if (!hasKarpenter(spec)) {
    const why = 'nothing makes the machines of this group: Karpenter is not installed';
    yield fault('spec.manager', why, 'set spec.karpenter.enabled: true in the cluster, or remove it');
    return;
  }
  if (spec.topology?.dns?.type === 'None' && spec.api?.loadBalancer !== undefined) {
    const why =
      'nothing makes the machines of this group: they would find the API only by the name of its load balancer, which is not known when the objects of Karpenter are made';
    yield fault(
      'spec.manager',
      why,
      'use topology.dns.type Public or Private, or remove api.loadBalancer or this field',
    );
  }
  const own = (spec.subnets ?? []).filter(
    (subnet) => group.subnets?.includes(subnet.name ?? '') !== false && isOwn(subnet),
  );
  if (spec.DisableSubnetTags === true && own.length > 0) {
    const why =
      'nothing makes the machines of this group: Karpenter finds its subnets by their tags, which are disabled';
    yield fault('spec.manager', why, 'remove DisableSubnetTags of the cluster, or this field');
  }
  for (const field of WITHOUT_KARPENTER) {
    if (group[field] === undefined) continue;
    yield fault(`spec.${field}`, 'Karpenter has no such setting', 'remove it, or the manager of the group');
  }
  for (const field of ONLY_SPOT) {
    if (group[field] === undefined) continue;
    const why = 'its value has no effect: Karpenter has no such setting, and only buys spot machines for this group';
    yield fault(`spec.${field}`, why);
  }
  const lifetime = karpenterLifetime(group);
  if (group.maxInstanceLifetime !== undefined && group.maxInstanceLifetime !== lifetime) {
    const why = `Karpenter replaces machines all the same: without a time of theirs, after ${lifetime}`;
    yield fault('spec.maxInstanceLifetime', why, 'write how long they may live, such as 2160h, or remove it');
  }
  if (group.image !== undefined && rootDeviceOf(group.image) === undefined) yield* rootVolume(group);
}

/** Nobody says which device of an unknown image is its root, so its volume stays as the image describes it, with its size. */
function* rootVolume(group: InstanceGroup['spec']): Iterable<Fault> {
  for (const field of ROOT_VOLUME) {
    if (group[field] === undefined) continue;
    const why = `it is not known which device of the image ${group.image} is its root, so Karpenter leaves its volume as it is`;
    yield fault(
      `spec.${field}`,
      why,
      'name an image of Canonical, Debian, Amazon, Red Hat or Rocky Linux by its owner',
    );
  }
}

const ROOT_VOLUME = [
  'image',
  'rootVolumeDeleteOnTermination',
  'rootVolumeEncryption',
  'rootVolumeEncryptionKey',
  'rootVolumeIops',
  'rootVolumeSize',
  'rootVolumeThroughput',
  'rootVolumeType',
] as const;
