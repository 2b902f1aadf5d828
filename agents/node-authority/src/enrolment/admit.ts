import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';
import { certificatesEndMs } from '@kopsctl/node-identity/revocation.ts';

/** What is known of a machine that wants to be attested. */
export interface Candidate {
  /** As the cloud's own list has it. */
  readonly machine: CloudMachine;
  /** Fingerprint of the key that it has shown to have. */
  readonly machineKey: string;
  /** Whether evidence of the cloud says that it is this machine, and not its key alone. */
  readonly isProven: boolean;
}

export interface Circumstances {
  readonly enrolment: Enrolment | undefined;
  /** Whether the cloud lists an instance. */
  readonly isListed: (instanceId: string) => boolean;
  /** Another instance that the cloud lists under the same name of a Node. Looked for when it matters: there are thousands. */
  readonly namesake: () => string | undefined;
  readonly nowMs: number;
}

export type Admission =
  | { readonly action: 'accept' }
  /** Its key is not known: evidence of the cloud is wanted. */
  | { readonly action: 'want-evidence' }
  /** It becomes the machine of that name. `clear`: a machine of another group had it, so its Node has to go first. */
  | { readonly action: 'enrol'; readonly clear: boolean }
  | { readonly action: 'refuse'; readonly reason: string };

/** Machines join within minutes of their creation: later, a first attestation is more likely by somebody else. */
const FIRST_WITHIN_MS = 24 * 60 * 60_000;

/**
 * Whether a machine is attested under its name. The first machine of a name keeps it: the same instance with the same
 * key may come again at any time, the same instance with another key only if a person permits it, and another instance
 * only once the cloud lists the first one no more. A revoked instance never comes again, and its name rests until no
 * certificate of it can be valid: its holder would be taken for the next machine of that name, and read its secrets.
 */
export function admit({ machine, machineKey, isProven }: Candidate, around: Circumstances): Admission {
  const { enrolment, isListed, nowMs } = around;
  if (!machine.running) return refuse('the cloud does not list it as running');
  const isSameInstance =
    enrolment?.instanceId === machine.instanceId && enrolment.launchedMs === (machine.launchedMs ?? 0);
  if (isSameInstance && enrolment.revokedAt !== undefined) return refuse(`it was revoked at ${enrolment.revokedAt}`);
  // Groups are told by tags, which machines of some clouds may change. A machine never changes over.
  if (isSameInstance && enrolment.instanceGroup !== machine.instanceGroup) {
    return refuse(`it was of the group ${enrolment.instanceGroup} at its first attestation`);
  }
  if (enrolment !== undefined && isSameInstance && enrolment.machineKey === machineKey) return { action: 'accept' };
  if (!isProven) return { action: 'want-evidence' };
  if (enrolment === undefined) {
    const namesake = around.namesake();
    if (namesake !== undefined) return refuse(`${namesake} has the same name`);
    const ageMs = machine.launchedMs === undefined ? 0 : nowMs - machine.launchedMs;
    return ageMs > FIRST_WITHIN_MS
      ? refuse('it attests for the first time more than a day after its creation')
      : { action: 'enrol', clear: false };
  }
  if (isSameInstance) {
    return enrolment.permitsNewKey === true
      ? { action: 'enrol', clear: false }
      : refuse('it has another key than at its first attestation');
  }
  if (enrolment.instanceId !== machine.instanceId && isListed(enrolment.instanceId)) {
    return refuse(`${enrolment.instanceId} has that name, and the cloud still lists it`);
  }
  const restsUntilMs = certificatesEndMs(enrolment);
  if (restsUntilMs !== undefined && nowMs < restsUntilMs) {
    const until = new Date(restsUntilMs).toISOString();
    return refuse(`${enrolment.instanceId} had that name and was revoked: the name rests until ${until}`);
  }
  return { action: 'enrol', clear: enrolment.instanceGroup !== machine.instanceGroup };
}

const refuse = (reason: string): Admission => ({ action: 'refuse', reason });
