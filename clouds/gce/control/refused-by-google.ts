import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { oldSystem } from '@kopsctl/spec/validate/old-system.ts';
import { readOnlySystem } from '@kopsctl/spec/validate/read-only-system.ts';
import { withoutIptables } from '@kopsctl/spec/validate/without-iptables.ts';
import { clusterLabel, encodeLabel, etcdLabel, LABEL_KEY, LABEL_VALUE } from '../node/labels.ts';
import { etcdDiskObject, LEAST_ROOM, LONGEST_NAME } from './names.ts';

/** RFC 1035, which Google applies to names of resources and network tags. */
const NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const NAME_HINT = 'a lower-case letter first, then lower-case letters, digits and -';
const LABEL_HINT = 'lower-case letters, digits, _ and -, 63 at most';
/** The longest prefix that is put before the name of a subnet (`api-load-balancer.ts`). */
const BALANCER_PREFIX = 'kops-controller-';

/**
 * Names and labels that kops accepts but Google refuses, which would show only when half of a cluster is made. Resources are
 * found by some of them, so they cannot be written in another way.
 */
export function* refusedByGoogle({ metadata, spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* refusedName(metadata.name, spec);
  yield* refusedLabels('spec.cloudLabels', spec.cloudLabels);
  for (const group of groups) {
    const labels = refusedLabels('spec.cloudLabels', group.spec.cloudLabels);
    const name = group.spec.image?.split('/').at(-1) ?? '';
    const images = [
      ...withoutImage(group),
      ...withReadOnlySystem(group),
      ...oldSystem(spec, group, name),
      ...withoutIptables(spec, group, name),
    ];
    for (const one of [...labels, ...images]) {
      yield { ...one, instanceGroup: group.metadata.name };
    }
  }
  yield* refusedSubnets(metadata.name, spec);
  yield* refusedEtcd(metadata.name, spec);
}

function* refusedName(name: string, { networkID }: ClusterSpec): Iterable<Fault> {
  const label = clusterLabel(name);
  if (label.length > LONGEST_NAME) {
    const why = `'${name}' has ${label.length} characters, and machines and disks are found by a label of at most ${LONGEST_NAME}`;
    yield fault('metadata.name', why, 'choose a shorter name');
  }
  if (!/^[a-z]/.test(label)) {
    const named = networkID === undefined ? 'its network and the tags of its machines' : 'the tags of its machines';
    const why = `'${name}' does not begin with a letter, as the names of ${named} have to`;
    yield fault('metadata.name', why, 'choose a name that begins with a letter');
  }
}

/** kops recommends no image for processors of ARM. */
function* withoutImage({ spec: { image, machineType = '' } }: InstanceGroup): Iterable<Fault> {
  if (image !== undefined) return;
  const why = `there is no default image for machines of type ${machineType}`;
  yield fault('spec.image', why, 'name an image, such as ubuntu-os-cloud/ubuntu-2404-noble-arm64-v20260615');
}

/** By the publisher's project, or by the name of the image. */
const READ_ONLY: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)(cos-cloud\/|cos-[^/]*$)/, 'Container-Optimized OS'],
  [/(^|\/)(kinvolk-public\/|flatcar-[^/]*$)/, 'Flatcar'],
  [/(^|\/)((fedora-)?coreos-cloud\/|(fedora-)?coreos-[^/]*$)/, 'CoreOS'],
];

/** Machines on which no program of a node can be put in its place. */
function* withReadOnlySystem({ spec: { image = '' } }: InstanceGroup): Iterable<Fault> {
  const [, system] = READ_ONLY.find(([name]) => name.test(image)) ?? [];
  if (system !== undefined) yield readOnlySystem(image, system);
}

function* refusedLabels(path: string, labels: Readonly<Record<string, string>> = {}): Iterable<Fault> {
  for (const [key, value] of Object.entries(labels)) {
    if (!LABEL_KEY.test(key)) {
      yield fault(
        `${path}.${key}`,
        `Google does not accept the label '${key}'`,
        `a lower-case letter first, then ${LABEL_HINT}`,
      );
    } else if (!LABEL_VALUE.test(value)) {
      yield fault(`${path}.${key}`, `Google does not accept a label with the value '${value}'`, LABEL_HINT);
    }
  }
}

/** A name that is a part of others has to leave room for what tells clusters apart. */
const leavesRoom = (object: string, clusterName: string): boolean =>
  LONGEST_NAME - object.length - 1 >= Math.min(LEAST_ROOM, clusterLabel(clusterName).length);

function* refusedSubnets(clusterName: string, { subnets = [], api }: ClusterSpec): Iterable<Fault> {
  for (const [index, { id, name = '' }] of subnets.entries()) {
    // For an existing subnet, only load balancers use the name that it has here.
    if (id !== undefined && api?.loadBalancer === undefined) continue;
    const path = `spec.subnets[${index}].name`;
    const object = api?.loadBalancer === undefined ? name : `${BALANCER_PREFIX}${name}`;
    if (!NAME.test(name)) yield fault(path, `'${name}' cannot be part of a resource name in Google Cloud`, NAME_HINT);
    else if (!leavesRoom(object, clusterName)) {
      const longest = LONGEST_NAME - 1 - LEAST_ROOM - (object.length - name.length);
      yield fault(path, `has ${name.length} characters, which leave no room for the cluster`, `${longest} at most`);
    }
  }
}

function* refusedEtcd(clusterName: string, { etcdClusters = [] }: ClusterSpec): Iterable<Fault> {
  for (const [cluster, { name: etcd = '', etcdMembers = [] }] of etcdClusters.entries()) {
    const path = `spec.etcdClusters[${cluster}]`;
    if (!LABEL_KEY.test(etcdLabel(etcd))) {
      yield fault(`${path}.name`, `'${etcd}' cannot be part of a label in Google Cloud`, LABEL_HINT);
      continue;
    }
    for (const [index, { name = '' }] of etcdMembers.entries()) {
      const at = `${path}.etcdMembers[${index}].name`;
      const object = etcdDiskObject(name, etcd);
      if (!NAME.test(object)) yield fault(at, `'${name}' cannot be part of the name of a disk`, NAME_HINT);
      else if (!leavesRoom(object, clusterName)) {
        yield fault(at, `results in a disk name that leaves no room for the cluster: ${object}`, 'shorten it');
      } else if (!LABEL_VALUE.test(encodeLabel(`${name}/${name}`))) {
        yield fault(at, 'is written twice into a label of at most 63 characters', 'shorten it');
      }
    }
  }
}
