import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** A cgroup hierarchy of the host: version 1 with its mount options (`cpu`, `none,name=systemd`), or version 2. */
export interface CgroupMount {
  readonly path: string;
  readonly version: 1 | 2;
  readonly options: string;
}

const NOT_OPTIONS = new Set([
  'rw',
  'ro',
  'relatime',
  'nosuid',
  'nodev',
  'noexec',
  'xattr',
  'clone_children',
  'nsdelegate',
]);

/** Parses /proc/self/mountinfo. The last mount of a path wins, as in the kernel. */
export function parseCgroupMounts(mountinfo: string): readonly CgroupMount[] {
  const mounts = new Map<string, CgroupMount>();
  for (const line of mountinfo.split('\n')) {
    const [left, right] = line.split(' - ');
    const path = left?.split(' ')[4];
    const [type, , superOptions = ''] = right?.split(' ') ?? [];
    if (path === undefined || (type !== 'cgroup' && type !== 'cgroup2')) continue;
    const options = superOptions
      .split(',')
      .filter((option) => !NOT_OPTIONS.has(option) && !option.startsWith('release_agent='));
    const named = options.some((option) => option.startsWith('name=')) && options.length === 1;
    mounts.set(path, {
      path,
      version: type === 'cgroup' ? 1 : 2,
      options: type === 'cgroup2' ? '' : [...(named ? ['none'] : []), ...options].join(','),
    });
  }
  return [...mounts.values()].filter((mount) => mount.path.startsWith('/sys/fs/cgroup'));
}

export async function cgroupMounts(): Promise<readonly CgroupMount[]> {
  return parseCgroupMounts(await readFile('/proc/self/mountinfo', 'utf8'));
}

/** Our groups are named `kl-<cluster>/<machine>`, at the root of every hierarchy. */
export const CLUSTER_GROUP_PREFIX = 'kl-';

export interface MachineLimits {
  readonly memoryMaxBytes?: number | undefined;
  readonly pidsMax?: number | undefined;
  /** On a busy host, how much processor time it gets compared with a machine of weight 1. */
  readonly cpuWeight?: number | undefined;
}

/**
 * The groups of a machine and, next to them, those of its keeper: in version 2, a group with children cannot contain
 * processes.
 */
export interface MachineGroups {
  readonly machine: readonly string[];
  readonly keeper: readonly string[];
}

/** Creates the groups of a machine in every hierarchy and sets its limits. */
export async function createMachineGroups(
  mounts: readonly CgroupMount[],
  cluster: string,
  machine: string,
  limits: MachineLimits,
): Promise<MachineGroups> {
  const groups: { machine: string[]; keeper: string[] } = { machine: [], keeper: [] };
  for (const mount of mounts) {
    const clusterGroup = join(mount.path, `${CLUSTER_GROUP_PREFIX}${cluster}`);
    const machineGroup = join(clusterGroup, machine);
    const keeperGroup = `${machineGroup}.keeper`;
    for (const group of [clusterGroup, machineGroup, keeperGroup]) await createGroup(mount, group);
    await setLimits(mount, machineGroup, limits);
    await setWeight(mount, clusterGroup);
    groups.machine.push(machineGroup);
    groups.keeper.push(keeperGroup);
  }
  return groups;
}

async function createGroup(mount: CgroupMount, group: string): Promise<void> {
  if (mount.version === 2) await delegateControllers(dirname(group));
  await mkdir(group, { recursive: true });
  if (mount.options !== 'cpuset') return;
  // A new cpuset group of version 1 accepts processes only after it has CPUs and memory nodes.
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    await writeFile(join(group, file), await readFile(join(dirname(group), file), 'utf8'));
  }
  await writeFile(join(group, 'cgroup.clone_children'), '1');
}

async function delegateControllers(group: string): Promise<void> {
  const controllers = (await readFile(join(group, 'cgroup.controllers'), 'utf8')).trim();
  if (controllers === '') return;
  const all = controllers.split(' ').map((name) => `+${name}`);
  await writeFile(join(group, 'cgroup.subtree_control'), all.join(' '));
}

const holdsIn =
  (mount: CgroupMount) =>
  (controller: string): boolean =>
    mount.version === 2 || mount.options.split(',').includes(controller);

/**
 * On a busy host a group competes with each process beside it as if it were one process too. A machine gets the weight of
 * this many, a cluster that of its machines.
 */
const PROCESSES_PER_MACHINE = 4;
/** The weight of one process, and the highest that a group may have: cgroup v1's cpu.shares and v2's cpu.weight. */
const CPU_WEIGHT = {
  1: { file: 'cpu.shares', process: 1024, highest: 262_144 },
  2: { file: 'cpu.weight', process: 100, highest: 10_000 },
} as const;

