import type { Place } from '../../node/operation.ts';
import { list, pathIn, resourcePath } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { isOwn, ownNetwork } from './own-names.ts';
import type { OwnedResource } from './resource-handler.ts';

interface Where {
  readonly noun: string;
  /** By default the cluster's. */
  readonly project?: string;
  readonly place: Place;
  readonly collection: string;
  /** The fields that say whose a resource is. */
  readonly fields: string;
  /** What the names of the cluster's resources begin with. */
  readonly objects: readonly string[];
}

/** The resources of a collection that belong to the cluster. */
export async function ownedResources(
  gce: GceCloud,
  { noun, project = gce.project, place, collection, fields, objects }: Where,
  signal: AbortSignal,
): Promise<readonly OwnedResource[]> {
  const [found, subnets] = await Promise.all([
    list(gce, { project, place, collection, fields }, signal),
    fields.includes('subnetwork') ? ownSubnets(gce, signal) : new Set<string>(),
  ]);
  return found
    .filter((answer) => isOwn(answer, { gce, objects, ownSubnets: subnets }))
    .map((answer) => {
      const name = answer.text('name');
      return { name, description: `${noun} ${name}`, handle: resourcePath(project, place, collection, name) };
    });
}

/** The subnets in the network that the cluster has made. */
async function ownSubnets(gce: GceCloud, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const own = ownNetwork(gce);
  if (own === undefined) return new Set();
  const place = `regions/${gce.region}` as const;
  const listing = { project: gce.project, place, collection: 'subnetworks', fields: 'name,network' } as const;
  const found = await list(gce, listing, signal);
  return new Set(
    found
      .filter((answer) => pathIn(answer.text('network')) === own)
      .map((answer) => resourcePath(gce.project, place, 'subnetworks', answer.text('name'))),
  );
}
