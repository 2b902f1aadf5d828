import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { permitNewKey } from '@kopsctl/node-identity/revocation.ts';
import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';
import { type EnrolmentPlace, markEnrolment, readEnrolment } from './enrolments/stored-enrolment.ts';
import { printable } from './follow/printable.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { readCluster } from './store/cluster-store.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

export interface ReEnrollRequest {
  readonly node: string;
  /** A revocation is taken back; otherwise a revoked machine is refused. */
  readonly unrevoke: boolean;
  /** The key is permitted; otherwise this is only shown. */
  readonly yes: boolean;
}

export interface ReEnrolledNode {
  readonly outcome: 'shown' | 'permitted';
  readonly node: string;
  readonly instanceId: string;
  readonly instanceGroup: string;
  /** When the machine was revoked, RFC 3339, where that is taken back. */
  readonly unrevoked?: string;
}

/** Permits the machine of a node another key, once: its disk was lost, or it was installed again. */
export async function reEnrollNode(
  context: ActionContext,
  { node, unrevoke, yes }: ReEnrollRequest,
): Promise<ReEnrolledNode> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const place = { store, cluster, node, what: `permit ${node} another key` };
  await readCluster(store, cluster);
  const permit = (found: Enrolment): Enrolment => permitted(found, place, unrevoke);
  const { enrolment } = await inPhase(context, 'read the enrolment', () => readEnrolment(place, context.signal));
  permit(enrolment);
  if (yes) {
    await withClusterLock(store, cluster, 're-enroll', context, (signal) =>
      inPhase(context, 'mark the enrolment', () => markEnrolment(place, enrolment, permit, signal)),
    );
  }
  const { instanceId, instanceGroup, revokedAt } = enrolment;
  return {
    outcome: yes ? 'permitted' : 'shown',
    node,
    instanceId: printable(instanceId),
    instanceGroup: printable(instanceGroup),
    ...(revokedAt !== undefined && { unrevoked: printable(revokedAt) }),
  };
}

/** @throws ActionableError for a revoked machine, unless that is taken back */
function permitted(found: Enrolment, { what, node }: EnrolmentPlace, unrevoke: boolean): Enrolment {
  if (found.revokedAt === undefined || unrevoke) return permitNewKey(found);
  const because = found.revokedReason === undefined ? '' : `, because: ${printable(found.revokedReason)}`;
  throw new ActionableError({
    what,
    why: `its machine ${printable(found.instanceId)} was revoked at ${printable(found.revokedAt)}${because}`,
    next: `terminate that machine; or undo the revocation with \`kopsctl toolbox re-enroll ${node} --unrevoke\`: its certificates are then valid again, also for anyone who copied them`,
  });
}
