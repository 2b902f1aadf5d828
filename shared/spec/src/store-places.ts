import type { Cluster } from './cluster.ts';

/** A folder of a cluster's state that its spec puts elsewhere. */
export interface WantedPlace {
  /** Below the cluster's folder: `pki`. */
  readonly folder: string;
  readonly url: string;
  /** The field that says so. */
  readonly path: string;
}

/**
 * The folders that a spec puts elsewhere than below the cluster's folder.
 *
 * @param base the URL of the cluster's folder where the spec does not name it
 */
export function wantedPlaces({ spec }: Pick<Cluster, 'spec'>, base = ''): readonly WantedPlace[] {
  const own = bare(spec.configBase ?? base);
  const wishes = [
    { folder: 'pki', url: spec.keyStore, path: 'spec.keyStore' },
    { folder: 'secrets', url: spec.secretStore, path: 'spec.secretStore' },
    ...(spec.etcdClusters ?? []).map(({ name = '', backups }, index) => ({
      folder: `backups/etcd/${name}`,
      url: backups?.backupStore,
      path: `spec.etcdClusters[${index}].backups.backupStore`,
    })),
  ];
  return wishes.flatMap(({ folder, url, path }) =>
    url === undefined || url === '' || bare(url) === `${own}/${folder}` ? [] : [{ folder, url: bare(url), path }],
  );
}

/** The URL of a file of a cluster whose spec is completed. @param path below the cluster's folder */
export function urlOfFile(cluster: Pick<Cluster, 'spec'>, path: string): string {
  const place = wantedPlaces(cluster).find(({ folder }) => path.startsWith(`${folder}/`));
  return place === undefined
    ? `${bare(cluster.spec.configBase ?? '')}/${path}`
    : place.url + path.slice(place.folder.length);
}

const bare = (url: string): string => url.replace(/\/+$/, '');
