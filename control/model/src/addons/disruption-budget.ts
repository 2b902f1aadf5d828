import type { KubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import type { AddonObject } from './addon-object.ts';

/** Limits how many of these pods may be down at once while machines are drained. */
export const disruptionBudget = (
  { disruptionBudgets }: KubernetesFacts,
  name: string,
  matchLabels: Readonly<Record<string, string>>,
  maxUnavailable: number | string = 1,
): AddonObject => ({
  apiVersion: disruptionBudgets,
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'kube-system' },
  spec: { maxUnavailable, selector: { matchLabels } },
});
