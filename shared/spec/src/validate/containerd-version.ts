import semver from 'semver';
import type { Cluster, ContainerdConfig } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { kubernetesFacts } from '../kubernetes-versions.ts';
import { fault, type Fault } from './fault.ts';

/** containerd docs/NRI.md. */
const FIRST_WITH_NRI = '1.7.0';

/** The first that reads mirrors from a folder (containerd docs/hosts.md, "config_path"), where nodes have them. */
const FIRST_WITH_MIRRORS = '1.5.0';

/** Refuses a containerd that kubelet of the cluster's version cannot drive, too old or too new, in the cluster and in each group. */
export function* validateContainerdVersion({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const { kubernetesVersion = '' } = spec;
  yield* faultsOf(spec.containerd, kubernetesVersion);
  for (const { metadata, spec: group } of groups) {
    for (const one of faultsOf(group.containerd, kubernetesVersion)) yield { ...one, instanceGroup: metadata.name };
  }
  yield* mirrorsUnread(spec, groups);
}

function* faultsOf({ version, nri }: ContainerdConfig = {}, kubernetesVersion: string): Iterable<Fault> {
  if (version === undefined) return;
  const path = 'spec.containerd.version';
  const parsed = semver.parse(version);
  const { containerdRange: range = '*' } = kubernetesFacts(kubernetesVersion) ?? {};
  if (parsed === null) {
    yield fault(path, `'${version}' is not a version`, 'e.g. 2.3.4');
  } else if (!semver.satisfies(semver.coerce(version) ?? parsed, range)) {
    yield fault(path, `Kubernetes ${kubernetesVersion} needs containerd ${range}, not ${version}`);
  } else if (nri?.enabled === true && semver.lt(parsed, FIRST_WITH_NRI)) {
    yield fault(
      'spec.containerd.nri',
      `containerd ${version} does not support NRI; ${FIRST_WITH_NRI} is the first that does`,
      'remove it',
    );
  }
}

/** Settings of a group override those of the cluster, so the version and the mirrors may stand in different places. */
function* mirrorsUnread({ containerd = {} }: Cluster['spec'], groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* unreadBy(containerd.version, containerd.registryMirrors);
  for (const { metadata, spec } of groups) {
    const { version, registryMirrors } = spec.containerd ?? {};
    if (version === undefined && registryMirrors === undefined) continue;
    const path = registryMirrors === undefined ? 'spec.containerd.version' : MIRRORS;
    const found = unreadBy(version ?? containerd.version, registryMirrors ?? containerd.registryMirrors, path);
    for (const one of found) yield { ...one, instanceGroup: metadata.name };
  }
}

const MIRRORS = 'spec.containerd.registryMirrors';

function* unreadBy(
  version: string | undefined,
  mirrors: ContainerdConfig['registryMirrors'] = {},
  path = MIRRORS,
): Iterable<Fault> {
  const parsed = semver.parse(version);
  if (parsed === null || !semver.lt(parsed, FIRST_WITH_MIRRORS) || Object.keys(mirrors).length === 0) return;
  const message = `containerd ${version} would not read the mirrors; ${FIRST_WITH_MIRRORS} is the first that does`;
  yield fault(path, message, 'use a newer containerd, or remove the mirrors');
}
