import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';
import { certificatesEndMs } from '@kopsctl/node-identity/revocation.ts';

/** What is known of a machine that wants to be attested. */
export interface Candidate {
  /** As the cloud's own list has it. */
  readonly machine: CloudMachine;
  /** Fingerprint of the key that it has proven to hold. */
  readonly machineKey: string;
  /** Whether evidence of the cloud, and not its key alone, says that it is this machine. */
  readonly isProven: boolean;
}

export interface Circumstances {
  readonly enrolment: Enrolment | undefined;
  /** Whether the cloud lists an instance. */
  readonly isListed: (instanceId: string) => boolean;
  /** Another instance that the cloud lists under the same name of a Node. Looked for last: there are thousands. */
  readonly namesake: () => string | undefined;
  readonly nowMs: number;
}

export type Admission =
  | { readonly action: 'accept' }
  /** Its key is not known: evidence of the cloud is wanted. */
  | { readonly action: 'want-evidence' }
  /** It becomes the machine of that name, once what another instance left under it is gone. */
  | { readonly action: 'enrol'; readonly clear: Clearance }
  | { readonly action: 'refuse'; readonly reason: string };

/**
 * What is removed first. The Node of another instance has what that instance had and the next one does not have, such as its
 * range of pods in GCE. Pods belong to the group, whose next machine may go on running them; a machine of another group must
 * not read their secrets.
 */
export type Clearance = 'nothing' | 'node' | 'node and pods';

/** Machines join within minutes of their first start in a group: later, a first attestation is more likely somebody else's. */
const FIRST_WITHIN_MS = 24 * 60 * 60_000;

/**
 * Whether a machine is attested under its name. The first machine of a name keeps it: the same instance with the same
 * key may come again at any time, the same instance with another key only if a person permits it, and another instance
 * only once the cloud no longer lists the first one. While two machines have one name, neither is attested. A revoked
 * instance never comes again, and its name rests until no certificate of it can be valid: its holder would be taken for the
 * next machine of that name, and read its secrets.
 */
export function admit({ machine, machineKey, isProven }: Candidate, around: Circumstances): Admission {
  const { enrolment } = around;
  if (!machine.running) return refuse('the cloud does not list it as running');
  const isSameInstance =
    enrolment?.instanceId === machine.instanceId && enrolment.launchedMs === (machine.launchedMs ?? 0);
  if (isSameInstance && enrolment.revokedAt !== undefined) return refuse(`it was revoked at ${enrolment.revokedAt}`);
  // Groups are recognized by tags, which machines of some clouds may change. A machine never changes its group.
  if (isSameInstance && enrolment.instanceGroup !== machine.instanceGroup) {
    return refuse(`it was in the group ${enrolment.instanceGroup} at its first attestation`);
  }
  const isKnown = isSameInstance && enrolment.machineKey === machineKey;
  if (!isKnown && !isProven) return { action: 'want-evidence' };
  const whyNot = isKnown ? undefined : whyNotEnrolled(enrolment, isSameInstance, machine, around);
  if (whyNot !== undefined) return refuse(whyNot);
  // Certificates of one would be good for the Secrets of the other, which may be a control plane.
  const namesake = around.namesake();
  if (namesake !== undefined) return refuse(`${namesake} has the same name`);
  if (isKnown) return { action: 'accept' };
  return { action: 'enrol', clear: enrolment === undefined || isSameInstance ? 'nothing' : left(enrolment, machine) };
}

const left = (former: Enrolment, { instanceGroup }: CloudMachine): Clearance =>
  former.instanceGroup === instanceGroup ? 'node' : 'node and pods';

/** Why a machine that has proven itself does not get its name with that key. */
function whyNotEnrolled(
  enrolment: Enrolment | undefined,
  isSameInstance: boolean,
  { instanceId, launchedMs, startedMs = launchedMs }: CloudMachine,
  { isListed, nowMs }: Circumstances,
): string | undefined {
  if (enrolment === undefined) {
    const isLate = startedMs !== undefined && nowMs - startedMs > FIRST_WITHIN_MS;
    return isLate ? 'it attests for the first time more than a day after it was started' : undefined;
  }
  if (isSameInstance) {
    return enrolment.permitsNewKey === true ? undefined : 'it has another key than at its first attestation';
  }
  if (enrolment.instanceId !== instanceId && isListed(enrolment.instanceId)) {
    return `${enrolment.instanceId} has that name, and the cloud still lists it`;
  }
  const restsUntilMs = certificatesEndMs(enrolment);
  if (restsUntilMs === undefined || nowMs >= restsUntilMs) return undefined;
  const until = new Date(restsUntilMs).toISOString();
  return `${enrolment.instanceId} had that name and was revoked: the name cannot be used again until ${until}`;
}

const refuse = (reason: string): Admission => ({ action: 'refuse', reason });
