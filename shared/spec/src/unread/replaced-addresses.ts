import type { Cluster } from '../cluster.ts';
import { apiServerAddresses } from '../complete/api-server-addresses.ts';
import { fault, type Fault } from '../validate/fault.ts';

const FIELDS = ['bindAddress', 'securePort', 'etcdServers', 'etcdServersOverrides'] as const;

/**
 * Addresses of API servers that a person writes and that completion replaces.
 *
 * @param written as the user wrote it
 * @param completed by which the addresses are decided
 */
export function replacedAddresses(written: Cluster, completed: Cluster): readonly Fault[] {
  const used = apiServerAddresses(completed.spec);
  return FIELDS.flatMap((field) => {
    const wished = written.spec.kubeAPIServer?.[field];
    if (wished === undefined || String(wished) === String(used[field] ?? [])) return [];
    const instead = String(used[field] ?? 'none');
    const message = `it is replaced, as by kops: API servers of this cluster have ${instead}`;
    return [fault(`spec.kubeAPIServer.${field}`, message, 'remove it')];
  });
}
