import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { roleNamed, roleOf } from '../names.ts';
import { fault, type Fault } from '../validate/fault.ts';
import { faultsOf, ofGroup } from './unread-field.ts';

/** Bastions get no boot script and no plan, as in kops (pkg/model/bootstrapscript.go). */
const MESSAGE = 'it is not read: nodeup does not run on bastions, as in kops';
const HINT = 'use spec.additionalUserData of their group';

const OF_GROUP: readonly string[] = [
  'spec.containerd',
  'spec.fileAssets',
  'spec.hooks',
  'spec.kubelet',
  'spec.packages',
  'spec.sysctlParameters',
  'spec.updatePolicy',
  'spec.volumeMounts',
];

/** What a person has set for bastions, and only machines with a plan have. */
export const bastionFields = ({ spec }: Cluster, groups: readonly InstanceGroup[]): readonly Fault[] => [
  ...(['hooks', 'fileAssets'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap(({ roles = [] }, index) =>
      roles.length > 0 && roles.every((role) => roleNamed(role) === 'Bastion')
        ? [fault(`spec.${field}[${index}].roles`, MESSAGE, HINT)]
        : [],
    ),
  ),
  ...groups
    .filter((group) => roleOf(group) === 'Bastion')
    .flatMap((group) =>
      OF_GROUP.flatMap((path) => faultsOf({ path, message: MESSAGE, hint: HINT }, group)).map((one) =>
        ofGroup(group, one),
      ),
    ),
];
