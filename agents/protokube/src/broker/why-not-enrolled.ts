import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';
import { certificatesEndMs } from '@kopsctl/node-identity/revocation.ts';
import { isAttestedRole } from '@kopsctl/node-identity/attested-role.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';

/**
 * Why an enrolment is not written, whatever the authority says; undefined if it may be. That a machine has proven itself is
 * for the authority to know. The enrolment is checked against what can be seen without evidence, so that a thief who has stolen
 * an authority cannot leave a key under a name that a machine already has, and cannot take back a mark that a person has set.
 *
 * @param next what the authority wants to write
 * @param before what is there
 * @param machines the machines that the cloud lists
 */
export function whyNotEnrolled(
  next: Enrolment,
  before: Enrolment | undefined,
  machines: readonly CloudMachine[],
  nowMs: number,
): string | undefined {
  const isListed = machines.some(
    ({ role, nodeName, instanceId, instanceGroup, launchedMs = 0 }) =>
      isAttestedRole(role) &&
      nodeName === next.node &&
      instanceId === next.instanceId &&
      instanceGroup === next.instanceGroup &&
      launchedMs === next.launchedMs,
  );
  if (!isListed) return `the cloud lists no ${next.instanceId} of ${next.instanceGroup} with the name ${next.node}`;
  if (next.permitsNewKey !== undefined || next.revokedAt !== undefined) return 'only a person may set marks';
  const whyNotAfter = before && whyNotInPlaceOf(before, next, machines, nowMs);
  if (whyNotAfter !== undefined) return whyNotAfter;
  const namesake = machines.find(
    ({ nodeName, instanceId }) => nodeName === next.node && instanceId !== next.instanceId,
  );
  return namesake && `${namesake.instanceId} has the same name`;
}

/** Why the holder of a name does not give way. */
function whyNotInPlaceOf(
  before: Enrolment,
  next: Enrolment,
  machines: readonly CloudMachine[],
  nowMs: number,
): string | undefined {
  if (before.instanceId === next.instanceId && before.launchedMs === next.launchedMs) {
    if (before.revokedAt !== undefined) return `${before.instanceId} was revoked at ${before.revokedAt}`;
    return before.permitsNewKey === true ? undefined : `${before.instanceId} has enrolled and may not have another key`;
  }
  const isThere = before.instanceId !== next.instanceId && machines.some((one) => one.instanceId === before.instanceId);
  if (isThere) return `${before.instanceId} has the name, and the cloud still lists it`;
  const restsUntilMs = certificatesEndMs(before);
  if (restsUntilMs === undefined || nowMs >= restsUntilMs) return undefined;
  return `${before.instanceId} had the name and was revoked: it cannot be used again until ${new Date(restsUntilMs).toISOString()}`;
}
