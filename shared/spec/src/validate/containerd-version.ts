import semver from 'semver';
import type { Cluster, ContainerdConfig } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { kubernetesFacts } from '../kubernetes-versions.ts';
import { fault, type Fault } from './fault.ts';

/** containerd docs/NRI.md. */
const FIRST_WITH_NRI = '1.7.0';

/** Refuses a containerd that kubelet of the cluster's version cannot drive, in the cluster and in each group. */
export function* validateContainerdVersion({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const { kubernetesVersion = '' } = spec;
  yield* faultsOf(spec.containerd, kubernetesVersion);
  for (const { metadata, spec: group } of groups) {
    for (const one of faultsOf(group.containerd, kubernetesVersion)) yield { ...one, instanceGroup: metadata.name };
  }
}

function* faultsOf({ version, nri }: ContainerdConfig = {}, kubernetesVersion: string): Iterable<Fault> {
  if (version === undefined) return;
  const path = 'spec.containerd.version';
  const parsed = semver.parse(version);
  const oldest = kubernetesFacts(kubernetesVersion)?.oldestContainerd;
  if (parsed === null) {
    yield fault(path, `'${version}' is not a version`, 'e.g. 2.3.4');
  } else if (oldest !== undefined && semver.lt(parsed, oldest)) {
    yield fault(path, `Kubernetes ${kubernetesVersion} needs containerd ${oldest} or newer, not ${version}`);
  } else if (nri?.enabled === true && semver.lt(parsed, FIRST_WITH_NRI)) {
    yield fault('spec.containerd.nri', `containerd ${version} has none; ${FIRST_WITH_NRI} is the first`, 'remove it');
  }
}
