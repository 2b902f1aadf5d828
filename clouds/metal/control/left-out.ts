import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

const ACCESS = ['kubernetesApiAccess', 'sshAccess', 'nodePortAccess'] as const;
/** `create cluster` writes these; then a firewall would be of no use anyway. */
const EVERYBODY: readonly string[] = ['0.0.0.0/0', '::/0'];

/** By field, why it has no effect on machines that people install and enroll. */
const OF_GROUP = {
  additionalUserData: 'the machine is installed already, and gets no user-data',
  cloudLabels: 'no cloud has these machines, so there is nothing to label',
  rootVolumeSize: 'the machine has the disks that it has',
} as const satisfies Partial<Record<keyof InstanceGroup['spec'], string>>;

/** What a person has set, and nothing does for machines that no cloud has. */
export function* leftOutOfMetal({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  for (const field of ACCESS) {
    if ((spec[field] ?? []).every((range) => EVERYBODY.includes(range))) continue;
    const why = 'nothing limits who reaches enrolled machines: kopsctl has no firewall before them';
    yield fault(`spec.${field}`, why, 'limit it in the firewall of your network');
  }
  if (Object.keys(spec.cloudLabels ?? {}).length > 0)
    yield fault('spec.cloudLabels', OF_GROUP.cloudLabels, 'remove it');
  for (const { metadata, spec: group } of groups) {
    for (const [field, why] of Object.entries(OF_GROUP)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields are those of OF_GROUP
      const value = group[field as keyof typeof OF_GROUP];
      if (value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)) continue;
      yield { ...fault(`spec.${field}`, why, 'remove it'), instanceGroup: metadata.name };
    }
  }
}
