import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { parseDurationMs } from '@kopsctl/spec/duration.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { hasStaticCapacity } from './karpenter-settings.ts';
import { isGpuType } from './gpu-machines.ts';
import { faultsOfSecurityGroups } from './validate-security-groups.ts';
import { faultsOfTargets } from './validate-targets.ts';

const DAY_MS = 86_400_000;

/** The minutes for which spot machines could be reserved (kops pkg/apis/kops/validation/aws.go). */
const SPOT_MINUTES: readonly number[] = [60, 120, 180, 240, 300, 360];

/** Settings of a group's machines that AWS would refuse (kops pkg/apis/kops/validation/aws.go and instancegroup.go). */
export function* validateMachines(group: InstanceGroup, cluster: ClusterSpec = {}): Iterable<Fault> {
  const { spec } = group;
  yield* ofKarpenter(group, cluster);
  yield* faultsOfSecurityGroups('spec.additionalSecurityGroups', spec.additionalSecurityGroups);
  yield* faultsOfTargets(spec.externalLoadBalancers);
  yield* suspended(spec);
  yield* tenancy(spec);
  yield* price(spec);
  yield* times(spec);
  yield* metadata(spec);
  yield* speeds(spec);
  yield* volumes(spec);
  yield* mixture(spec);
  yield* profile(spec);
}

/** Groups for which Karpenter chooses the machines (kops pkg/apis/kops/validation/instancegroup.go). */
function* ofKarpenter(group: InstanceGroup, cluster: ClusterSpec): Iterable<Fault> {
  const { manager, role, minSize, maxSize } = group.spec;
  if (manager !== 'Karpenter') return;
  if (role !== undefined && roleOf(group) !== 'Node') {
    yield fault(
      'spec.manager',
      `Karpenter makes nodes alone, and this group has the role ${role}`,
      'remove this field',
    );
  }
  if (maxSize !== undefined && maxSize <= 0) {
    yield fault('spec.maxSize', `Karpenter may make ${maxSize} machines`, 'write 1 or more, or remove this field');
  }
  if (minSize === undefined) return;
  if (minSize <= 0) {
    yield fault(
      'spec.minSize',
      `with it Karpenter makes exactly ${minSize} machines`,
      'write 1 or more, or remove this field',
    );
  } else if (!hasStaticCapacity(cluster)) {
    const hint = 'add StaticCapacity=true to spec.karpenter.featureGates of the cluster, or remove this field';
    yield fault('spec.minSize', 'Karpenter makes a fixed number of machines only with StaticCapacity', hint);
  }
}

/** Types that EC2 runs only beside machines of others (kops upup/pkg/fi/cloudup/populate_instancegroup_spec.go). */
function* tenancy({ tenancy: wished = '', machineType = '' }: InstanceGroupSpec): Iterable<Fault> {
  if (wished === '' || wished === 'default' || !machineType.startsWith('t2.')) return;
  yield fault('spec.tenancy', `EC2 has no ${wished} machines of type ${machineType}`, 'use a type such as t3.medium');
}

/** EC2 takes the dollars of an hour, and would refuse the launch template with anything else. */
function* price({ maxPrice = '' }: InstanceGroupSpec): Iterable<Fault> {
  if (maxPrice === '' || /^(\d+\.?\d*|\.\d+)$/.test(maxPrice)) return;
  yield fault('spec.maxPrice', `'${maxPrice}' is not a price`, 'write dollars for an hour, such as "0.10"');
}

function* times({ maxInstanceLifetime = '', spotDurationInMinutes }: InstanceGroupSpec): Iterable<Fault> {
  const lifetimeMs = maxInstanceLifetime === '0' ? 0 : parseDurationMs(maxInstanceLifetime);
  if (maxInstanceLifetime !== '' && lifetimeMs === undefined) {
    yield fault('spec.maxInstanceLifetime', `'${maxInstanceLifetime}' is not a duration`, 'such as 168h');
  } else if (lifetimeMs !== undefined && lifetimeMs !== 0 && lifetimeMs < DAY_MS) {
    const hint = 'write 24h or more, or 0 for machines that stay';
    yield fault('spec.maxInstanceLifetime', `${maxInstanceLifetime} is less than a day`, hint);
  }
  if (spotDurationInMinutes !== undefined && !SPOT_MINUTES.includes(spotDurationInMinutes)) {
    const message = `expected one of ${SPOT_MINUTES.join(', ')}, found ${spotDurationInMinutes}`;
    yield fault('spec.spotDurationInMinutes', message);
  }
}

