import semver from 'semver';

/** The last patch release of a minor release, where that is not .0. */
const PATCHES: Readonly<Record<string, string>> = {
  '1.20': '1.20.1',
  '1.21': '1.21.1',
  '1.22': '1.22.1',
  '1.26': '1.26.2',
  '1.27': '1.27.2',
};

/** The cluster autoscaler follows the releases of Kubernetes. */
export function clusterAutoscalerImage(kubernetesVersion: string): string {
  const minor = `${semver.major(kubernetesVersion)}.${semver.minor(kubernetesVersion)}`;
  return `registry.k8s.io/autoscaling/cluster-autoscaler:v${PATCHES[minor] ?? `${minor}.0`}`;
}
