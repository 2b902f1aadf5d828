import type { EtcdClusterSpec } from '@kopsctl/spec/schema/etcd.ts';
import { parseQuantity } from '@kopsctl/spec/quantity.ts';

/** Quantities by the names of resources. */
type Amounts = Readonly<Record<string, string | number>>;

const MEBIBYTE = 1024 ** 2;

/**
 * What kubelet keeps from pods for the etcd members of its machine: cpuRequest and memoryRequest of their clusters. In kops they are
 * requests of the pods that etcd runs in; here etcd is a unit, so that the same amount is added to what the spec reserves for the system.
 *
 * @param reserved the systemReserved of kubelet; an amount that is not a quantity is left to kubelet, which refuses it by name
 */
export function withEtcdReserved(reserved: Amounts, etcdClusters: readonly EtcdClusterSpec[]): Amounts {
  const requestsOf = (field: 'cpuRequest' | 'memoryRequest') => etcdClusters.flatMap((cluster) => cluster[field] ?? []);
  return {
    ...reserved,
    ...sum('cpu', reserved, requestsOf('cpuRequest'), inMillicores),
    ...sum('memory', reserved, requestsOf('memoryRequest'), inBytes),
  };
}

function sum(
  resource: string,
  reserved: Amounts,
  requests: readonly (string | number)[],
  spelled: (amount: number) => string,
): Amounts {
  const amounts = [reserved[resource] ?? 0, ...requests].map((amount) => parseQuantity(String(amount)));
  if (requests.length === 0 || amounts.includes(undefined)) return {};
  return { [resource]: spelled(amounts.reduce<number>((total, amount = 0) => total + amount, 0)) };
}

const inMillicores = (cores: number): string => `${Math.ceil(Number((cores * 1_000).toFixed(3)))}m`;

const inBytes = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE}Mi` : String(Math.ceil(bytes));
