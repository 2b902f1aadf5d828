import type { CloudTraits } from '../cloud-traits.ts';
import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { clusterOfGroup, isControlPlane, roleOf } from '../names.ts';
import { nearestName } from '../nearest-name.ts';
import { fault, type Fault } from './fault.ts';
import { isDnsName, isLabelKey, isLabelValue } from './names.ts';

export function* validateInstanceGroups(
  cluster: Cluster,
  groups: readonly InstanceGroup[],
  traits: Pick<CloudTraits, 'namesMachinesByGroup'>,
): Iterable<Fault> {
  if (!groups.some(isControlPlane)) {
    yield fault('', 'there is no control plane', 'add an InstanceGroup with spec.role: Master');
  }
  const seen = new Set<string>();
  for (const group of groups) {
    const { name } = group.metadata;
    const faults = [
      ...(seen.has(name) ? [fault('metadata.name', `two instance groups are called '${name}'`)] : []),
      ...validateName(name, traits),
      ...validateGroup(cluster, group),
    ];
    yield* faults.map((one) => ({ ...one, instanceGroup: name }));
    seen.add(name);
  }
}

function* validateName(
  name: string,
  { namesMachinesByGroup }: Pick<CloudTraits, 'namesMachinesByGroup'>,
): Iterable<Fault> {
  if (namesMachinesByGroup && !isDnsName(name)) {
    yield fault('metadata.name', `'${name}' cannot be part of a machine's name`, 'lower-case letters, digits and -');
  } else if (name === '' || !isLabelValue(name)) {
    const message = `'${name}' cannot be the value of a label of Nodes`;
    yield fault('metadata.name', message, 'letters, digits, - _ and . within, 63 at most');
  }
}

function* validateGroup(cluster: Cluster, group: InstanceGroup): Iterable<Fault> {
  const { spec } = group;
  const owner = clusterOfGroup(group);
  if (owner !== undefined && owner !== cluster.metadata.name) {
    yield fault('metadata.labels', `the group belongs to cluster '${owner}', not to '${cluster.metadata.name}'`);
  }
  if (spec.role === undefined) yield fault('spec.role', 'must be set', 'Master, Node, APIServer or Bastion');
  yield* validateSize(spec);
  yield* validateSubnets(cluster, spec);
  yield* validateTaints(spec.taints ?? []);
  yield* validateLabels(spec.nodeLabels ?? {});
  yield* validateUserData(spec);
  yield* validateGVisor(group);
}

/** Its runtime class leads pods to workers alone (kops pkg/apis/kops/validation/instancegroup.go). */
function* validateGVisor(group: InstanceGroup): Iterable<Fault> {
  const { containerd, role } = group.spec;
  if (containerd?.gvisor?.enabled !== true || roleOf(group) === 'Node') return;
  const message = `only machines of workers get gVisor, and this group has the role ${role}`;
  yield fault('spec.containerd.gvisor.enabled', message, 'remove this field');
}

function* validateUserData({ additionalUserData = [] }: InstanceGroup['spec']): Iterable<Fault> {
  for (const [index, part] of additionalUserData.entries()) {
    for (const field of ['name', 'content', 'type'] as const) {
      if ((part[field] ?? '') === '') yield fault(`spec.additionalUserData[${index}].${field}`, 'must be set');
    }
  }
}

function* validateSize({ minSize, maxSize }: InstanceGroup['spec']): Iterable<Fault> {
  for (const [path, size] of [
    ['spec.minSize', minSize],
    ['spec.maxSize', maxSize],
  ] as const) {
    if (size !== undefined && size < 0) yield fault(path, `${size} is negative`);
  }
  if (minSize !== undefined && maxSize !== undefined && minSize > maxSize) {
    yield fault('spec.minSize', `${minSize} is more than spec.maxSize (${maxSize})`);
  }
}

function* validateSubnets({ spec: { subnets } }: Cluster, spec: InstanceGroup['spec']): Iterable<Fault> {
  if (subnets === undefined) return;
  const known = subnets.flatMap(({ name }) => name ?? []);
  for (const [index, name] of (spec.subnets ?? []).entries()) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    yield fault(
      `spec.subnets[${index}]`,
      `the cluster has no subnet '${name}'`,
      near === undefined ? `its subnets: ${known.join(', ') || 'none'}` : `did you mean ${near}?`,
    );
  }
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function* validateTaints(taints: readonly string[]): Iterable<Fault> {
  for (const [index, taint] of taints.entries()) {
    const path = `spec.taints[${index}]`;
    const [, key = '', value = '', effect = ''] = /^([^=:]*)(?:=([^:]*))?:(.*)$/.exec(taint) ?? [];
    if (!isLabelKey(key) || !isLabelValue(value) || !/^[A-Za-z]+$/.test(effect)) {
      yield fault(path, `'${taint}' is not a taint`, `key=value:effect, with effect ${EFFECTS.join(', ')}`);
    } else if (!EFFECTS.includes(effect)) {
      // kops accepts any word, so only likely typing errors are rejected.
      const near = nearestName(effect, EFFECTS);
      if (near !== undefined) yield fault(path, `unknown effect '${effect}'`, `did you mean ${near}?`);
    }
    if (taints.indexOf(taint) < index) yield fault(path, `${taint} is listed twice`);
  }
}

function* validateLabels(labels: Readonly<Record<string, string>>): Iterable<Fault> {
  for (const [key, value] of Object.entries(labels)) {
    const path = `spec.nodeLabels[${JSON.stringify(key)}]`;
    if (!isLabelKey(key)) yield fault(path, `'${key}' is not the key of a label`, 'e.g. example.com/tier');
    if (!isLabelValue(value))
      yield fault(path, `'${value}' is not the value of a label`, 'letters, digits, -, _ and ., at most 63');
  }
}