/** What an auto-scaling group does by itself (EC2 Auto Scaling user guide, "Suspend-resume processes"). */
const PROCESSES: readonly string[] = [
  'AddToLoadBalancer',
  'AlarmNotification',
  'AZRebalance',
  'HealthCheck',
  'InstanceRefresh',
  'Launch',
  'ReplaceUnhealthy',
  'ScheduledActions',
  'Terminate',
];

function* suspended({ suspendProcesses = [] }: InstanceGroupSpec): Iterable<Fault> {
  for (const [index, name] of suspendProcesses.entries()) {
    if (PROCESSES.includes(name)) continue;
    yield fault(`spec.suspendProcesses[${index}]`, `expected one of ${PROCESSES.join(', ')}, found '${name}'`);
  }
}

function* metadata({ instanceMetadata }: InstanceGroupSpec): Iterable<Fault> {
  const { httpPutResponseHopLimit: hops = 1 } = instanceMetadata ?? {};
  if (hops >= 1 && hops <= 64) return;
  yield fault('spec.instanceMetadata.httpPutResponseHopLimit', `${hops} is not between 1 and 64`);
}

function* speeds({ rootVolumeIops, rootVolumeSize, rootVolumeThroughput }: InstanceGroupSpec): Iterable<Fault> {
  for (const [field, value = 0] of Object.entries({ rootVolumeIops, rootVolumeSize, rootVolumeThroughput })) {
    if (value < 0) yield fault(`spec.${field}`, `${value} is negative`);
  }
}

/** Volumes beside the root volume. */
function* volumes({ volumes: wished = [] }: InstanceGroupSpec): Iterable<Fault> {
  for (const [index, { device = '', size = 0 }] of wished.entries()) {
    const path = `spec.volumes[${index}]`;
    const first = wished.findIndex((other) => other.device === device);
    if (device === '') yield fault(`${path}.device`, 'must be set', 'such as /dev/xvdd');
    else if (first < index) yield fault(`${path}.device`, `is the same as that of spec.volumes[${first}]`);
    if (size <= 0) yield fault(`${path}.size`, `${size} GiB is not the size of a volume`, 'write 1 or more');
  }
}

/** A group with several machine types, and with machines that AWS may take away. */
function* mixture({ mixedInstancesPolicy: policy, machineType = '', maxSize }: InstanceGroupSpec): Iterable<Fault> {
  if (policy === undefined) return;
  const path = 'spec.mixedInstancesPolicy';
  const { onDemandBase: base, onDemandAboveBase: percent, instances = [] } = policy;
  if (base !== undefined && base < 0) yield fault(`${path}.onDemandBase`, `${base} is negative`);
  if (base !== undefined && maxSize !== undefined && base > maxSize) {
    yield fault(`${path}.onDemandBase`, `${base} is more than spec.maxSize (${maxSize})`);
  }
  if (percent !== undefined && (percent < 0 || percent > 100)) {
    yield fault(`${path}.onDemandAboveBase`, `${percent} is not a percentage`, 'write 0 to 100');
  }
  const [main] = machineType.split(',');
  if (main === undefined || main === '') return;
  for (const [index, types] of instances.entries()) {
    const other = types.split(',').find((type) => isGpuType(type) !== isGpuType(main));
    if (other === undefined) continue;
    const message = isGpuType(main)
      ? `${other} has no GPU, and ${main} has one`
      : `${other} has a GPU, and ${main} none`;
    yield fault(`${path}.instances[${index}]`, message, 'make a group for each');
  }
}

function* profile({ iam }: InstanceGroupSpec): Iterable<Fault> {
  const arn = iam?.profile;
  if (arn === undefined || /^arn:[^:]+:iam:[^:]*:[^:]*:instance-profile\/.+$/.test(arn)) return;
  const hint = 'such as arn:aws:iam::123456789012:instance-profile/nodes';
  yield fault('spec.iam.profile', `'${arn}' is not the ARN of an instance profile`, hint);
}
