import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { imageName, imageUrl } from './image-url.ts';
import { architectureOf, isDiskType, takesHyperdiskAlone } from './machine-types.ts';
import { regionOfZone } from './region.ts';

/** What the names of machines in a managed group may begin with: Google adds a dash and four characters. */
const BASE_NAME = /^[a-z]([-a-z0-9]{0,56}[a-z0-9])?$/;

/** Settings of a group's machines that Google would refuse, reported before anything is made. */
export function* validateGroup(group: InstanceGroup, cluster: ClusterSpec): Iterable<Fault> {
  const { metadata, spec } = group;
  const of = (one: Fault): Fault => ({ ...one, instanceGroup: metadata.name });
  const zones = spec.zones ?? [];
  const regions = new Set((cluster.subnets ?? []).map(({ region }) => region));
  if (!BASE_NAME.test(metadata.name)) {
    const message = `'${metadata.name}' cannot be part of a machine's name`;
    yield of(fault('metadata.name', message, 'a letter first, then letters, digits and -, 58 at most'));
  }
  if (zones.length === 0) yield of(fault('spec.zones', 'is missing', 'name the zones of the machines: us-east1-b'));
  for (const [index, zone] of zones.entries()) {
    if (regions.has(regionOfZone(zone))) continue;
    yield of(fault(`spec.zones[${index}]`, `${zone} is not in the region of the subnets`));
  }
  if (spec.subnets !== undefined && spec.subnets.length !== 1) {
    yield of(fault('spec.subnets', 'machines in GCE are in exactly one subnet'));
  }
  const serves = ['ControlPlane', 'APIServer'].includes(roleOf(group));
  if (roleOf(group) === 'ControlPlane' && zones.length > 1) {
    const message = 'control planes of a group are in one zone, as the disks of etcd are';
    yield of(fault('spec.zones', message, 'create a group for each zone'));
  } else if (serves && zones.length > 1 && cluster.api?.loadBalancer !== undefined) {
    yield of(
      fault('spec.zones', 'machines behind the load balancer of the API are in one zone', 'create a group for each'),
    );
  }
  if (spec.image !== undefined && imageUrl(spec.image, cluster.project ?? '') === undefined) {
    yield of(fault('spec.image', `'${spec.image}' is not an image of GCE`, 'write PROJECT/IMAGE'));
  }
  yield* [...machineFaults(spec)].map(of);
  if (cluster.cloudConfig?.gceUseStartupScript === true && (spec.additionalUserData ?? []).length > 0) {
    const message = 'a startup script has no parts, so these would not run';
    yield of(fault('spec.additionalUserData', message, 'remove spec.cloudConfig.gceUseStartupScript'));
  }
}

/** Settings that do not go with a type of machine. */
function* machineFaults({ image, machineType = '', rootVolumeType }: InstanceGroup['spec']): Iterable<Fault> {
  const arch = architectureOf(machineType);
  const other = arch === 'arm64' ? /(amd64|x86[-_]64)/ : /(arm64|aarch64)/;
  const named = other.exec(imageName(image ?? ''))?.[0];
  if (machineType !== '' && named !== undefined) {
    const hint = `name an image for ${arch}, such as ubuntu-os-cloud/ubuntu-2404-noble-${arch}-v20260615`;
    yield fault('spec.image', `'${image}' is for ${named}, and ${machineType} has processors of ${arch}`, hint);
  }
  if (rootVolumeType !== undefined && rootVolumeType !== '' && !isDiskType(rootVolumeType)) {
    yield fault('spec.rootVolumeType', `'${rootVolumeType}' is not a type of disks in GCE`, DISK_HINT);
  } else if (rootVolumeType?.startsWith('pd-') === true && takesHyperdiskAlone(machineType)) {
    yield fault('spec.rootVolumeType', `${machineType} supports only Hyperdisks`, HYPERDISK_HINT);
  }
}

export const DISK_HINT = 'such as pd-ssd, pd-balanced or hyperdisk-balanced';

export const HYPERDISK_HINT = 'write hyperdisk-balanced, or leave it out';
