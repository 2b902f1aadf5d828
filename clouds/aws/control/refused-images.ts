import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Fault } from '@kopsctl/spec/validate/fault.ts';
import { readOnlySystem } from '@kopsctl/spec/validate/read-only-system.ts';
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

/** Groups whose machines would not start, as far as the name of the image tells. */
export const refusedImages = (_: Cluster, groups: readonly InstanceGroup[]): readonly Fault[] =>
  groups.flatMap(({ metadata, spec: { image } }) => {
    const system = image === undefined ? undefined : readOnlyIn(image);
    if (image === undefined || system === undefined) return [];
    return [{ ...readOnlySystem(image, system), instanceGroup: metadata.name }];
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
