import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import type { RuntimePackages } from '../schema/runtime-packages.ts';
import { fault, type Fault } from './fault.ts';

const PAIRS = [
  ['urlAmd64', 'hashAmd64'],
  ['urlArm64', 'hashArm64'],
] as const;

/** A containerd or runc of the user's own needs its location and its hash: nothing is run unchecked. */
export function* validateRuntimePackages({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* faultsOf(spec.containerd);
  for (const { metadata, spec: group } of groups) {
    for (const one of faultsOf(group.containerd)) yield { ...one, instanceGroup: metadata.name };
  }
}

function* faultsOf({ packages, runc }: NonNullable<Cluster['spec']['containerd']> = {}): Iterable<Fault> {
  yield* faultsOfPackages('spec.containerd.packages', packages);
  yield* faultsOfPackages('spec.containerd.runc.packages', runc?.packages);
}

function* faultsOfPackages(path: string, packages: RuntimePackages = {}): Iterable<Fault> {
  for (const [url, hash] of PAIRS) {
    const [location, sha256] = [packages[url], packages[hash]];
    if (location !== undefined && !/^https?:$/.test(URL.parse(location)?.protocol ?? '')) {
      yield fault(`${path}.${url}`, `'${location}' is not an http or https URL`);
    }
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) {
      yield fault(
        `${path}.${hash}`,
        `'${sha256}' is not a SHA-256 hash`,
        'write its 64 hexadecimal digits, in lower case',
      );
    }
    if (location !== undefined && sha256 === undefined) {
      yield fault(`${path}.${url}`, `${path}.${hash} is not set`, 'set both: what is downloaded is checked');
    }
    if (sha256 !== undefined && location === undefined) {
      yield fault(`${path}.${hash}`, `${path}.${url} is not set`, 'set both, or remove this field');
    }
  }
}
