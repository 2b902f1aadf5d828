import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { ConflictError, type StateStore, type WriteCondition } from '@kopsctl/state-store/store.ts';
import { admit, type Candidate } from './admit.ts';
import { type Enrolment, enrolmentPath, parseEnrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';

export interface EnrolmentEnv {
  readonly cluster: string;
  readonly store: StateStore;
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
  const path = enrolmentPath(env.cluster, machine.nodeName);
  for (;;) {
    const stored = await env.store.read(path, signal);
    const enrolment = stored && parseEnrolment(Buffer.from(stored.bytes).toString('utf8'));
    const machines = env.machines();
    const listed = new Set(machines.map(({ instanceId }) => instanceId));
    const namesake = machines.find(
      ({ nodeName, instanceId }) => nodeName === machine.nodeName && instanceId !== machine.instanceId,
    )?.instanceId;
    const admission = admit(candidate, { enrolment, listed, namesake, nowMs: env.nowMs() });
    switch (admission.action) {
      case 'accept':
        return { result: 'accepted', isNew: false };
      case 'want-evidence':
        return { result: 'want-evidence' };
      case 'refuse':
        return { result: 'refused', reason: admission.reason };
      case 'enrol': {
        if (admission.clear && !(await clearNode(machine.nodeName, env.kube, signal))) {
          return { result: 'refused', reason: 'pods of another group are still bound to that name' };
        }
        const condition = stored === undefined ? ({ ifAbsent: true } as const) : { ifVersion: stored.version };
        if (await wrote(path, enrolmentOf(candidate, env.nowMs()), condition, env.store, signal)) {
          return { result: 'accepted', isNew: true };
        }
      }
    }
  }
}

/** Deletes the Node of a name; false while pods are bound to it, whose secrets its next holder could read. */
async function clearNode(node: string, kube: EnrolmentEnv['kube'], signal: AbortSignal): Promise<boolean> {
  await kube.remove(`/api/v1/nodes/${node}`, signal);
  const pods = await kube.get(`/api/v1/pods?limit=1&fieldSelector=spec.nodeName%3D${node}`, signal);
  return asArray(asRecord(pods)['items']).length === 0;
}

async function wrote(
  path: string,
  enrolment: Enrolment,
  condition: WriteCondition,
  store: StateStore,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await store.write(path, Buffer.from(printEnrolment(enrolment)), condition, signal);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
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
