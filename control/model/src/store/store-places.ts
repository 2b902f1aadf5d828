import type { StorePlace } from '@kopsctl/node-plan/store-place.ts';
import { wantedPlaces } from '@kopsctl/spec/store-places.ts';
import type { ClusterFacts } from '../cluster-facts.ts';

/** The folders that machines find elsewhere. Machines that another server offers the state store find all of it there. */
export function storePlaces({ spec, clusterName, nodeStoreUrl }: PlacedFacts): readonly StorePlace[] {
  const isServed = spec.configBase?.replace(/\/+$/, '') !== `${nodeStoreUrl}/${clusterName}`;
  return isServed ? [] : placesOf({ spec, clusterName });
}

type PlacedFacts = Pick<ClusterFacts, 'spec' | 'clusterName' | 'nodeStoreUrl'>;

/** The folders that the spec puts elsewhere. */
export const placesOf = ({ spec, clusterName }: Omit<PlacedFacts, 'nodeStoreUrl'>): readonly StorePlace[] =>
  wantedPlaces({ spec }).map(({ folder, url }) => ({ folder: `${clusterName}/${folder}`, url }));

/** For a configuration or a record, which leaves the field out where there are no such folders. */
export const placesIfAny = (places: readonly StorePlace[]): { readonly storePlaces?: readonly StorePlace[] } =>
  places.length === 0 ? {} : { storePlaces: places };

/** The URL of something in the cluster's folder of the state store. @param path below that folder */
export function urlInStore(facts: PlacedFacts, path: string): string {
  const whole = `${facts.clusterName}/${path}`;
  const place = storePlaces(facts).find(({ folder }) => `${whole}/`.startsWith(`${folder}/`));
  return place === undefined ? `${facts.nodeStoreUrl}/${whole}` : place.url + whole.slice(place.folder.length);
}
