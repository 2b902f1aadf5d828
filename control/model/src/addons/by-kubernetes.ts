import semver from 'semver';

/** Values by Kubernetes version, oldest first. A row applies from its version up to the next row. */
export type ByKubernetes<T> = readonly [Since<T>, ...Since<T>[]];

interface Since<T> {
  readonly since: string;
  readonly use: T;
}

/** The row of a Kubernetes version; pre-releases count as their release. */
export function byKubernetes<T>(rows: ByKubernetes<T>, kubernetesVersion: string): T {
  const release = semver.coerce(kubernetesVersion);
  if (release === null) throw new Error(`${kubernetesVersion} is not a Kubernetes version`);
  return rows.reduce((held, row) => (semver.lte(row.since, release) ? row : held), rows[0]).use;
}
