/** Something that lives in a zone. Its name is unique only there. */
export interface ZonalName {
  readonly zone: string;
  readonly name: string;
}

/**
 * What identifies an instance or a disk within a project: `us-east1-b/nodes-x7k2`, the end of a Node's providerID
 * (`gce://<project>/<zone>/<name>`). Google's numbers identify too, but a disk names who holds it by a URL.
 */
export const idOf = ({ zone, name }: ZonalName): string => `${zone}/${name}`;

/** @throws where it is no id of ours: a broken invariant */
export function parseId(id: string): ZonalName {
  const [zone, name, ...rest] = id.split('/');
  if (!zone || !name || rest.length > 0) throw new Error(`${id} is not <zone>/<name>`);
  return { zone, name };
}

/** The last part of a URL or a path: of `https://…/zones/us-east1-b` the zone. */
export const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The id of what a URL means: `https://…/projects/p/zones/us-east1-b/instances/x`; undefined for what is in no zone. */
export function idInUrl(url: string): string | undefined {
  const [, zone = '', name = ''] = /(?:^|\/)zones\/([^/]+)\/[^/]+\/([^/]+)$/.exec(url) ?? [];
  return name === '' ? undefined : idOf({ zone, name });
}
