import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { GOSSIP_RECORDS_CA } from '../discovery.ts';
import { etcdClientsCa } from '../etcd-clusters.ts';
import { KUBERNETES_CA, NODE_AUTHORITY_CA } from './certificates.ts';
import type { NodeContext } from './node-context.ts';

/** The keysets that machines other than control planes trust, or of which they hold certificates. */
const OF_WORKERS = [KUBERNETES_CA, NODE_AUTHORITY_CA, GOSSIP_RECORDS_CA, etcdClientsCa('cilium')];

/** Whether machines of a role trust a keyset, hold its certificates or sign with it. */
export const usesKeyset = (role: NodeRole, keyset: string): boolean =>
  role === 'ControlPlane' || role === 'APIServer' || OF_WORKERS.includes(keyset);

/** The states of the keysets that matter to a machine. */
export const keysetsOf = ({ role, keysets }: Pick<NodeContext, 'role' | 'keysets'>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(keysets).filter(([name]) => usesKeyset(role, name)));
