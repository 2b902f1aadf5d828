import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';
import { certificatesEndMs } from '@kopsctl/node-identity/revocation.ts';
import { conditionFor } from './revocation-policy.ts';

export type RevokedNode = Pick<Enrolment, 'node' | 'revokedAt'>;

/** What the API server has of the policy that denies the writes of revoked nodes. */
export interface ObservedPolicy {
  /** Undefined where there is none. */
  readonly condition: string | undefined;
  readonly isBound: boolean;
}

export type PolicyStep =
  | { readonly action: 'none' }
  | { readonly action: 'deny'; readonly nodes: readonly string[] }
  | { readonly action: 'remove' };

/** What a Node can be called (RFC 1123). Under any other name nobody gets a certificate. */
const NODE_NAME = /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/;

/** The change that makes the policy deny the writes of every revoked node whose certificate can still be valid. */
export function planPolicy(revoked: readonly RevokedNode[], policy: ObservedPolicy, nowMs: number): PolicyStep {
  const nodes = revoked
    .filter((one) => NODE_NAME.test(one.node) && nowMs < (certificatesEndMs(one) ?? Number.NEGATIVE_INFINITY))
    .map(({ node }) => node)
    .toSorted();
  if (nodes.length === 0) {
    return { action: policy.condition === undefined && !policy.isBound ? 'none' : 'remove' };
  }
  const isAsWanted = policy.isBound && policy.condition === conditionFor(nodes);
  return isAsWanted ? { action: 'none' } : { action: 'deny', nodes };
}

/**
 * The Nodes that have to go: those of revoked machines, whenever they appear. Before Kubernetes 1.30 a kubelet with a
 * certificate that is still valid can register its Node again.
 */
export function nodesToDelete(revoked: readonly RevokedNode[], nodes: readonly string[]): readonly string[] {
  const names = new Set(revoked.map(({ node }) => node));
  return nodes.filter((node) => names.has(node));
}
