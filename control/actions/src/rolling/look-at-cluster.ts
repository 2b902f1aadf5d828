import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import type { Fleet, FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { type NodeStatus, type PodStatus, readNode, readPod } from '../access/kubernetes-objects.ts';
import { isServedByKops } from '../etcd/served-by-kops.ts';
import { unreadySinceMs } from '../healing/unready-since.ts';
import type { WantedEtcd } from '../etcd/wanted-etcds.ts';
import { isReady } from '../validate/plan-validation.ts';
import { etcdHealth } from './etcd-quorum.ts';
import { asksWatches, readWatches } from './endpoint-watches.ts';
import { clusterFaults } from './cluster-faults.ts';
import { marksOf } from './mark-node.ts';
import type { Turn } from './roll.ts';
import type { ClusterFault, Seen, SeenNode } from './seen.ts';

export interface Observing {
  readonly fleet: Fleet;
  readonly kube: Pick<KubeClient, 'get' | 'text' | 'timeMs'>;
  readonly store: StateStore;
  readonly cluster: string;
  readonly etcdClusters: readonly WantedEtcd[];
  /** kops made it: members of etcd on its machines publish nothing. */
  readonly isOfKops: boolean;
  readonly cloudOnly: boolean;
  readonly nowMs: () => number;
}

/**
 * Looks at the machines, the Nodes, the cluster's own pods and etcd. Changes nothing.
 *
 * @param turns of the rolling update: around that of the only API server, what watches it is counted
 * @throws where the cloud or the store fails
 */
export async function lookAtCluster(
  observing: Observing,
  signal: AbortSignal,
  turns: readonly Turn[] = [],
): Promise<Seen> {
  const { fleet, kube, store, cluster, etcdClusters, isOfKops, cloudOnly, nowMs } = observing;
  const [groups, api, statuses] = await Promise.all([
    fleet.groups(signal),
    cloudOnly ? NOT_ASKED : askApi(kube, signal),
    Promise.all(
      (cloudOnly ? [] : etcdClusters).map(async (wanted) => ({
        wanted,
        statuses: await readStatuses(store, `${cluster}/backups/etcd/${wanted.name}`, signal),
      })),
    ),
  ]);
  const machines = groups.flatMap((group) => group.machines);
  const shown = isOfKops && !('failure' in api) ? api : { nodes: [], pods: [] };
  const nodesOfKops = shown.nodes.map(({ status }) => status);
  const etcds = statuses.map(({ wanted, statuses: told }) =>
    etcdHealth({
      wanted,
      statuses: told,
      machines,
      ...(isOfKops && {
        isServedByKops: (machine: FleetMachine) =>
          isServedByKops(wanted.name, machine, { nodes: nodesOfKops, pods: shown.pods }),
      }),
      nowMs: nowMs(),
    }),
  );
  const world = { nowMs: nowMs(), groups, etcds };
  if ('failure' in api) return { ...world, apiFailure: api.failure, nodes: [], faults: [] };
  const { nodes, faults } = readApi(groups, api, cloudOnly);
  // Without an answer the wait is left out: it protects requests for seconds, and nothing else.
  const watches =
    !cloudOnly && asksWatches(turns, groups) ? await readWatches(kube, signal).catch(() => undefined) : undefined;
  signal.throwIfAborted();
  const told = { ...(api.nowMs !== undefined && { apiNowMs: api.nowMs }), ...(watches !== undefined && { watches }) };
  return { ...world, nodes, faults, ...told };
}

/** Only what is looked at is kept of each object: a thousand Nodes take fifteen megabytes as the API server sends them. */
interface Listed {
  readonly nodes: readonly ListedNode[];
  readonly pods: readonly PodStatus[];
  /** By the API server's clock. */
  readonly nowMs?: number;
}

const NOT_ASKED: Listed = { nodes: [], pods: [] };

interface ListedNode {
  readonly status: NodeStatus;
  readonly isMarked: boolean;
  readonly unreadySinceMs: number | undefined;
}

async function askApi(
  kube: Pick<KubeClient, 'get' | 'timeMs'>,
  signal: AbortSignal,
): Promise<Listed | { readonly failure: string }> {
  const nodes: ListedNode[] = [];
  const pods: PodStatus[] = [];
  try {
    const [nowMs] = await Promise.all([
      // Only healing needs it, and says so where it is not told.
      kube.timeMs(signal).catch(() => undefined),
      listObjects(kube, '/api/v1/nodes', signal, (node) => {
        const object = asRecord(node);
        const { isMarked } = marksOf(node);
        nodes.push({ status: readNode(object), isMarked, unreadySinceMs: unreadySinceMs(object) });
      }),
      listObjects(kube, '/api/v1/namespaces/kube-system/pods', signal, (pod) => {
        pods.push(readPod(asRecord(pod)));
      }),
    ]);
    return { nodes, pods, ...(nowMs !== undefined && { nowMs }) };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: messageOf(error) };
  }
}

function readApi(
  groups: readonly FleetGroup[],
  { nodes, pods }: Listed,
  cloudOnly: boolean,
): { readonly nodes: readonly SeenNode[]; readonly faults: readonly ClusterFault[] } {
  if (cloudOnly) return { nodes: [], faults: [] };
  const seen = nodes.map(({ status, isMarked, unreadySinceMs: sinceMs }): SeenNode => {
    const { name, machineId } = status;
    return {
      name,
      machineId,
      isReady: isReady(status),
      ...(sinceMs !== undefined && { unreadySinceMs: sinceMs }),
      isMarked,
    };
  });
  const statuses = nodes.map(({ status }) => status);
  return { nodes: seen, faults: clusterFaults(groups, statuses, pods) };
}
