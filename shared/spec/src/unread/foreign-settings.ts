import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import type { Fault } from '../validate/fault.ts';
import { faultsOf, ofGroup, type UnreadField } from './unread-field.ts';

/** Settings that only some clouds read, as paths in which `[]` stands for each item of a list. */
export interface CloudSettings {
  readonly cluster: readonly string[];
  readonly group: readonly string[];
}

/** A cloud, and what it reads of the settings that not every cloud reads. */
interface ReadingCloud {
  readonly name: string;
  readonly settings?: CloudSettings;
}

/** What a person has set that only clouds other than that of the cluster read. */
export function foreignSettings(
  cluster: Cluster,
  groups: readonly InstanceGroup[],
  clouds: readonly ReadingCloud[],
): readonly Fault[] {
  const { cloudProvider = '' } = cluster.spec;
  return [
    ...foreignTo(cloudProvider, clouds, 'cluster').flatMap((field) => faultsOf(field, cluster)),
    ...groups.flatMap((group) =>
      foreignTo(cloudProvider, clouds, 'group')
        .flatMap((field) => faultsOf(field, group))
        .map((one) => ofGroup(group, one)),
    ),
  ];
}

function foreignTo(name: string, clouds: readonly ReadingCloud[], kind: keyof CloudSettings): readonly UnreadField[] {
  const own = new Set(clouds.find((cloud) => cloud.name === name)?.settings?.[kind]);
  const paths = new Set(clouds.flatMap(({ settings }) => settings?.[kind] ?? []));
  return [...paths]
    .filter((path) => !own.has(path))
    .map((path) => {
      const readers = clouds.filter(({ settings }) => settings?.[kind].includes(path) === true);
      const who = readers.map((cloud) => cloud.name).join(', ');
      return { path, message: `it is not read: a setting for cloudProvider ${who}`, hint: 'remove it' };
    });
}
