import type { ClusterFacts } from '../cluster-facts.ts';

/**
 * kubelet and runtime must agree on who makes cgroups. Local machines are containers whose cgroup v1 hierarchies
 * only cgroupfs serves; elsewhere it is the spec's choice, systemd where it makes none.
 */
export function cgroupDriver(facts: ClusterFacts): 'cgroupfs' | 'systemd' {
  if (facts.cloud === 'local') return 'cgroupfs';
  return facts.spec.kubelet?.cgroupDriver === 'cgroupfs' ? 'cgroupfs' : 'systemd';
}