async function setWeight(mount: CgroupMount, clusterGroup: string): Promise<void> {
  if (!holdsIn(mount)('cpu')) return;
  const entries = await readdir(clusterGroup, { withFileTypes: true });
  const machines = entries.filter((entry) => entry.isDirectory() && !entry.name.endsWith('.keeper'));
  await writeWeight(mount, clusterGroup, machines.length * PROCESSES_PER_MACHINE);
}

/** @param processes the group gets the processor time of this many processes */
async function writeWeight(mount: CgroupMount, group: string, processes: number): Promise<void> {
  const { file, process, highest } = CPU_WEIGHT[mount.version];
  await writeIfThere(join(group, file), String(Math.min(highest, processes * process)));
}

async function setLimits(mount: CgroupMount, group: string, limits: MachineLimits): Promise<void> {
  const holds = holdsIn(mount);
  if (limits.memoryMaxBytes !== undefined && holds('memory')) {
    const file = mount.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
    await writeIfThere(join(group, file), String(limits.memoryMaxBytes));
  }
  if (limits.pidsMax !== undefined && holds('pids'))
    await writeIfThere(join(group, 'pids.max'), String(limits.pidsMax));
  if (limits.cpuWeight !== undefined && holds('cpu')) await writeWeight(mount, group, limits.cpuWeight);
}

/** On hybrid hosts the version 2 hierarchy has no controllers, so the file does not exist. */
async function writeIfThere(path: string, value: string): Promise<void> {
  try {
    await writeFile(path, value, { flag: 'r+' });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** The processes of a group and of the groups in it. */
export async function processesIn(group: string): Promise<readonly number[]> {
  try {
    const own = (await readFile(join(group, 'cgroup.procs'), 'utf8')).split('\n').filter((line) => line !== '');
    const folders = (await readdir(group, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const inner = await Promise.all(folders.map((folder) => processesIn(join(group, folder.name))));
    return [...own.map(Number), ...inner.flat()];
  } catch (error) {
    // It has just gone.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENODEV') return [];
    throw error;
  }
}

/** How long a group may take to lose its last, dying process: one that writes to a disk ends when it has written. */
const REMOVE_WITHIN_MS = 60_000;

/** Removes a group and its children. Their processes must be dead or dying. @throws EBUSY when one is still there in the end */
async function removeGroup(group: string, withinMs = REMOVE_WITHIN_MS): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      await removeTree(group);
      return;
    } catch (error) {
      if (codeOf(error) !== 'EBUSY' || Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

async function removeTree(group: string): Promise<void> {
  try {
    for (const entry of await readdir(group, { withFileTypes: true })) {
      if (entry.isDirectory()) await removeTree(join(group, entry.name));
    }
    await rmdir(group);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** A process that was killed with its machine is gone after some milliseconds. */
const EMPTY_WITHIN_MS = 2_000;

/**
 * Removes what programs of a machine have made in its groups: a boot begins without the groups of the boot before, as on every
 * other machine. kubelet looks for seconds for each container whose group it finds. A group that still has a process stays.
 */
export async function emptyMachineGroups({ machine: groups }: MachineGroups): Promise<void> {
  for (const group of groups) {
    for (const entry of await readdir(group, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      await removeGroup(join(group, entry.name), EMPTY_WITHIN_MS).catch((error: unknown) => {
        if (codeOf(error) !== 'EBUSY') throw error;
      });
    }
  }
}

export async function removeMachineGroups(
  mounts: readonly CgroupMount[],
  cluster: string,
  machine: string,
): Promise<void> {
  for (const mount of mounts) {
    const clusterGroup = join(mount.path, `${CLUSTER_GROUP_PREFIX}${cluster}`);
    await removeGroup(join(clusterGroup, machine));
    await removeGroup(join(clusterGroup, `${machine}.keeper`));
  }
}

/** Removes all groups of a cluster, which must not have running machines. */
export async function removeClusterGroups(mounts: readonly CgroupMount[], cluster: string): Promise<void> {
  for (const mount of mounts) await removeGroup(join(mount.path, `${CLUSTER_GROUP_PREFIX}${cluster}`));
}

/** The names of clusters that have groups. */
export async function clustersWithGroups(mounts: readonly CgroupMount[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const mount of mounts) {
    for (const entry of await readdir(mount.path)) {
      if (entry.startsWith(CLUSTER_GROUP_PREFIX)) names.add(basename(entry).slice(CLUSTER_GROUP_PREFIX.length));
    }
  }
  return names;
}
