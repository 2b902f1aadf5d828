import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { type Enrolment, parseEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import type { StoredEnrolment } from '@kopsctl/node-identity/broker-messages.ts';
import { admit, type Candidate, type Clearance } from './admit.ts';

/** Which machine has which name: kept in the state store, where no write is blind. */
export interface Enrolments {
  /** Undefined if nobody has the name. */
  read(node: string, signal: AbortSignal): Promise<StoredEnrolment | undefined>;
  /** False if it no longer has that version (undefined: if there is one by now), and nothing was written. */
  write(enrolment: Enrolment, version: string | undefined, signal: AbortSignal): Promise<boolean>;
}

export interface EnrolmentEnv {
  readonly enrolments: Enrolments;
  readonly kube: Pick<KubeClient, 'get' | 'remove'>;
  /** The machines that the cloud lists now. */
  readonly machines: () => readonly CloudMachine[];
  readonly nowMs: () => number;
}

export type Outcome =
  | { readonly result: 'accepted'; readonly isNew: boolean }
  | { readonly result: 'want-evidence' }
  | { readonly result: 'refused'; readonly reason: string };

/**
 * Decides about a machine that wants to be attested, and remembers the first one of a name. Where two authorities
 * decide at the same time, the store lets one of them write; the other one decides again on what was written.
 */
export async function enrol(candidate: Candidate, env: EnrolmentEnv, signal: AbortSignal): Promise<Outcome> {
  const { machine } = candidate;
  for (;;) {
    const stored = await env.enrolments.read(machine.nodeName, signal);
    const enrolment = stored && parseEnrolment(stored.text);
    const machines = env.machines();
    const admission = admit(candidate, {
      enrolment,
      isListed: (id) => machines.some(({ instanceId }) => instanceId === id),
      namesake: () => namesakeOf(machine, machines),
      nowMs: env.nowMs(),
    });
    switch (admission.action) {
      case 'accept':
        return { result: 'accepted', isNew: false };
      case 'want-evidence':
        return { result: 'want-evidence' };
      case 'refuse':
        return { result: 'refused', reason: admission.reason };
      case 'enrol': {
        if (!(await isCleared(admission.clear, machine.nodeName, env.kube, signal))) {
          return { result: 'refused', reason: 'pods of another group are still bound to that name' };
        }
        if (await env.enrolments.write(enrolmentOf(candidate, env.nowMs()), stored?.version, signal)) {
          return { result: 'accepted', isNew: true };
        }
      }
    }
  }
}

const namesakeOf = (machine: CloudMachine, machines: readonly CloudMachine[]): string | undefined =>
  machines.find(({ nodeName, instanceId }) => nodeName === machine.nodeName && instanceId !== machine.instanceId)
    ?.instanceId;

/** Deletes the Node of a name; false while pods are bound to it whose secrets its next holder could read. */
async function isCleared(
  clear: Clearance,
  node: string,
  kube: EnrolmentEnv['kube'],
  signal: AbortSignal,
): Promise<boolean> {
  if (clear === 'nothing') return true;
  await kube.remove(`/api/v1/nodes/${node}`, signal);
  if (clear === 'node') return true;
  const pods = await kube.get(`/api/v1/pods?limit=1&fieldSelector=spec.nodeName%3D${node}`, signal);
  return asArray(asRecord(pods)['items']).length === 0;
}

const enrolmentOf = ({ machine, machineKey }: Candidate, nowMs: number): Enrolment => ({
  node: machine.nodeName,
  instanceId: machine.instanceId,
  launchedMs: machine.launchedMs ?? 0,
  instanceGroup: machine.instanceGroup,
  machineKey,
  address: machine.address,
  enrolledAt: new Date(nowMs).toISOString(),
});
