import type { ClusterFacts } from '../cluster-facts.ts';

/**
 * kubelet and runtime must agree on who makes cgroups: the spec says it. Where it does not, local machines, being
 * containers with cgroup v1 hierarchies of their own, take cgroupfs and others systemd.
 */
export function cgroupDriver(facts: ClusterFacts): 'cgroupfs' | 'systemd' {
  const wished = facts.spec.kubelet?.cgroupDriver ?? (facts.cloud === 'local' ? 'cgroupfs' : 'systemd');
  return wished === 'cgroupfs' ? 'cgroupfs' : 'systemd';
}
