import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { NETWORKINGS } from '@kopsctl/model/create-cluster/networking.ts';

/** Flags of `create cluster` whose values depend on the clouds that there are. */
export type FlagOfClouds = '--cloud' | '--networking';

/** What may be given to a flag: of every cloud, as which one it will be may be said later in the line. */
export function listFlagValues(flag: FlagOfClouds): readonly string[] {
  const values =
    flag === '--cloud'
      ? CLOUDS.map(({ name }) => name)
      : [...NETWORKINGS, ...CLOUDS.flatMap(({ creation }) => creation.networkings ?? [])];
  return [...new Set(values)].toSorted();
}
