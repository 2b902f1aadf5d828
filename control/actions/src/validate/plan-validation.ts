import type { ExpectedNode, RunningMachines } from '@kopsctl/model/cloud.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { groupSize } from './group-size.ts';

/** One thing that is not as it should be, in kops's terms of `validate cluster` and a few of our own. */
export interface ValidationFailure {
  readonly kind:
    | 'InstanceGroup'
    | 'Machine'
    | 'Node'
    | 'Pod'
    | 'API'
    | 'Cloud'
    | 'StateStore'
    | 'Etcd'
    | 'Certificate'
    | 'Addon'
    | 'DNS'
    | 'Service';
  readonly name: string;
  readonly message: string;
  /** The group that it belongs to, where it belongs to one: others may be rolled nevertheless. */
  readonly instanceGroup?: string;
}

/** An instance group of the completed spec. */
export interface WantedGroup {
  readonly name: string;
  readonly role: NodeRole;
  readonly minSize: number;
}

/** What machines, Nodes and pods a cluster has. */
export interface ObservedCluster {
  readonly groups: readonly WantedGroup[];
  readonly running: RunningMachines;
  readonly nodes: readonly NodeStatus[];
  readonly systemPods: readonly PodStatus[];
  /** For how long kubelets have been silent, in ms, by Node; only for kubelets that are. */
  readonly silentMs?: ReadonlyMap<string, number>;
}

/** Static pods that every node of a role must have (kops pkg/validation; it asks for none on API servers of their own). */
const STATIC_PODS: Readonly<Record<NodeRole, readonly string[]>> = {
  ControlPlane: ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'],
  APIServer: ['kube-apiserver'],
  Node: [],
  Bastion: [],
};
const CRITICAL_CLASSES = ['system-cluster-critical', 'system-node-critical'];

/** The node's kubelet says that it is ready. */
export const isReady = (node: NodeStatus): boolean =>
  node.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

/**
 * Everything that keeps machines, Nodes and the cluster's own pods from being what they should be; empty means valid.
 *
 * @param maxUnreadyNodes this many Nodes of workers may be missing or not Ready
 */
export function validationFailures(
  { groups, running, nodes, systemPods, silentMs = new Map() }: ObservedCluster,
  maxUnreadyNodes = 0,
): readonly ValidationFailure[] {
  const attached = running.machines.filter(({ isDetached }) => isDetached !== true);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const podNames = new Set(systemPods.map(({ name }) => name));
  const ofMachines = attached.flatMap((machine) =>
    machineFailures(machine, byName.get(machine.nodeName), podNames, silentMs.get(machine.nodeName)).map((failure) => ({
      machine,
      failure,
    })),
  );
  const ofWorkers = new Set(ofMachines.filter(({ machine }) => machine.role === 'Node').map(({ machine }) => machine));
  const tolerated = ofWorkers.size <= maxUnreadyNodes ? ofWorkers : new Set<ExpectedNode>();
  return [
    ...groups.flatMap((group) => groupFailures(group, running)),
    ...ofMachines.flatMap(({ machine, failure }) => (tolerated.has(machine) ? [] : [failure])),
    ...systemPods.flatMap(podFailures),
  ];
}

/** A machine that does not exist has no name: only its group can be said to lack it. */
function groupFailures(group: WantedGroup, running: RunningMachines): readonly ValidationFailure[] {
  const { name } = group;
  const fail = (message: string): readonly ValidationFailure[] => [
    { kind: 'InstanceGroup', name, message, instanceGroup: name },
  ];
  const { found, wanted, shortfall } = groupSize(group, running);
  if (wanted === undefined) return fail('does not exist in the cloud: `kopsctl update cluster --yes` creates it');
  const why = shortfall === undefined ? '' : `: ${shortfall}`;
  return found < wanted ? fail(`has ${found} of ${wanted} machines${why}`) : [];
}

function machineFailures(
  machine: ExpectedNode,
  node: NodeStatus | undefined,
  podNames: ReadonlySet<string>,
  silentMs: number | undefined,
): readonly ValidationFailure[] {
  const { nodeName: name, instanceGroup } = machine;
  const fail = (kind: 'Machine' | 'Node', message: string): readonly ValidationFailure[] => [
    { kind, name, message, instanceGroup },
  ];
  if (!machine.running) return fail('Machine', 'the machine is not running');
  if (machine.role === 'Bastion') return [];
  if (node === undefined) return fail('Machine', 'the machine has not yet joined the cluster');
  if (machine.machineId !== undefined && node.machineId !== machine.machineId) {
    return fail('Machine', 'the machine has not yet taken its Node over');
  }
  if (!isReady(node)) {
    const ready = node.conditions.find(({ type }) => type === 'Ready');
    return fail('Node', `not Ready: ${ready?.message ?? 'no status yet'}`);
  }
  if (silentMs !== undefined) {
    const seconds = Math.round(silentMs / 1000);
    return fail('Node', `says Ready, but its kubelet has not renewed its lease for ${seconds} s`);
  }
  return lackingComponents(machine.role, name, podNames).flatMap((component) =>
    fail('Node', `has no ${component} pod`),
  );
}

/** The components of the control plane that a Node of the role must have as static pods, and has not. */
export const lackingComponents = (role: string, node: string, podNames: ReadonlySet<string>): readonly string[] =>
  Object.entries(STATIC_PODS)
    .flatMap(([one, components]) => (one === role ? components : []))
    .filter((component) => !podNames.has(`${component}-${node}`));

function podFailures(pod: PodStatus): readonly ValidationFailure[] {
  if (!CRITICAL_CLASSES.includes(pod.priorityClassName ?? '')) return [];
  const fail = (message: string): readonly ValidationFailure[] => [
    { kind: 'Pod', name: `${pod.namespace}/${pod.name}`, message },
  ];
  const { phase } = pod;
  if (phase === 'Pending' || phase === 'Unknown' || phase === 'Failed') return fail(`is ${phase}`);
  const unready = pod.containers.filter(({ ready }) => !ready).map(({ name }) => name);
  return phase !== 'Succeeded' && unready.length > 0 ? fail(`is not ready (${unready.join(', ')})`) : [];
}
