import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Fault } from '@kopsctl/spec/validate/fault.ts';
import { oldSystem } from '@kopsctl/spec/validate/old-system.ts';
import { readOnlySystem } from '@kopsctl/spec/validate/read-only-system.ts';
import { withoutIptables } from '@kopsctl/spec/validate/without-iptables.ts';
import { findImage } from './image-name.ts';

interface System {
  readonly system: string;
  /** The account of its publisher. */
  readonly owner?: string;
  /** How the names of its images begin, whoever owns them. */
  readonly name: RegExp;
}

const READ_ONLY: readonly System[] = [
  { system: 'Flatcar', owner: '075585003325', name: /^Flatcar-/i },
  { system: 'CoreOS', owner: '595879546273', name: /^(fedora-)?coreos-/i },
  { system: 'Bottlerocket', name: /^bottlerocket-/ },
];

/** Groups whose machines would not start or reach no Service, as far as the name of the image tells. */
export const refusedImages = (cluster: Cluster, groups: readonly InstanceGroup[]): readonly Fault[] =>
  groups.flatMap((group) => {
    const { image } = group.spec;
    if (image === undefined) return [];
    const system = readOnlyIn(image);
    const found = findImage(image);
    const faults = [
      ...(system === undefined ? [] : [readOnlySystem(image, system)]),
      ...(found.by === 'id' ? [] : oldSystem(cluster.spec, group, found.by === 'name' ? found.name : found.parameter)),
      ...(found.by === 'name' ? withoutIptables(cluster.spec, group, found.name) : []),
    ];
    return faults.map((one) => ({ ...one, instanceGroup: group.metadata.name }));
  });

function readOnlyIn(image: string): string | undefined {
  const found = findImage(image);
  switch (found.by) {
    case 'id':
      return undefined;
    case 'parameter':
      return found.parameter.startsWith('/aws/service/bottlerocket/') ? 'Bottlerocket' : undefined;
    case 'name':
      return READ_ONLY.find(({ owner, name }) => owner === found.owner || name.test(found.name))?.system;
  }
}
