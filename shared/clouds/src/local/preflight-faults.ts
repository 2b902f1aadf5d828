import type { CgroupMount } from './cgroups.ts';
import { HOST_PACKAGES } from './host-packages.ts';

/** What a host is asked before anything on it is changed. */
export interface HostFacts {
  readonly platform: string;
  readonly isRoot: boolean;
  /** Programs of the needed packages that are not on the path. */
  readonly missingPrograms: readonly string[];
  /** Why a kernel feature does not work, by feature; tried in namespaces that are thrown away. */
  readonly brokenFeatures: Readonly<Record<string, string>>;
  readonly cgroups: readonly CgroupMount[];
  readonly inotifyInstances: number;
  readonly memoryBytes: number;
  /** By folder: where machines or images are to be kept. */
  readonly disks: readonly DiskFacts[];
}

export interface DiskFacts {
  readonly folder: string;
  readonly freeBytes: number;
  readonly isOverlay: boolean;
}

export interface Needs {
  readonly machines: number;
  /** Whether missing packages are a fault, or will be installed. */
  readonly packages: boolean;
}

const GIB = 2 ** 30;
/** Base image 0.3, assets and image archives 1.5, the Kubernetes build 3 (once), each machine 0.2 to 0.8. */
const MIN_DISK_BYTES = 6 * GIB;
/** A control plane takes 1.2 GiB with its caches, a worker 0.4, a build of Kubernetes 2.5; what is sold as 4 GiB shows 3.6. */
const MIN_MEMORY_BYTES = 3.5 * GIB;
/** Counted on a worker with kubelet and containerd: 16; the host's own services take some as well. */
const INOTIFY_PER_MACHINE = 16;
const INOTIFY_OF_HOST = 32;

/** Everything that stands against local machines on this host, each with what to do. */
export function preflightFaults(facts: HostFacts, needs: Needs): readonly string[] {
  if (facts.platform !== 'linux') return [`local machines need Linux, this is ${facts.platform}: use a Linux machine`];
  if (!facts.isRoot) return ['local machines need root: use sudo'];
  return [
    ...(needs.packages ? packageFaults(facts.missingPrograms) : []),
    ...Object.entries(facts.brokenFeatures).map(
      ([feature, why]) =>
        `the kernel gives no ${feature} (${why}): use a machine of your own, or a container with --privileged`,
    ),
    ...cgroupFaults(facts.cgroups),
    ...inotifyFaults(facts.inotifyInstances, needs.machines),
    ...(facts.memoryBytes < MIN_MEMORY_BYTES
      ? [
          `the machine has ${gib(facts.memoryBytes)} of memory, a cluster needs ${gib(MIN_MEMORY_BYTES)}: use a larger one`,
        ]
      : []),
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

function inotifyFaults(instances: number, machines: number): readonly string[] {
  const needed = machines * INOTIFY_PER_MACHINE + INOTIFY_OF_HOST;
  if (instances >= needed) return [];
  return [
    `${machines} machines need ${needed} inotify instances, the host allows ${instances}: ` +
      `run sysctl fs.inotify.max_user_instances=${Math.max(needed, 512)}`,
  ];
}

function diskFaults({ folder, freeBytes, isOverlay }: DiskFacts): readonly string[] {
  return [
    ...(freeBytes < MIN_DISK_BYTES
      ? [
          `${folder} has ${gib(freeBytes)} free, a cluster needs ${gib(MIN_DISK_BYTES)}: free some, or name another folder`,
        ]
      : []),
    ...(isOverlay
      ? [
          `${folder} lies on overlayfs, on which machines' disks cannot lie: mount a volume there, or name another folder`,
        ]
      : []),
  ];
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
