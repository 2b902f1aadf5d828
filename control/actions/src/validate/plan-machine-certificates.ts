import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import type { NodeStatus } from '../access/kubernetes-objects.ts';
import { readMachineState } from '../follow/read-machine-state.ts';
import { certificateRenewal } from './certificate-renewal.ts';
import type { ExpiryFindings } from './plan-certificate-expiry.ts';
import type { ValidationFailure } from './plan-validation.ts';

/**
 * Which certificates of machines have expired, or were not renewed when that was due, as the machines say themselves: a kubelet
 * or an etcd whose certificate expires works until then. Pure.
 */
export function machineCertificates(
  nodes: readonly NodeStatus[],
  machines: readonly ExpectedNode[],
  nowMs: number,
): ExpiryFindings {
  const [failures, warnings]: [ValidationFailure[], ValidationFailure[]] = [[], []];
  const byNode = new Map(machines.map((machine) => [machine.nodeName, machine]));
  for (const { name: node, machineId, state } of nodes) {
    const machine = byNode.get(node);
    // A Node that a former machine has left says nothing about the machines that are there.
    const isOwn = machine !== undefined && (machine.machineId === undefined || machine.machineId === machineId);
    if (!isOwn || state === undefined) continue;
    const { certificates = {} } = readMachineState(state) ?? {};
    for (const [name, { notAfter, renewalFailure }] of Object.entries(certificates)) {
      const { warnBeforeMs, next } = certificateRenewal(name, machine.role !== 'ControlPlane');
      const leftMs = Date.parse(notAfter) - nowMs;
      if (leftMs > warnBeforeMs && renewalFailure === undefined) continue;
      const why = renewalFailure === undefined ? '' : `: ${renewalFailure}`;
      const [found, what] =
        leftMs <= 0
          ? [failures, `expired at ${notAfter}${why}`]
          : [warnings, `expires at ${notAfter} and was not renewed${why}`];
      found.push({ kind: 'Certificate', name: `${node}/${name}`, message: `${what}; ${next}` });
    }
  }
  return { failures, warnings };
}
