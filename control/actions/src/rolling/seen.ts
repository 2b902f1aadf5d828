import type { FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { EtcdHealth } from './etcd-quorum.ts';
import type { Turn } from './roll.ts';

/** A Node, as far as a rolling update looks at it. */
export interface SeenNode {
  readonly name: string;
  readonly machineId: string | undefined;
  readonly isReady: boolean;
  /** Since when it is not, in ms since 1970 by the clocks of control planes, where that is known. Compare it with `apiNowMs`. */
  readonly unreadySinceMs?: number;
  /** Cordoned, labelled or tainted by a rolling update. */
  readonly isMarked: boolean;
}

/** Something that keeps the cluster from being valid. */
export interface ClusterFault {
  readonly message: string;
  /** The Node that it is about. */
  readonly node?: string;
  /** Absent where it concerns every group. */
  readonly instanceGroup?: string;
  /** It is about a new machine, on its way to be a Node that is Ready. */
  readonly isJoining?: boolean;
}

/** The world at one moment, as a rolling update sees it. */
export interface Seen {
  /** By the clock of this computer, which may be wrong: only to be compared with what it has stamped itself. */
  readonly nowMs: number;
  /** By the API server's clock; absent where it was not asked. */
  readonly apiNowMs?: number;
  readonly groups: readonly FleetGroup[];
  /** Why the API could not be asked; then nodes and faults are empty. */
  readonly apiFailure?: string;
  readonly nodes: readonly SeenNode[];
  readonly faults: readonly ClusterFault[];
  readonly etcds: readonly EtcdHealth[];
  /** How many watches of Services' endpoints the only API server serves. Looked at only around its turn. */
  readonly watches?: number;
}

const machinesIn = ({ groups }: Pick<Seen, 'groups'>): readonly FleetMachine[] =>
  groups.flatMap(({ machines }) => machines);

/** The machine that is to be replaced, while it is there. */
export const machineOf = (seen: Seen, { id }: Turn): FleetMachine | undefined =>
  machinesIn(seen).find((machine) => machine.id === id);

/** The new machine that has the Node of the one that is replaced, where Nodes keep their names. */
export const heirOf = (seen: Seen, { id, node }: Turn): FleetMachine | undefined =>
  machinesIn(seen).find((machine) => machine.nodeName === node && machine.id !== id);

export interface Proving {
  readonly cloudOnly: boolean;
  /** The ids of machines that prove nothing. */
  readonly except: ReadonlySet<string>;
  /** Only machines that are older count. */
  readonly beforeMs?: number;
}

/** Whether a group has a machine that works with the present configuration. */
export function isProven(seen: Seen, group: string, { cloudOnly, except, beforeMs }: Proving): boolean {
  const machines = seen.groups.find(({ name }) => name === group)?.machines ?? [];
  return machines.some(
    ({ id, isCurrent, running, standing, nodeName, machineId, launchedMs = beforeMs }) =>
      isCurrent &&
      !except.has(id) &&
      (beforeMs === undefined || (launchedMs !== undefined && launchedMs < beforeMs)) &&
      running &&
      standing === 'counted' &&
      (cloudOnly ||
        nodeName === '' ||
        seen.nodes.some(
          (node) => node.name === nodeName && node.isReady && (machineId === undefined || node.machineId === machineId),
        )),
  );
}

/**
 * The faults that count for a group: its own and those of the whole cluster. Those of machines that are being replaced do
 * not, and neither does one new machine on its way for each of them.
 *
 * @param own the machine whose turn is to end with this: where the next one has its Node, nothing excuses the next one
 */
export function relevantFaults(
  seen: Seen,
  group: string,
  replaced: readonly Turn[],
  own?: Turn,
): readonly ClusterFault[] {
  const nodes = new Set(replaced.map(({ node }) => node));
  const counted = seen.faults.filter(
    ({ instanceGroup, node }) =>
      (instanceGroup === undefined || instanceGroup === group) && (node === undefined || !nodes.has(node)),
  );
  const awaited = own && heirOf(seen, own)?.nodeName;
  const joining = new Set(
    counted.filter(({ isJoining, node }) => isJoining === true && node !== awaited).map(({ node }) => node),
  );
  const excused = new Set([...joining].slice(0, replaced.filter((turn) => turn.instanceGroup === group).length));
  return counted.filter(({ isJoining, node }) => !(isJoining === true && excused.has(node)));
}
