import type { CgroupMount } from '../nspawn/cgroups.ts';
import { HOST_PACKAGES } from './host-packages.ts';
import { type InotifyUse, type WantedMachines, neededInotifyInstances, raisedInotifyLimit } from './inotify.ts';

/** What is known of a host before anything on it is changed. */
export interface HostFacts {
  readonly platform: string;
  readonly isRoot: boolean;
  /** Programs of the required packages that are not in the PATH. */
  readonly missingPrograms: readonly string[];
  /** Why a kernel feature does not work, by feature; tested in temporary namespaces. */
  readonly brokenFeatures: Readonly<Record<string, string>>;
  readonly cgroups: readonly CgroupMount[];
  readonly inotify: InotifyFacts;
  /** Undefined where it could not be found out. */
  readonly memoryBytes: number | undefined;
  /** The folders in which machines and images are kept. */
  readonly disks: readonly DiskFacts[];
}

export interface InotifyFacts extends InotifyUse {
  /** Whether apply can raise the limit itself. */
  readonly canRaise: boolean;
}

export interface DiskFacts {
  readonly folder: string;
  readonly freeBytes: number;
  readonly isOverlay: boolean;
}

export interface Needs {
  readonly machines: WantedMachines;
  /** Whether missing packages are a fault; otherwise they will be installed. */
  readonly packages: boolean;
}

const GIB = 2 ** 30;
/** In GiB: base image 0.3, assets and image archives 1.5, the Kubernetes build 3 (once), each machine 0.2 to 0.8. */
const MIN_DISK_BYTES = 6 * GIB;
/**
 * In GiB: a control plane takes 1.2 with its caches, a worker 0.4, a build of Kubernetes 2.5. Machines sold with 4 show
 * 3.6.
 */
const MIN_MEMORY_BYTES = 3.5 * GIB;

/** The reasons why this host cannot run local machines, each with what to do. */
export function preflightFaults(facts: HostFacts, needs: Needs): readonly string[] {
  if (facts.platform !== 'linux') return [`local machines need Linux, not ${facts.platform}: use a Linux machine`];
  if (!facts.isRoot) return ['local machines need root: use sudo'];
  return [
    ...(needs.packages ? packageFaults(facts.missingPrograms) : []),
    ...Object.entries(facts.brokenFeatures).map(
      ([feature, why]) =>
        `the kernel does not provide ${feature} (${why}): use a machine of your own, or a container with --privileged`,
    ),
    ...cgroupFaults(facts.cgroups),
    ...inotifyFaults(facts.inotify, needs.machines),
    ...memoryFaults(facts.memoryBytes),
    ...facts.disks.flatMap(diskFaults),
  ];
}

function packageFaults(missing: readonly string[]): readonly string[] {
  const packages = HOST_PACKAGES.filter(({ programs }) => programs.some((program) => missing.includes(program)));
  if (packages.length === 0) return [];
  const reasons = packages.map(({ name, why }) => `${name} (${why})`).join(', ');
  return [`packages are missing: ${reasons}: run apt-get install ${packages.map(({ name }) => name).join(' ')}`];
}

function cgroupFaults(mounts: readonly CgroupMount[]): readonly string[] {
  if (mounts.length === 0) return ['no cgroups are mounted at /sys/fs/cgroup: mount them'];
  const isVersion2 = mounts.every((mount) => mount.version === 2);
  if (isVersion2) return [];
  const controllers = new Set(mounts.flatMap((mount) => mount.options.split(',')));
  const missing = ['cpu', 'cpuset', 'memory', 'pids', 'devices', 'name=systemd'].filter(
    (name) => !controllers.has(name),
  );
  if (missing.length === 0) return [];
  return [`these cgroup hierarchies are not mounted: ${missing.join(', ')}: mount them below /sys/fs/cgroup`];
}

function inotifyFaults(facts: InotifyFacts, machines: WantedMachines): readonly string[] {
  const needed = neededInotifyInstances(facts, machines);
  if (facts.limit >= needed || facts.canRaise) return [];
  return [
    `${machines.size} machines and the host need ${needed} inotify instances, but the host allows ${facts.limit}: ` +
      `run sysctl fs.inotify.max_user_instances=${raisedInotifyLimit(needed)} on the host`,
  ];
}

function memoryFaults(bytes: number | undefined): readonly string[] {
  if (bytes === undefined) return ['the size of the memory cannot be read: check that /proc/meminfo is readable'];
  if (bytes >= MIN_MEMORY_BYTES) return [];
  return [`the machine has ${gib(bytes)} of memory, but a cluster needs ${gib(MIN_MEMORY_BYTES)}: use a larger one`];
}

function diskFaults({ folder, freeBytes, isOverlay }: DiskFacts): readonly string[] {
  return [
    ...(freeBytes < MIN_DISK_BYTES
      ? [
          `${folder} has ${gib(freeBytes)} free, but a cluster needs ${gib(MIN_DISK_BYTES)}: free some space, or choose another folder`,
        ]
      : []),
    ...(isOverlay
      ? [
          `${folder} is on overlayfs, which cannot hold disks of machines: mount a volume there, or choose another folder`,
        ]
      : []),
  ];
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
