import type { Cluster } from '../cluster.ts';
import { wantedPlaces } from '../store-places.ts';
import { fault, type Fault } from './fault.ts';

/** Kinds of stores that only kops knows. */
const NEVER_READ = ['azureblob', 'k8s', 'swift', 'vault'];

/** Keysets, secrets and backups may lie elsewhere, but only where machines reach them, and no two of them in one folder. */
export function* validateStorePlaces(cluster: Cluster): Iterable<Fault> {
  const { configBase } = cluster.spec;
  const kind = /^([a-z][a-z0-9]*):\/\//.exec(configBase ?? '')?.[1];
  if (kind !== undefined && NEVER_READ.includes(kind)) {
    yield fault('spec.configBase', `machines read no state store of ${kind}://`, 'move it to a bucket: s3:// or gs://');
  }
  const taken = new Map<string, string>();
  for (const { url, path } of wantedPlaces(cluster)) {
    const scheme = schemeOf(url);
    const wanted = schemeOf(configBase ?? '');
    const former = taken.get(url);
    if (scheme === undefined) {
      yield fault(path, `'${url}' is not the URL of a folder`, 'write one such as s3://BUCKET/FOLDER');
    } else if (wanted !== undefined && scheme !== wanted) {
      yield fault(path, `machines reach the state store by ${wanted}://, not ${scheme}://`, `use ${wanted}://`);
    } else if (former !== undefined) {
      yield fault(
        path,
        `${former} has the same folder, so each would take the other's files for its own`,
        'use another folder',
      );
    }
    taken.set(url, path);
  }
}

const schemeOf = (url: string): string | undefined => /^([a-z][a-z0-9]*):\/\/[^/]*\/?[^/]/.exec(url)?.[1];
