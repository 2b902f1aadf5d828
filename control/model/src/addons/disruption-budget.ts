import type { AddonObject } from './addon-object.ts';
import { byKubernetes, type ByKubernetes } from './by-kubernetes.ts';

const API: ByKubernetes<string> = [
  { since: '1.20.0', use: 'policy/v1beta1' },
  { since: '1.21.0', use: 'policy/v1' },
];

/** Limits how many of these pods may be down at once while machines are drained. */
export const disruptionBudget = (
  kubernetesVersion: string,
  name: string,
  matchLabels: Readonly<Record<string, string>>,
  maxUnavailable: number | string = 1,
): AddonObject => ({
  apiVersion: byKubernetes(API, kubernetesVersion),
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'kube-system' },
  spec: { maxUnavailable, selector: { matchLabels } },
});
