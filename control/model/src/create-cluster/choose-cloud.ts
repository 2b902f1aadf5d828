import type { CreatableCloud } from './cloud-creation.ts';
import type { CreateClusterFlags } from './flags.ts';
import { refusal, unknownWord } from './refusal.ts';

/**
 * The cloud that is named. Otherwise the cloud to which the type of the state store belongs, or whose zones have names like
 * these, or, without zones, the cloud that needs none: this computer.
 */
export function chooseCloud(
  { cloud, zones = [] }: CreateClusterFlags,
  stateStoreUrl: string | undefined,
  clouds: readonly CreatableCloud[],
): CreatableCloud {
  const found =
    cloud !== undefined && cloud !== ''
      ? clouds.find(({ name }) => name === cloud)
      : zones.length === 0
        ? clouds.find(({ traits }) => traits.sharesHost)
        : (clouds.find(
            ({ creation }) => creation.storeScheme !== undefined && isStoreOf(creation.storeScheme, stateStoreUrl),
          ) ?? clouds.find(({ creation: { ownsZone } }) => ownsZone !== undefined && zones.every(ownsZone)));
  if (found !== undefined) return found;
  if (cloud !== undefined && cloud !== '') {
    throw unknownWord(
      '--cloud',
      cloud,
      clouds.map(({ name }) => name),
    );
  }
  throw refusal(`nothing says which cloud the zones ${zones.join(', ')} belong to`, 'name it with --cloud');
}

const isStoreOf = (scheme: string, stateStoreUrl = ''): boolean => stateStoreUrl.startsWith(`${scheme}://`);
