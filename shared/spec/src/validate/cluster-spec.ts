import semver from 'semver';
import type { CloudTraits } from '../cloud-traits.ts';
import type { Cluster } from '../cluster.ts';
import { firstWith, isTooNew, kubernetesFacts, NEWEST_KUBERNETES, OLDEST_KUBERNETES } from '../kubernetes-versions.ts';
import { cloudProvider } from '../schema/enums.ts';
import { isDnsName } from './names.ts';
import { fault, type Fault } from './fault.ts';

/** Names, versions and the container runtime of a cluster. */
export function* validateClusterSpec({ metadata, spec }: Cluster, traits: CloudTraits): Iterable<Fault> {
  yield* validateName(metadata.name, spec.topology?.dns?.type === 'None');
  const clouds = cloudProvider.words;
  if (spec.cloudProvider === undefined) {
    yield fault('spec.cloudProvider', 'must be set', `one of ${clouds.join(', ')}`);
  } else if (!clouds.includes(spec.cloudProvider)) {
    yield fault('spec.cloudProvider', `expected one of ${clouds.join(', ')}, found '${spec.cloudProvider}'`);
  }
  if (spec.kubernetesVersion !== undefined) yield* validateKubernetesVersion(spec.kubernetesVersion);
  yield* validateRuntime(spec, traits);
  for (const [index, { name = '' }] of (spec.iam?.serviceAccountExternalPermissions ?? []).entries()) {
    if (name === '') yield fault(`spec.iam.serviceAccountExternalPermissions[${index}].name`, 'must be set');
  }
}

/** A cluster whose names nobody looks up in DNS needs no domain (kops pkg/apis/kops/validation/validation.go). */
function* validateName(name: string, hasNoNames: boolean): Iterable<Fault> {
  if (!isDnsName(name)) {
    yield fault(
      'metadata.name',
      `'${name}' is not a DNS name`,
      'lower-case letters, digits, - and ., such as demo.example.com',
    );
  } else if (!name.includes('.') && !hasNoNames) {
    yield fault(
      'metadata.name',
      `'${name}' has no domain`,
      `e.g. ${name}.example.com, or spec.topology.dns.type: None`,
    );
  }
}

function* validateKubernetesVersion(version: string): Iterable<Fault> {
  const parsed = semver.parse(version);
  if (parsed === null) {
    const hint = /^v?\d+\.\d+$/.test(version) ? `write all three numbers: ${version}.0` : 'e.g. 1.20.2';
    yield fault('spec.kubernetesVersion', `'${version}' is not a version`, hint);
  } else if (semver.lt(`${parsed.major}.${parsed.minor}.${parsed.patch}`, OLDEST_KUBERNETES)) {
    yield fault('spec.kubernetesVersion', `${version} is too old; use ${OLDEST_KUBERNETES} or newer`);
  }
}

function* validateRuntime(
  { containerRuntime, kubernetesVersion }: Cluster['spec'],
  { bringsImages }: CloudTraits,
): Iterable<Fault> {
  if (containerRuntime === undefined) return;
  const path = 'spec.containerRuntime';
  if (containerRuntime !== 'containerd' && containerRuntime !== 'docker') {
    yield fault(path, `expected containerd or docker, found '${containerRuntime}'`);
  } else if (containerRuntime === 'docker' && kubernetesFacts(kubernetesVersion ?? '')?.dockershim === false) {
    yield fault(
      path,
      `Kubernetes ${kubernetesVersion} cannot use docker, only versions below ${firstWith('dockershim', false)} can`,
      'use containerd',
    );
  } else if (containerRuntime === 'docker' && !bringsImages) {
    // Its archives are published without hashes, so that a machine could not tell what it downloads.
    yield fault(
      path,
      'docker is not installed in this cloud: machines download only programs whose hash is published',
      'write containerd, or remove the field',
    );
  }
}

/** A fault where nothing is known of the version, because its minor came after those of the table of versions. */
export function* tooNewKubernetes({ spec: { kubernetesVersion = '' } }: Cluster): Iterable<Fault> {
  if (!isTooNew(kubernetesVersion)) return;
  yield fault(
    'spec.kubernetesVersion',
    `${kubernetesVersion} is newer than ${NEWEST_KUBERNETES}, the newest minor that this version of kopsctl knows`,
    'upgrade kopsctl, or set KOPS_RUN_TOO_NEW_VERSION=1 in the environment to try it anyway',
  );
}
