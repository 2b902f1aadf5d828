import { byKubernetes, type ByKubernetes } from '@kopsctl/model/addons/by-kubernetes.ts';

/** What differs between Kubernetes versions on AWS alone. */

/**
 * Before 1.23, the cloud provider finds an instance only by its private DNS name, so its Node has that name (kops 1.23,
 * nodeup/pkg/model/kubelet.go).
 */
const FOUND_BY_ID: ByKubernetes<boolean> = [
  { since: '1.20.0', use: false },
  { since: '1.23.0', use: true },
];

/** Nodes may have the ids of their instances. */
export const instancesFoundById = (version: string): boolean => byKubernetes(FOUND_BY_ID, version);
