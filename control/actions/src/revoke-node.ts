import { findCloud } from '@kopsctl/clouds/control.ts';
import { certificatesEndMs, revoke } from '@kopsctl/node-identity/revocation.ts';
import { usesGossip } from '@kopsctl/model/discovery.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { markEnrolment, readEnrolment } from './enrolments/stored-enrolment.ts';
import { printable } from './follow/printable.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { completeStored } from './spec/complete.ts';
import { readCluster } from './store/cluster-store.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

export interface RevokeRequest {
  readonly node: string;
  /** Kept beside the mark. */
  readonly reason?: string | undefined;
  /** It is revoked; otherwise only shown. */
  readonly yes: boolean;
}

/** What is, or would be, revoked, and what that does not reach. */
export interface RevokedNode {
  readonly outcome: 'shown' | 'revoked' | 'was-revoked';
  readonly node: string;
  readonly instanceId: string;
  readonly instanceGroup: string;
  readonly address: string;
  /** RFC 3339; absent where it is only shown. */
  readonly revokedAt?: string;
  readonly reason?: string;
  /**
   * From when on another machine may have the name, and all certificates have ended, RFC 3339. Absent where it is only
   * shown, and where Kubernetes decides how long certificates are good for.
   */
  readonly certificatesEnd?: string;
  /** Whether the API server denies what it writes. */
  readonly deniesWrites: boolean;
  /** It held keys of the cluster's CAs. */
  readonly heldKeys: boolean;
  /** It held a key of gossip. */
  readonly gossiped: boolean;
  /** Ends the machine; absent where its cloud has no command for that. */
  readonly endCommand?: string;
}

/**
 * Revokes the machine of a node: marks its enrolment, so that no authority gives it anything any more. The control plane
 * takes its Node away when it sees the mark. Revoking it again changes nothing.
 */
export async function revokeNode(context: ActionContext, { node, reason, yes }: RevokeRequest): Promise<RevokedNode> {
  const { store, cluster: name } = await chooseCluster(context, undefined);
  const place = { store, cluster: name, node, what: `revoke ${node}` };
  const { cluster, instanceGroups } = await readCluster(store, name);
  const { enrolment } = await inPhase(context, 'read the enrolment', () => readEnrolment(place, context.signal));
  const wasRevoked = enrolment.revokedAt !== undefined;
  const marked =
    yes && !wasRevoked
      ? await withClusterLock(store, name, 'revoke', context, (signal) =>
          inPhase(context, 'mark the enrolment', () =>
            markEnrolment(place, enrolment, (found) => revoke(found, Date.now(), reason), signal),
          ),
        )
      : enrolment;
  const completed = completeStored({ cluster, instanceGroups }, store.url);
  const facts = kubernetesFacts(completed.cluster.spec.kubernetesVersion ?? '');
  const group = instanceGroups.find(({ metadata }) => metadata.name === enrolment.instanceGroup);
  const endMs = certificatesEndMs(marked);
  const endCommand = findCloud(cluster.spec.cloudProvider)?.driver?.endInstance?.(printable(enrolment.instanceId));
  return {
    outcome: wasRevoked ? 'was-revoked' : yes ? 'revoked' : 'shown',
    node,
    instanceId: printable(enrolment.instanceId),
    instanceGroup: printable(enrolment.instanceGroup),
    address: printable(enrolment.address),
    ...(marked.revokedAt !== undefined && { revokedAt: printable(marked.revokedAt) }),
    ...(marked.revokedReason !== undefined && { reason: printable(marked.revokedReason) }),
    ...(endMs !== undefined &&
      facts?.boundsCertificates === true && { certificatesEnd: new Date(endMs).toISOString() }),
    deniesWrites: facts?.admissionPolicies === true,
    heldKeys: group?.spec.role === 'APIServer',
    gossiped: usesGossip({ spec: completed.cluster.spec, clusterName: name }),
    ...(endCommand !== undefined && { endCommand }),
  };
}
