import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { MachineState, VolumeState } from '@kopsctl/node-plan/machine-state.ts';
import type { VolumeStep } from '../volumes/plan-volumes.ts';

/** How a machine with this configuration finds the others. */
export function discoveryOf({
  gossip,
  balanced,
  hosts,
  role,
}: Pick<ProtokubeConfig, 'gossip' | 'balanced' | 'hosts' | 'role'>): MachineState['discovery']['by'] {
  if (gossip !== undefined) return 'gossip';
  if (balanced !== undefined) return 'load balancer';
  return hosts.length > 0 || role === 'ControlPlane' ? 'cloud' : 'DNS';
}

/** The state of a volume as its next step implies it: a mounted and labelled one needs none. */
export function volumeState(step: VolumeStep): VolumeState {
  const { summary } = step;
  return step.action === 'nothing' ? { isMounted: true, member: step.member, summary } : { isMounted: false, summary };
}
