import { wishedKubelet } from '../store/node-marks.ts';
import type { NodeContext } from './node-context.ts';

/** kubelet and runtime must agree on which of them makes cgroups: the runtime follows kubelet's setting. */
export const cgroupDriver = (node: NodeContext): 'cgroupfs' | 'systemd' =>
  wishedKubelet(node, node.instanceGroup).cgroupDriver === 'cgroupfs' ? 'cgroupfs' : 'systemd';
