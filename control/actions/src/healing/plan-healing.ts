import type { FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import semver from 'semver';
import { quorumFault } from '../rolling/etcd-quorum.ts';
import type { Seen, SeenNode } from '../rolling/seen.ts';
import type { MachineVersion } from '../upgrade/machine-versions.ts';

/** A machine that does not serve, although it should. */
export interface UnwellMachine {
  readonly machine: FleetMachine;
  readonly why: string;
  readonly sinceMs: number;
  /** Its cloud does not have it any more, and kopsctl makes it: nothing has to be ended. */
  readonly isGone: boolean;
}

/** One that stays as it is, and why. */
export interface HeldMachine extends UnwellMachine {
  readonly because: string;
}

export interface HealingPlan {
  /** The one machine that is replaced now. */
  readonly replace?: UnwellMachine;
  readonly held: readonly HeldMachine[];
  /** How many machines were looked at. */
  readonly machines: number;
}

export interface Healing {
  readonly seen: Seen;
  /** How long a group's machines may be unwell; groups that are not in it are left alone. */
  readonly afterMs: ReadonlyMap<string, number>;
  /** The Kubernetes that was applied last, and what control planes say that they run. Absent where nothing was applied. */
  readonly versions?: Versions | undefined;
}

export interface Versions {
  readonly applied: string;
  readonly controlPlanes: readonly MachineVersion[];
}

/** A control plane first: until it is back, no other may fail. */
const ORDER = ['ControlPlane', 'APIServer', 'Node', 'Bastion'] as const;

/**
 * Which machine is replaced because it stays unwell: one at most, never a control plane while another one is unwell or etcd
 * would lose its quorum, no worker whose new kubelet would be newer than an API server, and none where so many are unwell
 * at once that something else must be out of order. Pure.
 */
export function planHealing({ seen, afterMs, versions }: Healing): HealingPlan {
  const counted = seen.groups.flatMap((group) => countedMachines(group));
  const unwell = counted
    .flatMap((machine) => unwellness(machine, seen) ?? [])
    .toSorted((a, b) => ORDER.indexOf(a.machine.role) - ORDER.indexOf(b.machine.role) || a.sinceMs - b.sinceMs);
  const outage = outageOf(unwell.length, counted.length, seen);
  const held: HeldMachine[] = [];
  let replace: UnwellMachine | undefined;
  for (const one of unwell) {
    const because =
      outage ?? whyHeld(one, { unwell, counted, seen, afterMs, versions }) ?? (replace && afterOther(replace));
    if (because === undefined) replace = one;
    else held.push({ ...one, because });
  }
  return { ...(replace && { replace }), held, machines: counted.length };
}

/** Machines that are Nodes and are to serve, those that are gone included. */
const countedMachines = ({ name, role, machines, missing = [] }: FleetGroup): readonly FleetMachine[] => [
  ...machines.filter(({ nodeName, standing }) => nodeName !== '' && standing !== 'warm'),
  ...(role === 'Bastion' ? [] : missing).map((one): FleetMachine => ({
    id: `${GONE}${one.name}`,
    name: one.name,
    nodeName: one.nodeName,
    instanceGroup: name,
    role,
    address: '',
    running: false,
    isCurrent: true,
    standing: 'counted',
  })),
];

const GONE = 'gone ';

/** Undefined for a machine that is well, and for one where nothing says since when it is unwell. */
function unwellness(machine: FleetMachine, { nodes }: Seen): UnwellMachine | undefined {
  const { nodeName, machineId, launchedMs, running, id } = machine;
  const isGone = id.startsWith(GONE);
  const node = nodes.find(({ name }) => name === nodeName);
  // A Node of an earlier machine of that name says nothing about this one; and what never was there is not missed.
  const isOwn = node !== undefined && (machineId === undefined || node.machineId === machineId);
  if (isGone) return lasting(machine, node, 'its machine is gone', isGone);
  if (isOwn && node.isReady) return undefined;
  if (isOwn) return lasting(machine, node, running ? 'its Node is not Ready' : 'its machine does not run', isGone);
  return launchedMs === undefined ? undefined : { machine, why: 'it has not joined', sinceMs: launchedMs, isGone };
}

function lasting(
  machine: FleetMachine,
  node: SeenNode | undefined,
  why: string,
  isGone: boolean,
): UnwellMachine | undefined {
  if (node?.unreadySinceMs === undefined) return undefined;
  // Where the id of the machine is not known, its Node may be that of the machine before, and was unwell before this one was launched.
  const launchedMs = machine.machineId === undefined ? (machine.launchedMs ?? 0) : 0;
  return { machine, why, sinceMs: Math.max(node.unreadySinceMs, launchedMs), isGone };
}

/** Why no machine can be blamed: then the machines are more likely well, and what they all need is not. */
function outageOf(unwell: number, counted: number, { apiFailure, apiNowMs }: Seen): string | undefined {
  if (apiFailure !== undefined) return `the state of Nodes is unknown: ${apiFailure}`;
  if (apiNowMs === undefined) return 'the API server did not report its time';
  if (unwell < 2 || unwell * 2 < counted) return undefined;
  return `${unwell} of ${counted} machines are unwell at once: something that they all depend on has probably failed, such as the network or the API's load balancer`;
}

interface Around extends Healing {
  readonly unwell: readonly UnwellMachine[];
  readonly counted: readonly FleetMachine[];
}

function whyHeld(one: UnwellMachine, { unwell, counted, seen, afterMs, versions }: Around): string | undefined {
  const { machine, sinceMs } = one;
  const patienceMs = afterMs.get(machine.instanceGroup);
  if (patienceMs === undefined)
    return 'healing is off for its group: kopsctl.io/replace-unready is not set, or is never';
  const dueMs = sinceMs + patienceMs;
  // The clock of this computer decides nothing: one that is ahead would end machines that were restarted a moment ago.
  if ((seen.apiNowMs ?? 0) < dueMs)
    return `it may still recover: it is not replaced before ${new Date(dueMs).toISOString()}`;
  if (machine.role !== 'ControlPlane') return versions && skewFault(versions);
  const isControlPlane = ({ role }: FleetMachine): boolean => role === 'ControlPlane';
  if (counted.filter(isControlPlane).length === 1)
    return `it is the only control plane: \`kopsctl rolling-update cluster --instance-group ${machine.instanceGroup} --force --yes\` replaces it`;
  const other = unwell.find((another) => another !== one && isControlPlane(another.machine));
  if (other !== undefined) return `another control plane, ${other.machine.name}, is unwell too`;
  return quorumFault(seen.etcds, machine.address);
}

/** The machine that takes the place of a worker is made from what was applied last. */
function skewFault({ applied, controlPlanes }: Versions): string | undefined {
  const wanted = semver.parse(applied)?.minor ?? 0;
  const behind = controlPlanes.find(({ kubernetes }) => (semver.parse(kubernetes)?.minor ?? wanted) < wanted);
  return (
    behind &&
    `its new kubelet would run Kubernetes ${applied}, and ${behind.machine.name} still runs an API server of ${behind.kubernetes}: a kubelet must not be newer. Roll the control planes first`
  );
}

const afterOther = ({ machine }: UnwellMachine): string => `one at a time: ${machine.name} comes first`;
