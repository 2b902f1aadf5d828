/** A zonal resource. Its name is unique only within the zone. */
export interface ZonalName {
  readonly zone: string;
  readonly name: string;
}

/**
 * The id of an instance or a disk within a project: `us-east1-b/nodes-x7k2`, the end of the providerID of a Node
 * (`gce://<project>/<zone>/<name>`). Google also has numeric ids, but a disk names its holder by URL.
 */
export const idOf = ({ zone, name }: ZonalName): string => `${zone}/${name}`;

/** @throws if it is not such an id, which is a bug */
export function parseId(id: string): ZonalName {
  const [zone, name, ...rest] = id.split('/');
  if (!zone || !name || rest.length > 0) throw new Error(`${id} is not <zone>/<name>`);
  return { zone, name };
}

/** The last part of a URL or a path: of `https://…/zones/us-east1-b` the zone. */
export const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The id in a URL: `https://…/projects/p/zones/us-east1-b/instances/x`; undefined for a resource without a zone. */
export function idInUrl(url: string): string | undefined {
  const [, zone = '', name = ''] = /(?:^|\/)zones\/([^/]+)\/[^/]+\/([^/]+)$/.exec(url) ?? [];
  return name === '' ? undefined : idOf({ zone, name });
}
