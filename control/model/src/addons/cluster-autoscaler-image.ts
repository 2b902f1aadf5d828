import { byKubernetes, type ByKubernetes } from './by-kubernetes.ts';

/** The cluster autoscaler has a release for each minor release of Kubernetes. */
const VERSIONS: ByKubernetes<string> = [
  { since: '1.20.0', use: 'v1.20.1' },
  { since: '1.21.0', use: 'v1.21.1' },
  { since: '1.22.0', use: 'v1.22.1' },
  { since: '1.23.0', use: 'v1.23.0' },
  { since: '1.24.0', use: 'v1.24.0' },
  { since: '1.25.0', use: 'v1.25.0' },
  { since: '1.26.0', use: 'v1.26.2' },
  { since: '1.27.0', use: 'v1.27.2' },
  { since: '1.28.0', use: 'v1.28.0' },
  { since: '1.29.0', use: 'v1.29.0' },
  { since: '1.30.0', use: 'v1.30.0' },
  { since: '1.31.0', use: 'v1.31.5' },
  { since: '1.32.0', use: 'v1.32.7' },
  { since: '1.33.0', use: 'v1.33.5' },
  { since: '1.34.0', use: 'v1.34.4' },
  { since: '1.35.0', use: 'v1.35.1' },
  { since: '1.36.0', use: 'v1.36.0' },
];

export const clusterAutoscalerImage = (kubernetesVersion: string): string =>
  `registry.k8s.io/autoscaling/cluster-autoscaler:${byKubernetes(VERSIONS, kubernetesVersion)}`;
